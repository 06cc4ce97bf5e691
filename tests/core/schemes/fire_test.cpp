#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kHiddenWidth, kThreshold, kInitialScale, kPerLayer };
enum { kScale, kMultiplier, kInWeight, kInBias, kOutWeight, kOutBias };

double argument(double c, double threshold, int query, int key) {
  const auto psi = [c](double x) { return std::log(std::abs(c * x) + 1); };
  return psi(query - key) / (psi(std::max<double>(query, threshold)) + 1e-6);
}

// The network, computed unit by unit.
const reference::RegisteredTwin twin(
    "fire", {
                .bias =
                    [](const SchemeShape&, const OptionValues& options,
                       const std::vector<reference::Row>& parameters, int head, int query_position,
                       int key_position, const reference::Row&, const reference::Row&) {
                      const double x =
                          argument(parameters[kScale][0],
                                   std::abs(parameters[kMultiplier][0] * options[kThreshold]),
                                   query_position, key_position);
                      const int hidden = static_cast<int>(options[kHiddenWidth]);
                      double sum = parameters[kOutBias][head];
                      for (int u = 0; u < hidden; ++u)
                        sum += parameters[kOutWeight][head * hidden + u] *
                               std::max(0.0, parameters[kInWeight][u] * x + parameters[kInBias][u]);
                      return sum;
                    },
            });

// Returns a case with one head, in which the network with the scheme's parameters is added to
// logits of zero.
contract::AttentionCase bias_alone(const OptionValues& options,
                                   const std::vector<std::int32_t>& queries,
                                   const std::vector<std::int32_t>& keys) {
  contract::AttentionCase problem(*find_scheme("fire").value(), options,
                                  {.heads = 1,
                                   .kv_heads = 1,
                                   .head_dim = 2,
                                   .value_dim = 2,
                                   .queries = static_cast<int>(queries.size()),
                                   .keys = static_cast<int>(keys.size())},
                                  false, 1);
  problem.query_positions = queries;
  problem.key_positions = keys;
  std::fill(problem.q.begin(), problem.q.end(), 0.0f);
  return problem;
}

std::vector<float> biases(contract::AttentionCase& problem) {
  auto recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 1, 2,
                                 problem.sizes().queries, problem.sizes().keys)
                      .take();
  REQUIRE(problem.forward(&recorder).ok());
  return {recorder.logits().begin(), recorder.logits().end()};
}

OptionValues defaults() { return default_options(*find_scheme("fire").value()->description); }

// Returns a case whose network returns its argument; c and L have their initial values.
contract::AttentionCase argument_case(const std::vector<std::int32_t>& queries,
                                      const std::vector<std::int32_t>& keys) {
  contract::AttentionCase problem = bias_alone(defaults(), queries, keys);
  for (auto& p : problem.parameters) std::fill(p.begin(), p.end(), 0.0f);
  problem.parameters[kScale][0] = 0.1f;
  problem.parameters[kMultiplier][0] = 1;
  problem.parameters[kInWeight][5] = problem.parameters[kOutWeight][5] = 1;
  return problem;
}

TEST_CASE("the distance is divided by the query's position, or by the threshold before it") {
  contract::AttentionCase problem = argument_case({10, 600, 2000}, {0, 7, 599, 1000});
  const std::vector<float> got = biases(problem);
  // c = 0.1, L = 512: (10,0) (10,7) (600,0) (600,599) (2000,1000). c itself is rounded to float32.
  CHECK(std::abs(got[0] - 0.1752547529) < 1e-7);
  CHECK(std::abs(got[1] - 0.066335961) < 1e-7);
  CHECK(std::abs(got[4] - 0.9999997567) < 2e-7);
  CHECK(std::abs(got[6] - 0.02318488958) < 1e-7);
  CHECK(std::abs(got[11] - 0.8702346417) < 2e-7);
}

TEST_CASE(
    "the argument of every visible key lies in [0, 1], and the first key of a late query near 1") {
  std::vector<std::int32_t> positions;
  for (int p = 0; p < 100; ++p) positions.push_back(p * 37);
  contract::AttentionCase problem = argument_case(positions, positions);
  problem.config.is_causal = true;
  const std::vector<float> got = biases(problem);
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j <= i; ++j) {
      CHECK(got[i * 100 + j] >= 0);
      CHECK(got[i * 100 + j] <= 1);
    }
    if (positions[i] >= 512) CHECK(std::abs(got[i * 100] - 1) < 1e-6);
    CHECK(got[i * 100 + i] == 0);
  }
}

TEST_CASE("a common shift changes nothing before the threshold and something after it") {
  const auto shifted = [](int by) {
    contract::AttentionCase problem =
        bias_alone(defaults(), {20 + by, 21 + by}, {0 + by, 5 + by, 20 + by});
    problem.parameters[kMultiplier][0] = 1;
    return biases(problem);
  };
  CHECK(contract::largest_difference(shifted(0), shifted(400)) < 1e-7);
  CHECK(contract::largest_difference(shifted(0), shifted(900)) > 1e-3);
}

// f(x) = -p · x is KERPLE's logarithmic kernel, divided by a constant of each row.
TEST_CASE("a linear network gives a logarithmic kernel, row by row") {
  contract::AttentionCase problem = argument_case({700, 1500}, {0, 10, 400, 699});
  problem.parameters[kOutWeight][5] = -1.5f;
  const std::vector<float> got = biases(problem);
  for (int i = 0; i < 2; ++i) {
    const int query = i ? 1500 : 700;
    const double row = std::log(0.1 * query + 1) + 1e-6;
    int j = 0;
    for (const int key : {0, 10, 400, 699})
      CHECK(std::abs(got[i * 4 + j++] * row + 1.5 * std::log1p(0.1 * (query - key))) < 1e-5);
  }
}

TEST_CASE(
    "ends of lines that coincide, lie below zero or do not exist are walked as the network says") {
  OptionValues options = defaults();
  options.values[kHiddenWidth] = 6;
  contract::AttentionCase problem =
      bias_alone(options, {0, 1, 9, 100, 3000}, {0, 1, 50, 2000, 2999});
  problem.parameters[kInWeight] = {1, 2, -1, 0, 0, 3};
  problem.parameters[kInBias] = {-.25f, -.5f, .5f,
                                 1,     -1,   2};  // ends at 1/4, 1/4, 1/2, none, none, -2/3
  const std::vector<float> got = biases(problem);
  CHECK(contract::largest_difference(got, problem.twin().logits) < 2e-6);
}

TEST_CASE("scale and threshold matter by their size, not their sign") {
  contract::AttentionCase problem = bias_alone(defaults(), {3, 900}, {0, 1, 2, 3});
  const std::vector<float> before = biases(problem);
  for (const int p : {kScale, kMultiplier}) problem.parameters[p][0] = -problem.parameters[p][0];
  CHECK(biases(problem) == before);
}

TEST_CASE("parameters start as the authors' do, for each layer or shared") {
  for (const bool per_layer : {true, false}) {
    OptionValues options = defaults();
    options.values[kPerLayer] = per_layer;
    const SchemeInstance fire =
        make_scheme(*find_scheme("fire").value(),
                    {.num_heads = 8, .num_kv_heads = 8, .head_dim = 4}, options)
            .take();
    const auto specs = fire.scheme->parameters();
    REQUIRE(specs.size() == 6);
    CHECK(specs[kScale].initialiser == Initialiser::kConstant);
    CHECK(specs[kScale].deviation == 0.1f);
    CHECK(specs[kMultiplier].initialiser == Initialiser::kConstant);
    CHECK(specs[kMultiplier].deviation == 1);
    std::size_t total = 0;
    for (const ParameterSpec& spec : specs) {
      total += spec.size();
      CHECK(spec.scope == (per_layer ? ParameterScope::kLayer : ParameterScope::kModel));
    }
    CHECK(total == 2 + 2 * 32 + 33 * 8);
    CHECK(specs[kInWeight].deviation == 1);
    CHECK(specs[kOutWeight].deviation == doctest::Approx(1 / std::sqrt(32.0)));
  }
}

}  // namespace
}  // namespace wf
