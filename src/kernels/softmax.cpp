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

float exponentials(float* row, int count, float shift) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const Vec offset = simd::splat(shift);
  const simd::ExponentialTerms terms;
  Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Vec e = simd::exponential(simd::sub(simd::load(row + i), offset), terms);
    simd::store(row + i, e);
    sums = simd::add(sums, e);
  }
  if (i < count) {
    const Vec e = simd::exponential(simd::sub(simd::load_first(row + i, count - i, kLowest), offset), terms);
    simd::store_first(row + i, e, count - i);
    sums = simd::add(sums, e);
  }
  return simd::sum(sums);
}

float sum_of_exponentials(const float* row, int count, float shift) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const Vec offset = simd::splat(shift);
  const simd::ExponentialTerms terms;
  Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    sums = simd::add(sums, simd::exponential(simd::sub(simd::load(row + i), offset), terms));
  if (i < count)
    sums = simd::add(sums, simd::exponential(simd::sub(simd::load_first(row + i, count - i, kLowest), offset), terms));
  return simd::sum(sums);
}

void scale_row(float* row, int count, float factor) {
  const Vec f = simd::splat(factor);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(row + i, simd::mul(simd::load(row + i), f));
  for (; i < count; ++i) row[i] *= factor;
}

}  // namespace wf
