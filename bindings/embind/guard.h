// The only place where errors and memory cross into JavaScript.
//
// Errors: bound functions never throw. A Status that is not ok is remembered here, the function
// answers undefined, null or false, and the TypeScript wrapper asks for code and message.
// Memory: numbers come in and go out as copies, each made in one statement. A view of wasm memory
// never leaves this file, because growth of the memory would cut it off without a word.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "status.h"
#include "tensor/buffer.h"
#include "tensor/view.h"

namespace wf::binding {

using emscripten::val;

// Remembers a failure for last_error. True when there is none.
bool passed(const Status& status);
const Status& last_error();

// The product of sizes, where an array of so many floats can exist at all: on a 32-bit machine the
// product itself would run over. Errors: kOutOfMemory.
Result<std::size_t> count_of(std::initializer_list<double> sizes);

// A number array of JavaScript (typed or plain), copied. Errors: kOutOfMemory.
Result<Buffer<float>> floats_from(const val& array);
Result<Buffer<std::int32_t>> integers_from(const val& array);
Result<Buffer<std::uint8_t>> bytes_from(const val& array);

// Positions of `count` tokens as TypeScript lays them out, [axes, count].
inline Positions positions_of(const Buffer<std::int32_t>& list, int count) {
  return {list.data(), count, count > 0 ? static_cast<int>(list.size()) / count : 1};
}

// Copies that JavaScript owns.
val float32_array(const float* data, std::size_t count);
val int32_array(const std::int32_t* data, std::size_t count);
val uint8_array(const std::uint8_t* data, std::size_t count);

// A Float32Array filled piece by piece.
class FloatArrayOut {
 public:
  explicit FloatArrayOut(std::size_t count)
      : array_(val::global("Float32Array").new_(static_cast<double>(count))) {}
  void append(const float* data, std::size_t count);
  void skip(std::size_t count) { filled_ += count; }  // leaves zeros
  const val& array() const { return array_; }

 private:
  val array_;
  std::size_t filled_ = 0;
};

// `new` that cannot throw, for the objects behind JavaScript's handles.
template <class T, class... Arguments>
Result<std::unique_ptr<T>> new_handle(Arguments&&... arguments) {
  std::unique_ptr<T> handle(new (std::nothrow) T(std::forward<Arguments>(arguments)...));
  if (!handle) return Status::error(Code::kOutOfMemory, "out of memory: a handle");
  return handle;
}

// What JavaScript sees of a fallible result.
inline bool answer(const Status& status) { return passed(status); }
inline val answer(Result<val> result) {
  return passed(result.status()) ? result.take() : val::undefined();
}
template <class T>
T* answer(Result<std::unique_ptr<T>> result) {
  return passed(result.status()) ? result.take().release() : nullptr;
}

// A fallible function or method, in the form that Embind binds.
template <auto Function>
struct Guarded;
template <class R, class... Arguments, R (*Function)(Arguments...)>
struct Guarded<Function> {
  static auto call(Arguments... arguments) {
    return answer(Function(std::forward<Arguments>(arguments)...));
  }
};
template <class R, class Self, class... Arguments, R (Self::*Method)(Arguments...)>
struct Guarded<Method> {
  static auto call(Self& self, Arguments... arguments) {
    return answer((self.*Method)(std::forward<Arguments>(arguments)...));
  }
};
template <class R, class Self, class... Arguments, R (Self::*Method)(Arguments...) const>
struct Guarded<Method> {
  static auto call(const Self& self, Arguments... arguments) {
    return answer((self.*Method)(std::forward<Arguments>(arguments)...));
  }
};
template <auto Function>
constexpr auto guarded = &Guarded<Function>::call;

}  // namespace wf::binding
