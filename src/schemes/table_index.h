// A fractional index into a table, for linear interpolation between two rows.
#pragma once

#include <algorithm>

#include "kernels/simd.h"

namespace wf {

struct TableIndex {
  int low, high;  // the two rows, or both the last row
  float fraction;  // weight of row `high`
  bool is_past;  // at or after the last row, where the slope is zero

  // The index `at`, clamped to the rows 0 … last.
  WF_INLINE TableIndex(double at, int last) : low(last), high(last), fraction(0), is_past(true) {
    if (at >= last) return;
    // Clamp: rounding may give a tiny negative; overflowed logits give NaN.
    const double positive = at > 0 ? at : 0;
    low = static_cast<int>(positive);
    high = std::min(low + 1, last);
    fraction = static_cast<float>(positive - low);
    is_past = false;
  }
  WF_INLINE float mix(float of_low, float of_high) const {
    return of_low + fraction * (of_high - of_low);
  }
};

}  // namespace wf
