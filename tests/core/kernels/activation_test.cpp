#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "core/kernels/slope.h"
#include "kernels/activation.h"

namespace wf {
namespace {

using contract::random_values;

using testing::slope;

TEST_CASE("swiglu is gate · sigmoid(gate) · up, and its gradient is the slope") {
  for (const std::size_t count : {1, 7, 16, 29}) {
    std::vector<float> gate = random_values(count, 6, 2), up = random_values(count, 7);
    const std::vector<float> probe = random_values(count, 8);
    std::vector<float> y(count), dg(count), du(count);
    swiglu(gate.data(), up.data(), count, y.data());
    swiglu_backward(gate.data(), up.data(), probe.data(), count, dg.data(), du.data());
    for (std::size_t i = 0; i < count; ++i) {
      const auto loss = [&] {
        return probe[i] * double(gate[i]) / (1 + std::exp(-double(gate[i]))) * up[i];
      };
      CHECK(std::abs(y[i] * probe[i] - loss()) < 2e-6);
      CHECK(std::abs(dg[i] - slope(gate, i, loss)) < 1e-4);
      CHECK(std::abs(du[i] - slope(up, i, loss)) < 1e-4);
    }
  }
  const float extreme[2] = {-1000, 1000}, one[2] = {1, 1};
  float y[2];
  swiglu(extreme, one, 2, y);
  CHECK(std::abs(y[0]) < 1e-30);
  CHECK(y[1] == 1000);
}

double exact(Activation activation, double x) {
  switch (activation) {
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kGelu:
      return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    case Activation::kGeluTanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    case Activation::kRelu:
      return x < 0 ? 0 : x;
    case Activation::kGeluSigmoid:
      return x / (1 + std::exp(-1.702 * x));
    case Activation::kReluSquared:
      return x < 0 ? 0 : x * x;
  }
  return 0;
}

TEST_CASE("Every activation is its formula, plain and gated, and its gradient is the slope") {
  for (int which = 0; which < static_cast<int>(kWordsOf<Activation>.size()); ++which) {
    const auto activation = static_cast<Activation>(which);
    CAPTURE(which);
    for (const std::size_t count : {1, 7, 16, 29}) {
      const std::vector<float> x = random_values(count, 6, 4), up = random_values(count, 7);
      const std::vector<float> probe = random_values(count, 8);
      std::vector<float> y(count), plain(count), dx(count), d_plain(count), du(count);
      activate(activation, x.data(), nullptr, count, plain.data());
      activate(activation, x.data(), up.data(), count, y.data());
      activate_backward(activation, x.data(), nullptr, probe.data(), count, d_plain.data(),
                        nullptr);
      activate_backward(activation, x.data(), up.data(), probe.data(), count, dx.data(), du.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double value = exact(activation, x[i]), step = 1e-5;
        const double rise =
            (exact(activation, x[i] + step) - exact(activation, x[i] - step)) / (2 * step);
        const double size = std::max(1.0, std::abs(value));  // a square is large
        CHECK(std::abs(plain[i] - value) < 1e-6 * size);
        CHECK(std::abs(y[i] - value * up[i]) < 2e-6 * size);
        CHECK(std::abs(d_plain[i] - probe[i] * rise) < 4e-6);
        CHECK(std::abs(dx[i] - probe[i] * rise * up[i]) < 4e-6);
        CHECK(std::abs(du[i] - probe[i] * value) < 2e-6);
      }
    }
    const float far[3] = {-1000, 0, 1000};
    float y[3];
    activate(activation, far, nullptr, 3, y);
    CHECK(std::abs(y[0]) < 1e-30);
    CHECK(y[1] == 0);
    CHECK(y[2] == exact(activation, 1000));
  }
}

}  // namespace
}  // namespace wf
