#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/cross_entropy.h"

namespace wf {
namespace {

using contract::random_values;

TEST_CASE("cross-entropy and its gradient, with an ignored target") {
  const int vocabulary = 11;
  std::vector<float> logits = random_values(3 * vocabulary, 9, 2);
  const std::int32_t targets[3] = {4, -1, 10};
  std::vector<float> gradient = logits, loss(3), alone(3);
  cross_entropy({logits.data(), 3, vocabulary, vocabulary}, targets, alone.data());
  cross_entropy_with_gradient({gradient.data(), 3, vocabulary, vocabulary}, targets, 0.5f,
                              loss.data());
  for (int t = 0; t < 3; ++t) {
    CHECK(std::abs(loss[t] - alone[t]) < 1e-6);
    double total = 0;
    for (int v = 0; v < vocabulary; ++v) total += std::exp(double(logits[t * vocabulary + v]));
    for (int v = 0; v < vocabulary; ++v) {
      const double p = std::exp(double(logits[t * vocabulary + v])) / total;
      const double expected = targets[t] < 0 ? 0 : 0.5 * (p - (v == targets[t]));
      CHECK(std::abs(gradient[t * vocabulary + v] - expected) < 1e-6);
    }
    if (targets[t] >= 0)
      CHECK(std::abs(loss[t] - (std::log(total) - logits[t * vocabulary + targets[t]])) < 1e-5);
  }
  CHECK(loss[1] == 0);
}

}  // namespace
}  // namespace wf
