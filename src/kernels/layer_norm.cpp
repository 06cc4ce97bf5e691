#include "kernels/layer_norm.h"

#include <cmath>

namespace wf {
namespace {

struct Statistics {
  float mean, inverse;  // inverse: 1 / √(variance + epsilon)
};

Statistics statistics(const float* x, int count, float epsilon) {
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) sum += x[i];
  const double mean = sum / count;
  for (int i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
  return {static_cast<float>(mean), static_cast<float>(1 / std::sqrt(squares / count + epsilon))};
}

}  // namespace

void layer_norm(ConstMatrix x, const float* weight, const float* bias, float epsilon, Matrix y) {
  for (int t = 0; t < x.rows; ++t) {
    const auto [mean, inverse] = statistics(x.row(t), x.columns, epsilon);
    for (int i = 0; i < x.columns; ++i)
      y.row(t)[i] = (x.row(t)[i] - mean) * inverse * weight[i] + bias[i];
  }
}

// With n = (x − mean) · inverse and g = w · dy:  dx = inverse · (g − mean(g) − n · mean(g · n)).
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
      d_bias[i] += dy[i];
    }
    const float count = static_cast<float>(x.columns);
    for (int i = 0; i < x.columns; ++i)
      d_x.row(t)[i] += inverse * (weight[i] * dy[i] - sum / count - normalised(i) * along / count);
  }
}

}  // namespace wf
