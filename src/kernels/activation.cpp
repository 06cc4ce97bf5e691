#include "kernels/activation.h"

#include <limits>

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

WF_INLINE Vec sigmoid(Vec x, const simd::ExponentialTerms& terms) {
  const Vec one = simd::splat(1);
  // e^-x is bounded by the clamp, so that the quotient stays finite.
  const Vec e =
      simd::exponential(simd::sub(simd::splat(0), simd::larger(x, simd::splat(-80.0f))), terms);
  return simd::div(one, simd::add(one, e));
}

}  // namespace

float sigmoid_row(float* x, int count) {
  const simd::ExponentialTerms terms;
  const Vec least = simd::splat(-80.0f);
  Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Vec v = simd::load(x + i), s = simd::zero_below(sigmoid(v, terms), v, least);
    simd::store(x + i, s);
    sums = simd::add(sums, s);
  }
  if (i < count) {
    const Vec v = simd::load_first(x + i, count - i, -std::numeric_limits<float>::infinity());
    const Vec s = simd::zero_below(sigmoid(v, terms), v, least);
    simd::store_first(x + i, s, count - i);
    sums = simd::add(sums, s);
  }
  return simd::sum(sums);
}

void swiglu(const float* gate, const float* up, std::size_t count, float* y) {
  const simd::ExponentialTerms terms;
  std::size_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Vec g = simd::load(gate + i);
    simd::store(y + i, simd::mul(simd::mul(g, sigmoid(g, terms)), simd::load(up + i)));
  }
  if (i < count) {
    const int rest = static_cast<int>(count - i);
    const Vec g = simd::load_first(gate + i, rest);
    simd::store_first(
        y + i, simd::mul(simd::mul(g, sigmoid(g, terms)), simd::load_first(up + i, rest)), rest);
  }
}

void swiglu_backward(const float* gate, const float* up, const float* d_y, std::size_t count,
                     float* d_gate, float* d_up) {
  const Vec one = simd::splat(1);
  const simd::ExponentialTerms terms;
  const auto step = [&](Vec g, Vec u, Vec d, Vec& dg, Vec& du) {
    const Vec s = sigmoid(g, terms);
    const Vec silu = simd::mul(g, s);
    du = simd::mul(d, silu);
    // silu'(g) = s · (1 + g · (1 − s))
    dg = simd::mul(simd::mul(d, u), simd::mul(s, simd::madd(g, simd::sub(one, s), one)));
  };
  std::size_t i = 0;
  Vec dg = one, du = one;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    step(simd::load(gate + i), simd::load(up + i), simd::load(d_y + i), dg, du);
    simd::store(d_gate + i, dg);
    simd::store(d_up + i, du);
  }
  if (i < count) {
    const int rest = static_cast<int>(count - i);
    step(simd::load_first(gate + i, rest), simd::load_first(up + i, rest),
         simd::load_first(d_y + i, rest), dg, du);
    simd::store_first(d_gate + i, dg, rest);
    simd::store_first(d_up + i, du, rest);
  }
}

}  // namespace wf
