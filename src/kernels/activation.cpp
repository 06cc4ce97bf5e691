#include "kernels/activation.h"

#include <algorithm>
#include <limits>

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

WF_INLINE Vec sigmoid(Vec x, const simd::ExponentialTerms& terms) {
  const Vec one = simd::splat(1);
  // The clamp bounds e^-x, so that the quotient stays finite.
  const Vec e =
      simd::exponential(simd::sub(simd::splat(0), simd::larger(x, simd::splat(-80.0f))), terms);
  return simd::div(one, simd::add(one, e));
}

// An activation and its slope at x.
struct Point {
  Vec value, slope;
};

// x · sigmoid(u(x)), where `rise` is u'.
WF_INLINE Point swish(Vec x, Vec u, Vec rise, const simd::ExponentialTerms& terms) {
  const Vec s = sigmoid(u, terms);
  // s + x · s · (1 − s) · u'
  const Vec relative_slope = simd::mul(simd::mul(x, rise), simd::sub(simd::splat(1), s));
  return {simd::mul(x, s), simd::madd(s, relative_slope, s)};
}

// Uses erfc(|x| / √2) (Abramowitz & Stegun 7.1.26, error 1.5e-7); half of it is the normal
// distribution's tail beyond |x|, so x's sign needs no branch.
WF_INLINE Point gelu(Vec x, const simd::ExponentialTerms& terms) {
  const Vec zero = simd::splat(0), one = simd::splat(1);
  const Vec size = simd::larger(x, simd::sub(zero, x));
  const Vec t =
      simd::div(one, simd::madd(size, simd::splat(0.3275911f * 0.70710678118654752f), one));
  Vec sum = simd::splat(0.5f * 1.061405429f);
  sum = simd::madd(sum, t, simd::splat(0.5f * -1.453152027f));
  sum = simd::madd(sum, t, simd::splat(0.5f * 1.421413741f));
  sum = simd::madd(sum, t, simd::splat(0.5f * -0.284496736f));
  sum = simd::madd(sum, t, simd::splat(0.5f * 0.254829592f));
  const Vec bell = simd::exponential(simd::mul(simd::mul(x, x), simd::splat(-0.5f)), terms);
  const Vec beyond = simd::mul(simd::mul(sum, t), bell);
  const Vec right = simd::zero_below(one, x, zero);
  const Vec below = simd::madd(simd::sub(one, simd::add(right, right)), beyond, right);
  return {simd::sub(simd::larger(x, zero), simd::mul(size, beyond)),
          simd::madd(simd::mul(x, simd::splat(0.39894228040143268f)), bell, below)};
}

WF_INLINE Point gelu_tanh(Vec x, const simd::ExponentialTerms& terms) {
  // (1 + tanh u) / 2 is sigmoid(2u), u = √(2/π) (x + 0.044715 x³).
  const Vec twice = simd::splat(1.5957691216057308f), cubic = simd::splat(0.0713548162726f);
  const Vec square = simd::mul(x, x);
  const Vec u = simd::mul(x, simd::madd(square, cubic, twice));
  return swish(x, u, simd::madd(square, simd::splat(3 * 0.0713548162726f), twice), terms);
}

template <Activation which>
WF_INLINE Point point(Vec x, const simd::ExponentialTerms& terms) {
  const Vec zero = simd::splat(0), one = simd::splat(1), sharp = simd::splat(1.702f);
  const Vec positive = simd::larger(x, zero);
  switch (which) {
    case Activation::kSilu:
      return swish(x, x, one, terms);
    case Activation::kGelu:
      return gelu(x, terms);
    case Activation::kGeluTanh:
      return gelu_tanh(x, terms);
    case Activation::kGeluSigmoid:
      return swish(x, simd::mul(x, sharp), sharp, terms);
    case Activation::kRelu:
      return {positive, simd::zero_below(one, x, zero)};
    case Activation::kReluSquared:
      return {simd::mul(positive, positive), simd::add(positive, positive)};
  }
}

WF_INLINE Vec load_some(const float* p, int count) {
  return count == simd::kLanes ? simd::load(p) : simd::load_first(p, count);
}
WF_INLINE void store_some(float* p, Vec v, int count) {
  if (count == simd::kLanes)
    simd::store(p, v);
  else
    simd::store_first(p, v, count);
}

// Writes y from x, or, if there is a d_y, d_x and d_factor. One body serves forward, backward and
// the tail, since each is a handful of instructions beside the exponential.
template <Activation which>
void run(const float* x, const float* factor, const float* d_y, std::size_t count, float* y,
         float* d_factor) {
  const simd::ExponentialTerms terms;
  for (std::size_t i = 0; i < count; i += simd::kLanes) {
    const int n = static_cast<int>(std::min<std::size_t>(simd::kLanes, count - i));
    const Point at = point<which>(load_some(x + i, n), terms);
    Vec result = at.value;
    if (d_y) {
      const Vec d = load_some(d_y + i, n);
      if (d_factor) store_some(d_factor + i, simd::mul(d, at.value), n);
      result = simd::mul(d, at.slope);
    }
    if (factor) result = simd::mul(result, load_some(factor + i, n));
    store_some(y + i, result, n);
  }
}

using Run = void (*)(const float*, const float*, const float*, std::size_t, float*, float*);
constexpr Run kRuns[kWordsOf<Activation>.size()] = {
    run<Activation::kSilu>, run<Activation::kGelu>,        run<Activation::kGeluTanh>,
    run<Activation::kRelu>, run<Activation::kGeluSigmoid>, run<Activation::kReluSquared>};

}  // namespace

void activate(Activation activation, const float* x, const float* factor, std::size_t count,
              float* y) {
  kRuns[static_cast<int>(activation)](x, factor, nullptr, count, y, nullptr);
}

void activate_backward(Activation activation, const float* x, const float* factor, const float* d_y,
                       std::size_t count, float* d_x, float* d_factor) {
  kRuns[static_cast<int>(activation)](x, factor, d_y, count, d_x, d_factor);
}

float sigmoid_row(float* x, int count) {
  const simd::ExponentialTerms terms;
  const Vec min = simd::splat(-80.0f);
  Vec sums = simd::splat(0);
  int i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Vec v = simd::load(x + i), s = simd::zero_below(sigmoid(v, terms), v, min);
    simd::store(x + i, s);
    sums = simd::add(sums, s);
  }
  if (i < count) {
    const Vec v = simd::load_first(x + i, count - i, -std::numeric_limits<float>::infinity());
    const Vec s = simd::zero_below(sigmoid(v, terms), v, min);
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
