#include "kernels/layer_norm.h"

#include <cmath>

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

struct Statistics {
  float mean, inverse;  // inverse: 1 / √(variance + epsilon)
};

// Σ body(x) over the row, in four separate sums; body has one overload for a vector and one for a
// number.
template <class VectorBody, class Body>
float row_sum(const float* x, int count, VectorBody vector_body, Body body) {
  Vec sums[4] = {simd::splat(0), simd::splat(0), simd::splat(0), simd::splat(0)};
  int i = 0;
  for (; i + 4 * simd::kLanes <= count; i += 4 * simd::kLanes)
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s)
      sums[s] = vector_body(simd::load(x + i + s * simd::kLanes), sums[s]);
  float total = simd::sum(simd::add(simd::add(sums[0], sums[1]), simd::add(sums[2], sums[3])));
  for (; i < count; ++i) total += body(x[i]);
  return total;
}

Statistics statistics(const float* x, int count, float epsilon) {
  const float n = static_cast<float>(count);
  const float mean =
      row_sum(
          x, count, [](Vec v, Vec sum) { return simd::add(v, sum); }, [](float v) { return v; }) /
      n;
  const Vec centre = simd::splat(mean);
  const float squares = row_sum(
      x, count,
      [&](Vec v, Vec sum) {
        const Vec d = simd::sub(v, centre);
        return simd::madd(d, d, sum);
      },
      [&](float v) { return (v - mean) * (v - mean); });
  return {mean, 1 / std::sqrt(squares / n + epsilon)};
}

// A template parameter, so that the loop does not test whether there is a bias.
template <bool kHasBias>
void norm_row(const float* in, int columns, Statistics found, const float* weight,
              const float* bias, float* out) {
  const Vec centre = simd::splat(found.mean), factor = simd::splat(found.inverse);
  int i = 0;
  for (; i + simd::kLanes <= columns; i += simd::kLanes) {
    const Vec normalised = simd::mul(simd::sub(simd::load(in + i), centre), factor);
    const Vec scale = simd::load(weight + i);
    simd::store(out + i, kHasBias ? simd::madd(normalised, scale, simd::load(bias + i))
                                  : simd::mul(normalised, scale));
  }
  for (; i < columns; ++i)
    out[i] = (in[i] - found.mean) * found.inverse * weight[i] + (kHasBias ? bias[i] : 0);
}

}  // namespace

void layer_norm(ConstMatrix x, const float* weight, const float* bias, float epsilon, Matrix y) {
  for (int t = 0; t < x.rows; ++t) {
    const Statistics found = statistics(x.row(t), x.columns, epsilon);
    if (bias)
      norm_row<true>(x.row(t), x.columns, found, weight, bias, y.row(t));
    else
      norm_row<false>(x.row(t), x.columns, found, weight, nullptr, y.row(t));
  }
}

void layer_norm_backward(ConstMatrix x, const float* weight, float epsilon, ConstMatrix d_y,
                         Matrix d_x, float* d_weight, float* d_bias) {
  for (int t = 0; t < x.rows; ++t) {
    const float* dy = d_y.row(t);
    const auto [mean, inverse] = statistics(x.row(t), x.columns, epsilon);
    const auto normalised = [&, mean = mean, inverse = inverse](int i) {
      return (x.row(t)[i] - mean) * inverse;
    };
    float sum = 0, along = 0;
    for (int i = 0; i < x.columns; ++i) {
      const float g = weight[i] * dy[i], n = normalised(i);
      sum += g;
      along += g * n;
      d_weight[i] += dy[i] * n;
      if (d_bias) d_bias[i] += dy[i];
    }
    const float count = static_cast<float>(x.columns);
    for (int i = 0; i < x.columns; ++i)
      d_x.row(t)[i] += inverse * (weight[i] * dy[i] - sum / count - normalised(i) * along / count);
  }
}

}  // namespace wf
