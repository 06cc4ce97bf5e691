// The value of an option that is a list of numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "tensor/buffer.h"

namespace wf {

// The number of pairs of the widest head.
constexpr std::size_t kMaxListNumbers = 2048;

// Immutable and shared by its copies, so that copying cannot fail and a config stays small.
class NumberList {
 public:
  NumberList() = default;
  // A copy of `numbers`. Errors: kOutOfMemory.
  static Result<NumberList> make(std::span<const double> numbers);

  NumberList(const NumberList& other) : shared_(other.shared_) {
    if (shared_) ++shared_->owners;
  }
  NumberList(NumberList&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  NumberList& operator=(NumberList other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~NumberList() {
    if (shared_ && --shared_->owners == 0) delete shared_;
  }

  std::span<const double> numbers() const {
    return shared_ ? std::span<const double>(shared_->numbers.data(), shared_->numbers.size())
                   : std::span<const double>();
  }
  bool operator==(const NumberList& other) const {
    return std::ranges::equal(numbers(), other.numbers());
  }

 private:
  struct Shared {
    std::atomic<int> owners{1};
    Buffer<double> numbers;
  };
  Shared* shared_ = nullptr;
};

}  // namespace wf
