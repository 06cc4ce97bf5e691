// Compares the gated delta rule with Qwen3-Next's in Transformers
// (tests/golden/make_delta_rule.py).
#include "kernels/delta_rule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using reference::floats;

const char* const kFile = "delta_rule.json";

struct Head {
  nlohmann::json file = reference::golden(kFile);
  std::vector<float> q = floats(file["q"]), k = floats(file["k"]), v = floats(file["v"]);
  std::vector<float> g = floats(file["g"]), beta = floats(file["beta"]);
  int tokens = static_cast<int>(g.size());
  DeltaSizes sizes = {static_cast<int>(q.size()) / tokens, static_cast<int>(v.size()) / tokens};
  float scale = 1 / std::sqrt(static_cast<float>(sizes.keys));

  Head() {
    for (float& x : q) x *= scale;
  }
  DeltaToken token(int t) const {
    return {q.data() + t * sizes.keys, k.data() + t * sizes.keys, v.data() + t * sizes.values,
            std::exp(g[t]), beta[t]};
  }
};

void check_near(const std::vector<float>& found, const nlohmann::json& expected,
                const char* quantity) {
  const std::vector<float> numbers = floats(expected);
  REQUIRE(found.size() == numbers.size());
  double deviation = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    deviation = std::max<double>(deviation, std::fabs(found[i] - numbers[i]));
  reference::check_golden(kFile, quantity, deviation);
}

TEST_CASE("The delta rule's outputs and gradients are those of Transformers") {
  const Head head;
  const int tokens = head.tokens, d = head.sizes.keys, dv = head.sizes.values;
  const std::size_t size = static_cast<std::size_t>(d) * dv;
  std::vector<float> states((tokens + 1) * size), output(tokens * dv);
  for (int t = 0; t < tokens; ++t) {
    std::copy_n(&states[t * size], size, &states[(t + 1) * size]);
    delta_step(head.token(t), head.sizes, &states[(t + 1) * size], &output[t * dv]);
  }
  check_near(output, head.file["output"], "output");

  const std::vector<float> d_output = floats(head.file["dOutput"]);
  std::vector<float> d_q(head.q.size()), d_k(head.k.size()), d_v(head.v.size());
  std::vector<float> d_g(tokens), d_beta(tokens), d_state(size), scratch(2 * dv);
  for (int t = tokens - 1; t >= 0; --t) {
    DeltaGradients gradients = {&d_q[t * d], &d_k[t * d], &d_v[t * dv], 0, 0};
    const DeltaToken token = head.token(t);
    delta_step_backward(token, head.sizes, &states[t * size], &states[(t + 1) * size],
                        &d_output[t * dv], d_state.data(), scratch.data(), gradients);
    d_g[t] = gradients.decay * token.decay;
    d_beta[t] = gradients.write;
  }
  for (float& x : d_q) x *= head.scale;
  const nlohmann::json& expected = head.file["gradients"];
  check_near(d_q, expected["q"], "gradients");
  check_near(d_k, expected["k"], "gradients");
  check_near(d_v, expected["v"], "gradients");
  check_near(d_g, expected["g"], "gradients");
  check_near(d_beta, expected["beta"], "gradients");
}

TEST_CASE("The weights of the delta rule's tokens are those of Transformers") {
  const Head head;
  std::vector<float> weights(head.tokens * head.tokens);
  for (int t = 0; t < head.tokens; ++t) {
    std::vector<float> u(head.token(t).q, head.token(t).q + head.sizes.keys);
    for (int j = t; j >= 0; --j)
      weights[t * head.tokens + j] = delta_weight(head.token(j), head.sizes, u.data());
  }
  check_near(weights, head.file["weights"], "weights");
}

// o_t = Σ_j (Π α from j + 1 to t) · β_j · (q_t·k_j) · v_j, in double precision.
TEST_CASE("Without overwriting, tokens only add to the state and fade") {
  const Head head;
  const int tokens = head.tokens, d = head.sizes.keys, dv = head.sizes.values;
  const DeltaSizes sizes = {d, dv, false};
  std::vector<float> state(static_cast<std::size_t>(d) * dv), output(dv), u(d);
  for (int t = 0; t < tokens; ++t) {
    delta_step(head.token(t), sizes, state.data(), output.data());
    std::copy_n(head.token(t).q, d, u.data());
    std::vector<double> expected(dv);
    double faded = 1;
    for (int j = t; j >= 0; --j) {
      double weight = faded * head.token(j).write;
      double product = 0;
      for (int i = 0; i < d; ++i) product += 1.0 * head.token(t).q[i] * head.token(j).k[i];
      weight *= product;
      CHECK(std::fabs(delta_weight(head.token(j), sizes, u.data()) - weight) < 1e-6);
      for (int c = 0; c < dv; ++c) expected[c] += weight * head.token(j).v[c];
      faded *= head.token(j).decay;
    }
    for (int c = 0; c < dv; ++c) CHECK(std::fabs(output[c] - expected[c]) < 2e-6);
  }
}

}  // namespace
}  // namespace wf
