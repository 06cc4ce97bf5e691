// Reads a fuzzer's bytes as one number after another; past the end all numbers are 0.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace wf::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  template <class T>
  T take() {
    T value = {};
    const std::size_t size = sizeof(T) < left_.size() ? sizeof(T) : left_.size();
    if (size) std::memcpy(&value, left_.data(), size);
    left_ = left_.subspan(size);
    return value;
  }
  std::span<const std::uint8_t> rest() const { return left_; }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace wf::fuzz
