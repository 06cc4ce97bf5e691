#include "call.h"

#include "kernels/dot.h"

#include <emscripten/heap.h>

#include <cstring>

namespace wf::binding {
namespace {

// Of the 2 GiB that the module may grow to, what is left for the stack and for objects that are too
// small to be worth counting: those could not report that they failed.
constexpr std::size_t kMostBufferBytes = (std::size_t{2} << 30) - (std::size_t{32} << 20);

// A block that is larger is given back after the call.
constexpr std::size_t kMostKeptBytes = std::size_t{16} << 20;

void trim(Buffer<std::uint8_t>& block) {
  if (block.size() > kMostKeptBytes) block = {};
}

Buffer<std::uint8_t> incoming;
Answer outgoing;
Status last;

std::size_t rounded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) & -unit; }

// Address of memory for the arguments of the next call; 0 where it is refused.
std::uintptr_t argument_block(std::size_t bytes) {
  if (!incoming.reserve(bytes).ok()) return 0;
  return reinterpret_cast<std::uintptr_t>(incoming.data());
}

// Address of what the last call answered, or of the message of its failure.
std::uintptr_t answer_block() {
  return last.ok() ? reinterpret_cast<std::uintptr_t>(outgoing.block())
                   : reinterpret_cast<std::uintptr_t>(last.message());
}

void forget_answer() {
  outgoing.clear();
  trim(incoming);
}

Status memory_bytes(Arguments&, Answer& answer) {
  answer.add(static_cast<double>(emscripten_get_heap_size()));
  return {};
}

Status dispose(Object& object, Arguments&, Answer&) {
  object.let_go();
  return {};
}

}  // namespace

void Object::let_go() {
  if (--owners_ == 0) delete this;
}

Result<std::size_t> count_of(std::initializer_list<double> sizes) {
  double count = 1;
  for (const double size : sizes) count *= size;
  if (count * sizeof(float) > static_cast<double>(INT32_MAX))
    return Status::error(Code::kOutOfMemory, "out of memory: %.0f numbers asked for", count);
  return static_cast<std::size_t>(count);
}

std::span<float> Arguments::unseen_floats() {
  const double count = number();
  if (count < 0)
    return {reinterpret_cast<float*>(static_cast<std::uintptr_t>(number())),
            static_cast<std::size_t>(-count)};
  const auto size = static_cast<std::size_t>(count);
  return {static_cast<float*>(skip(size * sizeof(float))), size};
}

std::span<float> Arguments::finite_floats(bool allow_minus_infinity) {
  const std::span<float> numbers = unseen_floats();
  forbid_not_finite(numbers, allow_minus_infinity);
  return numbers;
}

void Arguments::forbid_not_finite(std::span<const float> numbers, bool allow_minus_infinity) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
  const bool is_in_block = bytes >= block_ && bytes < block_ + read_;
  if (is_in_block)
    is_finite_ = is_finite_ && all_finite(numbers.data(), numbers.size(), allow_minus_infinity);
}

Status Arguments::status() const {
  if (is_finite_) return {};
  return Status::error(Code::kInvalidArgument, "NaN or infinity; allowed are finite numbers");
}

double Arguments::number() {
  double number;
  std::memcpy(&number, block_ + read_, sizeof(number));
  read_ += sizeof(number);
  return number;
}

void* Arguments::skip(std::size_t bytes) {
  const std::size_t first = rounded(read_, 64);
  read_ = rounded(first + bytes, sizeof(double));
  return bytes ? block_ + first : nullptr;
}

Positions Arguments::positions(int count) {
  const std::span<const std::int32_t> list = integers();
  return {list.data(), count, count > 0 ? static_cast<int>(list.size()) / count : 1};
}

void Answer::reserve(std::size_t bytes) {
  if (!status_.ok() || used_ + bytes <= block_.size()) return;
  auto larger = Buffer<std::uint8_t>::make(used_ + bytes);
  status_ = larger.status();
  if (!larger.ok()) return;
  if (used_) std::memcpy(larger.value().data(), block_.data(), used_);
  block_ = larger.take();
}

void Answer::add(double number) {
  constexpr std::size_t kStep = 4096;
  if (used_ + sizeof(number) > block_.size()) reserve(kStep);
  if (!status_.ok()) return;
  std::memcpy(block_.data() + used_, &number, sizeof(number));
  used_ += sizeof(number);
}

void* Answer::take(std::size_t count, std::size_t element_size) {
  add(static_cast<double>(count));
  const std::size_t first = rounded(used_, 64);
  const std::size_t end = rounded(first + count * element_size, sizeof(double));
  reserve(end - used_);
  if (!status_.ok()) return nullptr;
  used_ = end;
  return block_.data() + first;
}

void* Answer::take_zeroed(std::size_t count, std::size_t element_size) {
  void* place = take(count, element_size);
  if (place) std::memset(place, 0, count * element_size);
  return place;
}

Result<float*> Answer::unwritten_floats(std::initializer_list<double> sizes) {
  WF_ASSIGN_OR_RETURN(const std::size_t count, count_of(sizes));
  void* place = take(count, sizeof(float));
  if (!place) return status_;
  return static_cast<float*>(place);
}

Result<float*> Answer::floats(std::initializer_list<double> sizes) {
  WF_ASSIGN_OR_RETURN(const std::size_t count, count_of(sizes));
  return room<float>(count);
}

void Answer::add_list(const void* data, std::size_t count, std::size_t element_size) {
  void* place = take(count, element_size);
  if (place && count) std::memcpy(place, data, count * element_size);
}

void Answer::add(const char* text) { add_list(text, std::strlen(text), 1); }

void Answer::withdraw() {
  if (made_) made_->let_go();
  clear();
}

void Answer::clear() {
  trim(block_);
  used_ = 0;
  made_ = nullptr;
  status_ = {};
}

Status Answer::add_new(Object* made) {
  if (!made) return Status::error(Code::kOutOfMemory, "out of memory: an object");
  made_ = made;
  add(static_cast<double>(reinterpret_cast<std::uintptr_t>(made)));
  return status_;
}

int perform(Body body, std::uintptr_t object) {
  Arguments arguments(incoming.data());
  last = body(reinterpret_cast<Object*>(object), arguments, outgoing);
  if (last.ok()) last = outgoing.status();
  if (!last.ok()) outgoing.withdraw();
  return static_cast<int>(last.code());
}

}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(call) {
  using namespace wf::binding;
  wf::set_memory_limit(kMostBufferBytes);
  emscripten::function("argumentBlock", &argument_block);
  emscripten::function("answerBlock", &answer_block);
  emscripten::function("forgetAnswer", &forget_answer);
  bind<&memory_bytes>("memoryBytes");
  bind<&dispose>("dispose");
}
