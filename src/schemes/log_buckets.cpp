#include "schemes/log_buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace wf {
namespace {

// The first distance from `start` on that is after bucket number `bucket` past the middle.
int first_past(int bucket, int start, int middle, double whole) {
  const auto reaches = [&](int size) {
    const double fractional = std::log(static_cast<double>(size) / middle) / whole * (middle - 1);
    return std::ceil(fractional) > static_cast<double>(bucket);
  };
  int past = INT32_MAX;
  while (start < past) {
    const int half = start + (past - start) / 2;
    if (reaches(half))
      past = half;
    else
      start = half + 1;
  }
  return start;
}

}  // namespace

// Precomputes a table: two logarithms for each logit would cost more than its products.
Result<LogBuckets> LogBuckets::make(int buckets, int max_distance, bool clamps) {
  LogBuckets made;
  made.middle_ = buckets / 2;
  const int count = clamps ? std::max(made.middle_ - 1, 0) : buckets - made.middle_;
  WF_RETURN_IF_ERROR(made.starts_.reserve(count));
  const double whole = std::log(static_cast<double>(max_distance - 1) / made.middle_);
  int start = made.middle_ + 1;
  for (int i = 0; i < count; ++i)
    made.starts_[i] = start = first_past(i, start, made.middle_, whole);
  return made;
}

int LogBuckets::of(int offset) const {
  const int size = std::abs(offset);
  if (middle_ == 0 || size <= middle_) return offset;
  const int* past = std::upper_bound(starts_.begin(), starts_.end(), size);
  const int bucket = middle_ + static_cast<int>(past - starts_.begin());
  return offset < 0 ? -bucket : bucket;
}

}  // namespace wf
