#include "kernels/dot.h"

#include <limits>

#include "kernels/simd.h"

namespace wf {

float dot(const float* a, const float* b, int count) {
  using namespace simd;
  Vec sums[4] = {splat(0), splat(0), splat(0), splat(0)};
  int i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes)
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s)
      sums[s] = madd(load(a + i + s * kLanes), load(b + i + s * kLanes), sums[s]);
  for (; i + kLanes <= count; i += kLanes) sums[0] = madd(load(a + i), load(b + i), sums[0]);
  float total = sum(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

void dot_two(const float* a, const float* b, std::ptrdiff_t stride, int count, float (&sums)[2]) {
  using namespace simd;
  Vec partial[4] = {splat(0), splat(0), splat(0), splat(0)};
  int i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes)
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s)
      partial[s] = madd(load(a + i + s / 2 * kLanes), load(b + i + s / 2 * kLanes + s % 2 * stride),
                        partial[s]);
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r) {
    sums[r] = sum(add(partial[r], partial[2 + r]));
    for (int rest = i; rest < count; ++rest) sums[r] += a[rest] * b[r * stride + rest];
  }
}

float sum_of(const float* x, int count) {
  using namespace simd;
  Vec sums[4] = {splat(0), splat(0), splat(0), splat(0)};
  int i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes)
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) sums[s] = add(load(x + i + s * kLanes), sums[s]);
  for (; i + kLanes <= count; i += kLanes) sums[0] = add(load(x + i), sums[0]);
  float total = sum(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
  for (; i < count; ++i) total += x[i];
  return total;
}

namespace {

// Σ x · 0: NaN if a number is not finite. Four separate sums, since an addition waits for the
// previous one; with eight, V8 spills registers to memory, as it loads all operands of a block
// first.
template <bool kAllowMinusInfinity>
float sum_of_zeros(const float* x, std::size_t count) {
  constexpr int kSums = 4;
  constexpr float kMin = -std::numeric_limits<float>::max();
  const simd::Vec zero = simd::splat(0), min = simd::splat(kMin);
  simd::Vec sums[kSums];
  for (simd::Vec& sum : sums) sum = zero;
  std::size_t i = 0;
  for (; i + kSums * simd::kLanes <= count; i += kSums * simd::kLanes)
#pragma GCC unroll 4
    for (int s = 0; s < kSums; ++s) {
      const simd::Vec v = simd::load(x + i + s * simd::kLanes);
      sums[s] = simd::madd(kAllowMinusInfinity ? simd::larger(v, min) : v, zero, sums[s]);
    }
  simd::Vec all = zero;
  for (const simd::Vec& sum : sums) all = simd::add(all, sum);
  float total = simd::sum(all);
  for (; i < count; ++i) total += (kAllowMinusInfinity && x[i] < kMin ? kMin : x[i]) * 0;
  return total;
}

}  // namespace

bool all_finite(const float* x, std::size_t count, bool allow_minus_infinity) {
  return (allow_minus_infinity ? sum_of_zeros<true>(x, count) : sum_of_zeros<false>(x, count)) == 0;
}

void add_scaled(float factor, const float* x, int count, float* y) {
  const simd::Vec f = simd::splat(factor);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(y + i, simd::madd(f, simd::load(x + i), simd::load(y + i)));
  for (; i < count; ++i) y[i] += factor * x[i];
}

void add_two_scaled(const float (&factors)[2], const float* x, std::ptrdiff_t stride, int count,
                    float* y) {
  const simd::Vec first = simd::splat(factors[0]), second = simd::splat(factors[1]);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const simd::Vec sum = simd::madd(first, simd::load(x + i), simd::load(y + i));
    simd::store(y + i, simd::madd(second, simd::load(x + stride + i), sum));
  }
  for (; i < count; ++i) y[i] += factors[0] * x[i] + factors[1] * x[stride + i];
}

void add_constant(float number, int count, float* y) {
  const simd::Vec n = simd::splat(number);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(y + i, simd::add(simd::load(y + i), n));
  for (; i < count; ++i) y[i] += number;
}

void add_to(const float* x, int count, float* y) {
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(y + i, simd::add(simd::load(x + i), simd::load(y + i)));
  for (; i < count; ++i) y[i] += x[i];
}

void add_raised(const float* x, float number, int count, float* y) {
  const simd::Vec n = simd::splat(number);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(y + i, simd::add(simd::add(simd::load(x + i), n), simd::load(y + i)));
  for (; i < count; ++i) y[i] += x[i] + number;
}

}  // namespace wf
