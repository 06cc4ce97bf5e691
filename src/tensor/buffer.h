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

namespace detail {
void* allocate(std::size_t bytes);  // 64-byte aligned, zeroed; null when refused
void release(void* memory, std::size_t bytes);
}  // namespace detail

// Owning, fixed-size, 64-byte aligned, zero-initialised storage. Moves, never copies.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (data_) detail::release(data_, size_ * sizeof(T));
  }

  // `count` elements. Errors: kOutOfMemory, which says how many bytes were asked for.
  static Result<Buffer> make(std::size_t count) {
    Buffer buffer;
    if (count == 0) return buffer;
    constexpr std::size_t kMost = static_cast<std::size_t>(-1) / 2 / sizeof(T);
    if (count <= kMost) buffer.data_ = static_cast<T*>(detail::allocate(count * sizeof(T)));
    if (!buffer.data_) {
      return Status::error(Code::kOutOfMemory, "out of memory: %.0f bytes asked for, %.0f in use",
                           static_cast<double>(count) * sizeof(T),
                           static_cast<double>(allocated_bytes()));
    }
    buffer.size_ = count;
    return buffer;
  }

  // Grows to hold at least `count` elements; what it held is lost when it grows.
  Status reserve(std::size_t count) {
    if (count <= size_) return {};
    WF_ASSIGN_OR_RETURN(Buffer larger, make(count));
    *this = std::move(larger);
    return {};
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  void fill_zero() {
    if (size_) std::memset(static_cast<void*>(data_), 0, size_ * sizeof(T));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace wf
