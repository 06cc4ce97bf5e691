#include "tensor/buffer.h"

#include <atomic>
#include <cstdlib>

namespace wf {
namespace {

constexpr std::size_t kAlignment = 64;

std::atomic<std::size_t> bytes_in_use{0};
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> byte_limit{static_cast<std::size_t>(-1)};

std::size_t rounded(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::size_t allocated_bytes() { return bytes_in_use.load(std::memory_order_relaxed); }
std::size_t allocation_count() { return allocations.load(std::memory_order_relaxed); }
void set_memory_limit(std::size_t bytes) { byte_limit.store(bytes, std::memory_order_relaxed); }

namespace {

// 64-byte aligned and zeroed; null if the allocation fails.
void* take(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::size_t before = bytes_in_use.fetch_add(size, std::memory_order_relaxed);
  const std::size_t limit = byte_limit.load(std::memory_order_relaxed);
  void* memory =
      size <= limit && before <= limit - size ? std::aligned_alloc(kAlignment, size) : nullptr;
  if (!memory) {
    bytes_in_use.fetch_sub(size, std::memory_order_relaxed);
    return nullptr;
  }
  allocations.fetch_add(1, std::memory_order_relaxed);
  std::memset(memory, 0, size);
  return memory;
}

void give_back(void* memory, std::size_t bytes) {
  std::free(memory);
  bytes_in_use.fetch_sub(rounded(bytes), std::memory_order_relaxed);
}

}  // namespace

Storage::Storage(Storage&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Storage& Storage::operator=(Storage&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Storage::~Storage() {
  if (data_) give_back(data_, bytes_);
}

Status Storage::grow(std::size_t count, std::size_t element_size) {
  if (count <= bytes_ / element_size) return {};
  Storage made;
  constexpr std::size_t kMax = static_cast<std::size_t>(-1) / 2;
  if (count <= kMax / element_size) made.data_ = take(count * element_size);
  if (!made.data_)
    return Status::error(Code::kOutOfMemory, "out of memory: %.0f bytes asked for, %.0f in use",
                         static_cast<double>(count) * static_cast<double>(element_size),
                         static_cast<double>(allocated_bytes()));
  made.bytes_ = count * element_size;
  *this = std::move(made);
  return {};
}

}  // namespace wf
