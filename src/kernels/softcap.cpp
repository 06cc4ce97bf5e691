#include "kernels/softcap.h"

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

// tanh(y) = 1 - 2 / (e^(2y) + 1); beyond ±20 it is ±1 in float32, and e^(2y) stays finite.
WF_INLINE Vec hyperbolic_tangent(Vec y, const simd::ExponentialTerms& terms) {
  const Vec bounded = simd::smaller(simd::larger(y, simd::splat(-20.0f)), simd::splat(20.0f));
  const Vec e = simd::exponential(simd::add(bounded, bounded), terms);
  return simd::sub(simd::splat(1.0f),
                   simd::div(simd::splat(2.0f), simd::add(e, simd::splat(1.0f))));
}

}  // namespace

void softcap_row(float* row, int count, float cap) {
  const simd::ExponentialTerms terms;
  const Vec c = simd::splat(cap), inverse = simd::splat(1 / cap);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes)
    simd::store(row + i,
                simd::mul(c, hyperbolic_tangent(simd::mul(simd::load(row + i), inverse), terms)));
  if (i < count) {
    const Vec x = simd::load_first(row + i, count - i);
    simd::store_first(row + i, simd::mul(c, hyperbolic_tangent(simd::mul(x, inverse), terms)),
                      count - i);
  }
}

void softcap_row_backward(const float* capped, int count, float cap, float* d) {
  for (int i = 0; i < count; ++i) {
    const float ratio = capped[i] / cap;
    d[i] *= 1 - ratio * ratio;
  }
}

}  // namespace wf
