#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "core/kernels/slope.h"
#include "kernels/norm.h"

namespace wf {
namespace {

using contract::random_values;

using testing::slope;

TEST_CASE("rms norm has unit mean square, and its gradient is the slope") {
  for (const int width : {3, 8, 21}) {
    std::vector<float> x = random_values(2 * width, 3), weight = random_values(width, 4);
    const std::vector<float> probe = random_values(2 * width, 5);
    std::vector<float> y(2 * width), inverse(2), dx(2 * width, 0), dw(width, 0);
    const Matrix out = {y.data(), 2, width, width};
    const auto view = [&](const std::vector<float>& m) {
      return ConstMatrix{m.data(), 2, width, width};
    };
    const auto loss = [&] {
      double sum = 0;
      for (int t = 0; t < 2; ++t) {
        double square = 0;
        for (int c = 0; c < width; ++c) square += double(x[t * width + c]) * x[t * width + c];
        const double r = 1 / std::sqrt(square / width + 1e-5);
        for (int c = 0; c < width; ++c)
          sum += probe[t * width + c] * x[t * width + c] * r * weight[c];
      }
      return sum;
    };
    rms_norm(view(x), weight.data(), 1e-5f, out, inverse.data());
    double direct = 0;
    for (int i = 0; i < 2 * width; ++i) direct += double(y[i]) * probe[i];
    CHECK(std::abs(direct - loss()) < 1e-5);
    rms_norm_backward(view(x), weight.data(), inverse.data(), view(probe),
                      {dx.data(), 2, width, width}, dw.data());
    for (int i = 0; i < 2 * width; ++i) CHECK(std::abs(dx[i] - slope(x, i, loss)) < 2e-4);
    for (int i = 0; i < width; ++i) CHECK(std::abs(dw[i] - slope(weight, i, loss)) < 2e-4);
  }
}

}  // namespace
}  // namespace wf
