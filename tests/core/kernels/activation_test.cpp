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

}  // namespace
}  // namespace wf
