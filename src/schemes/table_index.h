// A place between two rows of a table, which are mixed.
#pragma once

#include <algorithm>

#include "kernels/simd.h"

namespace wf {

struct TableIndex {
  int low, high;   // neighbours, or both the last row
  float fraction;  // of `high`
  bool is_past;    // at the last row or beyond it, where the place has no slope

  // Where `at` falls among the rows 0 … last.
  WF_INLINE TableIndex(double at, int last) : low(last), high(last), fraction(0), is_past(true) {
    if (at >= last) return;
    // A count from which was subtracted again may lie a hair below zero; one of logits that
    // overflowed is no number.
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
