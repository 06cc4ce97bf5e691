#include "kernels/norm.h"

#include <cmath>

#include "kernels/dot.h"
#include "kernels/simd.h"

namespace wf {

using simd::Vec;

void rms_norm(ConstMatrix x, const float* weight, float epsilon, Matrix y, float* inverse_rms) {
  for (int t = 0; t < x.rows; ++t) {
    const float* in = x.row(t);
    float* out = y.row(t);
    const float inverse =
        1.0f / std::sqrt(dot(in, in, x.columns) / static_cast<float>(x.columns) + epsilon);
    inverse_rms[t] = inverse;
    const Vec factor = simd::splat(inverse);
    int i = 0;
    for (; i + simd::kLanes <= x.columns; i += simd::kLanes)
      simd::store(out + i,
                  simd::mul(simd::mul(simd::load(in + i), factor), simd::load(weight + i)));
    for (; i < x.columns; ++i) out[i] = in[i] * inverse * weight[i];
  }
}

// With n = x · r, r = inverse rms:  dx = r · (w·dy − n · mean(w·dy · n)).
void rms_norm_backward(ConstMatrix x, const float* weight, const float* inverse_rms,
                       ConstMatrix d_y, Matrix d_x, float* d_weight) {
  for (int t = 0; t < x.rows; ++t) {
    const float* in = x.row(t);
    const float* dy = d_y.row(t);
    float* dx = d_x.row(t);
    const float inverse = inverse_rms[t];
    const Vec r = simd::splat(inverse);

    Vec sums = simd::splat(0);
    int i = 0;
    for (; i + simd::kLanes <= x.columns; i += simd::kLanes) {
      const Vec product = simd::mul(simd::load(in + i), simd::load(dy + i));
      sums = simd::madd(product, simd::load(weight + i), sums);
      if (d_weight) simd::store(d_weight + i, simd::madd(product, r, simd::load(d_weight + i)));
    }
    float total = simd::sum(sums);
    for (; i < x.columns; ++i) {
      total += in[i] * dy[i] * weight[i];
      if (d_weight) d_weight[i] += in[i] * dy[i] * inverse;
    }

    const float pull = total * inverse * inverse * inverse / static_cast<float>(x.columns);
    const Vec back = simd::splat(-pull);
    for (i = 0; i + simd::kLanes <= x.columns; i += simd::kLanes) {
      Vec d = simd::load(dx + i);
      d = simd::madd(simd::mul(simd::load(dy + i), simd::load(weight + i)), r, d);
      d = simd::madd(simd::load(in + i), back, d);
      simd::store(dx + i, d);
    }
    for (; i < x.columns; ++i) dx[i] += dy[i] * weight[i] * inverse - in[i] * pull;
  }
}

}  // namespace wf
