#include "kernels/softmax.h"

#include <limits>

#include "kernels/simd.h"

namespace wf {

using simd::Vec;

float row_maximum(const float* row, int count) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  Vec most = simd::splat(kLowest);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) most = simd::larger(most, simd::load(row + i));
  if (i < count) most = simd::larger(most, simd::load_first(row + i, count - i, kLowest));
  return simd::largest(most);
}

namespace {

// The sum of e^(row - shift), which is also written to `out` where there is one.
float exponential_sum(const float* row, float* out, int count, float shift) {
  const Vec offset = simd::splat(shift);
  const simd::ExponentialTerms terms;
  Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Vec e = simd::exponential(simd::sub(simd::load(row + i), offset), terms);
    if (out) simd::store(out + i, e);
    sums = simd::add(sums, e);
  }
  if (i < count) {
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    const Vec e = simd::exponential(simd::sub(simd::load_first(row + i, count - i, kLowest), offset), terms);
    if (out) simd::store_first(out + i, e, count - i);
    sums = simd::add(sums, e);
  }
  return simd::sum(sums);
}

}  // namespace

float exponentials(float* row, int count, float shift) { return exponential_sum(row, row, count, shift); }

float sum_of_exponentials(const float* row, int count, float shift) {
  return exponential_sum(row, nullptr, count, shift);
}

void scale_row(float* row, int count, float factor) {
  const Vec f = simd::splat(factor);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(row + i, simd::mul(simd::load(row + i), f));
  for (; i < count; ++i) row[i] *= factor;
}

}  // namespace wf
