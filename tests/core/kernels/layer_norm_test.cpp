#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "core/kernels/slope.h"
#include "kernels/layer_norm.h"

namespace wf {
namespace {

using contract::random_values;
using testing::slope;

TEST_CASE("layer norm has mean bias and the weight's deviation, and its gradient is the slope") {
  for (const int width : {2, 3, 8, 21}) {
    CAPTURE(width);
    std::vector<float> x = random_values(2 * width, 3), weight = random_values(width, 4),
                       bias = random_values(width, 5);
    const std::vector<float> probe = random_values(2 * width, 6);
    std::vector<float> y(2 * width), dx(2 * width, 0), dw(width, 0), db(width, 0);
    const float epsilon = 1e-2f;
    const auto loss = [&] {
      double sum = 0;
      for (int t = 0; t < 2; ++t) {
        double mean = 0, variance = 0;
        for (int c = 0; c < width; ++c) mean += double(x[t * width + c]) / width;
        for (int c = 0; c < width; ++c) variance += std::pow(x[t * width + c] - mean, 2) / width;
        const double inverse = 1 / std::sqrt(variance + epsilon);
        for (int c = 0; c < width; ++c)
          sum += probe[t * width + c] * ((x[t * width + c] - mean) * inverse * weight[c] + bias[c]);
      }
      return sum;
    };
    const auto view = [&](const std::vector<float>& m) {
      return ConstMatrix{m.data(), 2, width, width};
    };
    layer_norm(view(x), weight.data(), bias.data(), epsilon, {y.data(), 2, width, width});
    double direct = 0;
    for (int i = 0; i < 2 * width; ++i) direct += double(y[i]) * probe[i];
    CHECK(std::abs(direct - loss()) < 1e-5);
    layer_norm_backward(view(x), weight.data(), epsilon, view(probe), {dx.data(), 2, width, width},
                        dw.data(), db.data());
    for (int i = 0; i < 2 * width; ++i) CHECK(std::abs(dx[i] - slope(x, i, loss)) < 1e-3);
    for (int i = 0; i < width; ++i) CHECK(std::abs(dw[i] - slope(weight, i, loss)) < 1e-4);
    for (int i = 0; i < width; ++i) CHECK(std::abs(db[i] - slope(bias, i, loss)) < 1e-4);
  }
}

}  // namespace
}  // namespace wf
