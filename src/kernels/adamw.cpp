#include "kernels/adamw.h"

#include <cmath>

#include "kernels/simd.h"

namespace wf {

using simd::Vec;

void adamw(const AdamWStep& step, std::size_t count, float* values, const float* gradients,
           float* first, float* second) {
  const double correction1 = 1 - std::pow(static_cast<double>(step.beta1), step.step);
  const double correction2 = 1 - std::pow(static_cast<double>(step.beta2), step.step);
  const Vec beta1 = simd::splat(step.beta1), rest1 = simd::splat(1 - step.beta1);
  const Vec beta2 = simd::splat(step.beta2), rest2 = simd::splat(1 - step.beta2);
  const Vec scale = simd::splat(step.gradient_scale);
  const Vec rate = simd::splat(static_cast<float>(-step.learning_rate / correction1));
  const Vec root = simd::splat(static_cast<float>(1 / std::sqrt(correction2)));
  const Vec epsilon = simd::splat(step.epsilon);
  const Vec keep = simd::splat(1 - step.learning_rate * step.weight_decay);

  const auto update = [&](Vec value, Vec gradient, Vec& m, Vec& v) {
    const Vec g = simd::mul(gradient, scale);
    m = simd::madd(beta1, m, simd::mul(rest1, g));
    v = simd::madd(beta2, v, simd::mul(rest2, simd::mul(g, g)));
    const Vec denominator = simd::madd(simd::square_root(v), root, epsilon);
    return simd::madd(rate, simd::div(m, denominator), simd::mul(value, keep));
  };
  std::size_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    Vec m = simd::load(first + i), v = simd::load(second + i);
    simd::store(values + i, update(simd::load(values + i), simd::load(gradients + i), m, v));
    simd::store(first + i, m);
    simd::store(second + i, v);
  }
  if (i < count) {
    const int rest = static_cast<int>(count - i);
    Vec m = simd::load_first(first + i, rest), v = simd::load_first(second + i, rest);
    const Vec updated =
        update(simd::load_first(values + i, rest), simd::load_first(gradients + i, rest), m, v);
    simd::store_first(values + i, updated, rest);
    simd::store_first(first + i, m, rest);
    simd::store_first(second + i, v, rest);
  }
}

double sum_of_squares(const float* x, std::size_t count) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += static_cast<double>(x[i]) * x[i];
  return total;
}

}  // namespace wf
