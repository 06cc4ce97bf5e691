// How JavaScript calls the engine, and the only place where errors and memory cross.
//
// A bound function takes the address of an object, 0 where it needs none, and returns the number of
// an error code. What else it takes and gives lies in two blocks of memory, in the order in which
// bindings/ts writes and reads it: a number is a double; a list is its length as a number, and
// then, from the next multiple of 64 bytes on, its elements. TypeScript has checked what it writes,
// so that reading cannot fail. bindings/ts/wire/core.ts alone sees the blocks, and copies what it reads.
// A list of floats that lie in the engine's memory already is minus their number, and their
// address.
//
// Blocks are kept from call to call, so that a call in a loop takes no memory. What works row by
// row changes its last argument where it lies, and answers nothing: core.ts copies that argument
// back.
#pragma once

#include <emscripten/bind.h>

#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <utility>

#include "status.h"
#include "tensor/buffer.h"
#include "tensor/view.h"

namespace wf::binding {

// What JavaScript holds by its address. It lives until JavaScript and all Kept let go of it.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  virtual ~Object() = default;
  void keep() { ++owners_; }
  void let_go();

 private:
  int owners_ = 1;
};

// An object that another needs.
template <class T>
class Kept {
 public:
  Kept() = default;
  explicit Kept(T& object) : object_(&object) { object.keep(); }
  Kept(Kept&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Kept& operator=(Kept&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Kept() {
    if (object_) object_->let_go();
  }
  T* operator->() const { return object_; }

 private:
  T* object_ = nullptr;
};

// The product of sizes, where an array of so many floats can exist at all: on a 32-bit machine the
// product itself would run over. Errors: kOutOfMemory.
Result<std::size_t> count_of(std::initializer_list<double> sizes);

// What a call was given, read piece by piece.
class Arguments {
 public:
  explicit Arguments(std::uint8_t* block) : block_(block) {}

  double number();
  int integer() { return static_cast<int>(number()); }
  bool flag() { return number() != 0; }
  std::uint64_t seed() { return static_cast<std::uint64_t>(number()); }
  template <class T>
  std::span<const T> list() {
    const auto count = static_cast<std::size_t>(number());
    return {static_cast<const T*>(skip(count * sizeof(T))), count};  // null where it is empty
  }
  std::span<const float> floats() { return list<float>(); }
  // The same where TypeScript has left it to us to look for NaN and infinities, but for those of
  // the engine's own memory, which were looked at when they came. The last list of a call may be
  // changed.
  std::span<float> finite_floats(bool allow_minus_infinity = false);
  // The same, not looked at; `forbid_not_finite` makes up for it.
  std::span<float> unseen_floats();
  void forbid_not_finite(std::span<const float> numbers, bool allow_minus_infinity = false);
  // Errors: kInvalidArgument after such a number, which TypeScript then names.
  Status status() const;
  std::span<const std::int32_t> integers() { return list<std::int32_t>(); }
  // Positions of `count` tokens, [axes, count].
  Positions positions(int count);
  template <class T>
  T& object() {
    return static_cast<T&>(*reinterpret_cast<Object*>(static_cast<std::uintptr_t>(number())));
  }

 private:
  void* skip(std::size_t bytes);

  std::uint8_t* block_;
  std::size_t read_ = 0;
  bool is_finite_ = true;
};

// What a call gives. Where memory runs out the call fails, whatever is added afterwards.
class Answer {
 public:
  void add(double number);
  void add(const char* text);
  template <class T>
  void add(std::span<const T> list) {
    add_list(list.data(), list.size(), sizeof(T));
  }
  // What new (std::nothrow) made, which JavaScript holds from now on. Errors: kOutOfMemory.
  Status add_new(Object* made);
  // A list of so many floats, to be written before anything else is added. Errors: kOutOfMemory.
  Result<float*> unwritten_floats(std::initializer_list<double> sizes);
  // The same of any kind, zeroed.
  template <class T>
  Result<T*> room(std::size_t count) {
    void* place = take_zeroed(count, sizeof(T));
    if (!place) return status_;
    return static_cast<T*>(place);
  }
  Result<float*> floats(std::initializer_list<double> sizes);
  // Makes room at once for what will be added.
  void reserve(std::size_t bytes);

  // Begins anew; memory is kept, unless it is much.
  void clear();
  // After a failure: lets go of what was made.
  void withdraw();

  const Status& status() const { return status_; }
  const std::uint8_t* block() const { return block_.data(); }

 private:
  void* take(std::size_t count, std::size_t element_size);
  void* take_zeroed(std::size_t count, std::size_t element_size);
  void add_list(const void* data, std::size_t count, std::size_t element_size);

  Buffer<std::uint8_t> block_;
  std::size_t used_ = 0;
  Object* made_ = nullptr;
  Status status_;
};

// Runs a call and keeps its answer, or the message of its failure, for JavaScript.
using Body = Status (*)(Object*, Arguments&, Answer&);
int perform(Body body, std::uintptr_t object);

// Binds a function of one of these forms:
//   Status(Self&, Arguments&, Answer&)  the object's address is given
//   Status(Arguments&, Answer&)         none is needed
//   Status(Self&, Arguments&)           completes a new object, whose address is the answer
template <auto Function>
struct Bound;
template <class Self, Status (*Function)(Self&, Arguments&, Answer&)>
struct Bound<Function> {
  static Status body(Object* self, Arguments& arguments, Answer& answer) {
    return Function(static_cast<Self&>(*self), arguments, answer);
  }
};
template <Status (*Function)(Arguments&, Answer&)>
struct Bound<Function> {
  static Status body(Object*, Arguments& arguments, Answer& answer) {
    return Function(arguments, answer);
  }
};
template <class Self, Status (*Function)(Self&, Arguments&)>
struct Bound<Function> {
  static Status body(Object*, Arguments& arguments, Answer& answer) {
    Self* made = new (std::nothrow) Self;
    WF_RETURN_IF_ERROR(answer.add_new(made));
    return Function(*made, arguments);
  }
};
template <auto Function>
void bind(const char* name) {
  emscripten::function(
      name, +[](std::uintptr_t object) { return perform(&Bound<Function>::body, object); });
}

}  // namespace wf::binding
