// The two vector operations that everything else leans on.
#pragma once

#include "kernels/simd.h"

namespace wf {

// Σ a·b over `count` floats.
inline float dot(const float* a, const float* b, int count) {
  simd::Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    sums = simd::madd(simd::load(a + i), simd::load(b + i), sums);
  float total = simd::sum(sums);
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

// y += factor · x.
inline void add_scaled(float factor, const float* x, int count, float* y) {
  const simd::Vec f = simd::splat(factor);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(y + i, simd::madd(f, simd::load(x + i), simd::load(y + i)));
  for (; i < count; ++i) y[i] += factor * x[i];
}

}  // namespace wf
