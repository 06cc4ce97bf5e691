// Reads the arrays of one call from a workspace and stores the first error, so that a call reads
// all its arguments and then checks once whether it may start.
#pragma once

#include <initializer_list>

#include "calls/workspace.h"
#include "tensor/view.h"

namespace wf::calls {

// The product of sizes, if an array of that many floats is possible: on a 32-bit machine the
// product may overflow. Errors: kInvalidArgument for a negative size or NaN, kOutOfMemory.
Result<std::size_t> count_of(std::initializer_list<double> sizes);

// Errors: kInvalidArgument `name: value; allowed is min to max`, if the value is out of range.
Status check_range(const char* name, double value, double min, double max);

// Converts a whole number from 0 on that a double represents exactly.
Result<std::uint64_t> seed_of(double seed);

class Reader {
 public:
  explicit Reader(const Workspace& workspace) : workspace_(workspace) {}

  // An array in the block; null after an error. Refuses arrays that are not entirely in the block,
  // or not aligned to their element's size.
  template <class T>
  std::span<T> list(const char* name, List given) {
    return {static_cast<T*>(in_block(name, given, sizeof(T))), length_of(given)};
  }
  std::span<const std::int32_t> integers(const char* name, List given) {
    return list<const std::int32_t>(name, given);
  }
  // As many elements as the product of the sizes, each of which is at least 1.
  template <class T>
  T* array(const char* name, List given, std::initializer_list<double> sizes) {
    check_count(name, given, sizes);
    return list<T>(name, given).data();
  }
  // The array of a result: also refuses one that overlaps an array read before, which would change
  // after it was checked.
  template <class T>
  T* result(const char* name, List given, std::initializer_list<double> sizes) {
    T* address = array<T>(name, given, sizes);
    forbid_overlap(name, given, sizeof(T));
    return address;
  }
  // Floats of the block or of a tensor, of these sizes. Does not check that they are finite: see
  // forbid_not_finite.
  const float* floats(const char* name, List given, std::initializer_list<double> sizes);
  // Null if the list is empty, otherwise as `floats`.
  const float* optional_floats(const char* name, List given, std::initializer_list<double> sizes) {
    return given.length ? floats(name, given, sizes) : nullptr;
  }
  // Positions [axes,count] of tokens, limited so that the difference of any two, plus one, fits in
  // an int.
  Positions positions(const char* name, List given, int count);

  // Refuses NaN and infinities. Skips tensors, which were checked when they were created.
  void forbid_not_finite(List given, bool allow_minus_infinity = false);
  void refuse(Status status) {
    if (status_.ok()) status_ = status;
  }

  const Status& status() const { return status_; }

 private:
  static constexpr int kMaxRead = 12;  // lists of one call

  void* in_block(const char* name, List given, std::size_t element_size);
  void forbid_overlap(const char* name, List given, std::size_t element_size);
  void check_count(const char* name, List given, std::initializer_list<double> sizes);
  std::size_t length_of(List given) const {
    return status_.ok() && given.length > 0 ? static_cast<std::size_t>(given.length) : 0;
  }

  const Workspace& workspace_;
  Status status_;
  int read_count_ = 0;
  struct {
    std::uintptr_t first;
    std::uint64_t bytes;
  } read_[kMaxRead];
};

}  // namespace wf::calls
