#include "kernels/softmax.h"

#include <algorithm>
#include <limits>

#include "kernels/simd.h"

namespace wf {

using simd::Vec;

float row_maximum(const float* row, int count) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  Vec max = simd::splat(kLowest);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) max = simd::larger(max, simd::load(row + i));
  if (i < count) max = simd::larger(max, simd::load_first(row + i, count - i, kLowest));
  return simd::largest(max);
}

namespace {

// The sum of e^(row - shift); also writes the exponentials to `out` unless it is null.
float exponential_sum(const float* row, float* out, int count, float shift) {
  const Vec offset = simd::splat(shift);
  const simd::ExponentialTerms terms;
  // Two vectors at a time, since each exponential is a long dependency chain.
  Vec sums = simd::splat(0), more = sums;
  int i = 0;
  for (; i + 2 * simd::kLanes <= count; i += 2 * simd::kLanes) {
    const Vec e = simd::exponential(simd::sub(simd::load(row + i), offset), terms);
    const Vec f = simd::exponential(simd::sub(simd::load(row + i + simd::kLanes), offset), terms);
    if (out) simd::store(out + i, e);
    if (out) simd::store(out + i + simd::kLanes, f);
    sums = simd::add(sums, e);
    more = simd::add(more, f);
  }
  sums = simd::add(sums, more);
  for (; i < count; i += simd::kLanes) {
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    const int left = std::min(count - i, simd::kLanes);
    const Vec e =
        simd::exponential(simd::sub(simd::load_first(row + i, left, kLowest), offset), terms);
    if (out) simd::store_first(out + i, e, left);
    sums = simd::add(sums, e);
  }
  return simd::sum(sums);
}

}  // namespace

float exponentials(float* row, int count, float shift) {
  return exponential_sum(row, row, count, shift);
}

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
