#include "guard.h"

namespace wf::binding {
namespace {

Status last;

template <class T>
Result<Buffer<T>> copied_in(const val& array) {
  const auto count = array["length"].as<double>();
  WF_ASSIGN_OR_RETURN(Buffer<T> buffer, Buffer<T>::make(static_cast<std::size_t>(count)));
  const val target(emscripten::typed_memory_view(buffer.size(), buffer.data()));
  target.template call<void>("set", array);
  return buffer;
}

template <class T>
val copied_out(const T* data, std::size_t count) {
  return val(emscripten::typed_memory_view(count, data)).template call<val>("slice");
}

}  // namespace

bool passed(const Status& status) {
  if (!status.ok()) last = status;
  return status.ok();
}

const Status& last_error() { return last; }

Result<std::size_t> count_of(std::initializer_list<double> sizes) {
  double count = 1;
  for (const double size : sizes) count *= size;
  if (count * sizeof(float) > static_cast<double>(INT32_MAX))
    return Status::error(Code::kOutOfMemory, "out of memory: %.0f numbers asked for", count);
  return static_cast<std::size_t>(count);
}

Result<Buffer<float>> floats_from(const val& array) { return copied_in<float>(array); }
Result<Buffer<std::int32_t>> integers_from(const val& array) {
  return copied_in<std::int32_t>(array);
}
Result<Buffer<std::uint8_t>> bytes_from(const val& array) { return copied_in<std::uint8_t>(array); }

val float32_array(const float* data, std::size_t count) { return copied_out(data, count); }
val int32_array(const std::int32_t* data, std::size_t count) { return copied_out(data, count); }
val uint8_array(const std::uint8_t* data, std::size_t count) { return copied_out(data, count); }

void FloatArrayOut::append(const float* data, std::size_t count) {
  array_.call<void>("set", val(emscripten::typed_memory_view(count, data)),
                    static_cast<double>(filled_));
  filled_ += count;
}

}  // namespace wf::binding
