// The one allocator. A request that cannot be met is a Status, never an abort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "status.h"

namespace wf {

// Bytes held by all Buffers now, and how many allocations were ever made. Tests use the second to
// show that a hot loop does not allocate.
std::size_t allocated_bytes();
std::size_t allocation_count();

// Requests that would pass this many bytes in total are refused. Default: no limit but memory's.
void set_memory_limit(std::size_t bytes);

// Owning, fixed-size, 64-byte aligned, zero-initialised bytes. Moves, never copies. Out of line, so
// that what every element type shares stands in the program once.
class Storage {
 public:
  Storage() = default;
  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&& other) noexcept;
  ~Storage();

 protected:
  // Takes memory of `count` elements of this size, instead of what it held, unless there are as
  // many. Errors: kOutOfMemory, which says how many bytes were asked for.
  Status grow(std::size_t count, std::size_t element_size);

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Storage of elements of a type.
template <class T>
class Buffer : public Storage {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // `count` elements. Errors: kOutOfMemory.
  static Result<Buffer> make(std::size_t count) {
    Buffer buffer;
    WF_RETURN_IF_ERROR(buffer.grow(count, sizeof(T)));
    return buffer;
  }

  // Grows to hold at least `count` elements; what it held is lost when it grows.
  Status reserve(std::size_t count) { return grow(count, sizeof(T)); }

  T* data() { return static_cast<T*>(data_); }
  const T* data() const { return static_cast<const T*>(data_); }
  std::size_t size() const { return bytes_ / sizeof(T); }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  void fill_zero() {
    if (bytes_) std::memset(data_, 0, bytes_);
  }
};

}  // namespace wf
