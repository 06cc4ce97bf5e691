// The only allocator. Failed requests return a Status and never abort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "status.h"

namespace wf {

// Bytes held by all Buffers now, and the number of allocations so far; the latter lets tests show
// that a hot loop does not allocate.
std::size_t allocated_bytes();
std::size_t allocation_count();

// Refuses requests that would bring the total above this many bytes. Default: no limit.
void set_memory_limit(std::size_t bytes);

// Owned, fixed-size, 64-byte aligned, zero-initialised bytes. Can be moved, not copied. Not inline,
// so that all element types share one copy of the code.
class Storage {
 public:
  Storage() = default;
  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&& other) noexcept;
  ~Storage();

 protected:
  // Replaces the memory by `count` elements of this size, unless it has that many already. Errors:
  // kOutOfMemory, with the number of bytes in the message.
  Status grow(std::size_t count, std::size_t element_size);

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Storage of elements of type T.
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

  // Grows to hold at least `count` elements; growing discards the contents.
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
