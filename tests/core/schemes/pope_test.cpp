#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "contract/attention_case.h"
#include "reference/attention_twin.h"
#include "schemes/registry.h"

namespace wf {
namespace {

enum { kTheta, kLearned, kUniform };

double softplus(double x) { return std::log1p(std::exp(x)); }

// Magnitudes and phases as complex numbers: the logit is the real part of Σ conj(q̃) k̃ e^(iδ).
const reference::RegisteredTwin twin(
    "pope",
    {
        .transform =
            [](const reference::TwinShape&, const OptionValues&, bool, int, reference::Place,
               reference::Row& x) {
              for (double& channel : x) channel = softplus(channel);
            },
        // Beside the product of the magnitudes, which the twin adds to every logit.
        .bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, reference::Place query,
               reference::Place key, const reference::Row& q, const reference::Row& k) {
              double sum = 0;
              for (int c = 0; c < shape.head_dim; ++c) {
                const double rate = std::pow(options[kTheta], -double(c) / shape.head_dim);
                const double phase =
                    options[kLearned] ? parameters[0][head * shape.head_dim + c] : 0;
                sum += q[c] * k[c] * (std::cos((key - query) * rate + phase) - 1);
              }
              return shape.logit_scale * sum;
            },
    });

contract::AttentionCase case_of(double learned, const contract::Sizes& sizes = {}) {
  const SchemeEntry& entry = *find_scheme("pope").value();
  OptionValues options = default_options(*entry.description);
  options.values[kLearned] = learned;
  return contract::AttentionCase(entry, options, sizes, true, 5);
}

TEST_CASE(
    "a logit is the product of lengths, times the cosine of an angle that words do not change") {
  contract::AttentionCase one = case_of(
      0, {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 1, .keys = 1});
  one.query_positions = {7};
  one.key_positions = {4};
  one.q = {0, 0};
  one.k = {0, 1};
  Recorder recorder =
      Recorder::make(kRecordLogits | kRecordTerms, {}, one.schemes(), 1, 2, 1, 1).take();
  REQUIRE(one.forward(&recorder).ok());
  // ln 2 · (ln 2 cos 3 + ln(1 + e) cos(3 / 100)) / √2
  const double expected =
      std::log(2) * (std::log(2) * std::cos(3) + softplus(1) * std::cos(0.03)) / std::sqrt(2.0);
  CHECK(std::abs(recorder.logits()[0] - expected) < 1e-6);
  CHECK(std::strcmp(recorder.term_name(1), "polar") == 0);
  CHECK(recorder.term(0)[0] == 0);
}

TEST_CASE("position never turns a match into its opposite for words alone: phases do that") {
  // With equal positions the logit is largest, whatever the words, as all lengths are positive.
  contract::AttentionCase same = case_of(0);
  std::fill(same.query_positions.begin(), same.query_positions.end(), 3);
  std::fill(same.key_positions.begin(), same.key_positions.end(), 3);
  contract::AttentionCase apart = case_of(0);
  const auto logits = [](contract::AttentionCase& problem) {
    Recorder recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 4, 8, 9, 9).take();
    REQUIRE(problem.forward(&recorder).ok());
    return std::vector<float>(recorder.logits().begin(), recorder.logits().end());
  };
  const std::vector<float> near = logits(same), far = logits(apart);
  for (std::size_t i = 0; i < near.size(); ++i) {
    CHECK(near[i] > 0);
    CHECK(far[i] <= near[i] + 1e-6);
  }
}

TEST_CASE("the cache keeps lengths and angles, two numbers for each channel of a key") {
  contract::AttentionCase problem = case_of(1);
  KvCache cache = KvCache::make(problem.config, 9).take();
  const AttentionInput in = problem.input();
  std::vector<float> output(4 * 9 * 6);
  REQUIRE(attention_decode(problem.config, problem.schemes(), cache, in.q, in.k, in.v,
                           in.query_positions, heads_outermost(output.data(), 4, 9, 6),
                           problem.saved(), problem.scratch())
              .ok());
  CHECK(cache.keys().columns == 16);
  CHECK(cache.floats_a_token() == 2 * (16 + 6));
  const ConstMatrix keys = cache.keys().head(1);
  for (int t = 0; t < 9; ++t)
    for (int c = 0; c < 8; ++c)
      CHECK(std::abs(std::hypot(keys.row(t)[c], keys.row(t)[8 + c]) -
                     softplus(in.k.head(1).row(t)[c])) < 1e-6);
}

TEST_CASE("phases stay between a full circle back and zero") {
  contract::AttentionCase problem = case_of(1);
  float phases[32] = {-7, -6, 0.5f, 0};
  float* values[] = {phases};
  problem.scheme().constrain(values);
  CHECK(phases[0] == doctest::Approx(-2 * 3.141592653589793));
  CHECK(phases[1] == -6);
  CHECK(phases[2] == 0);
}

TEST_CASE("another scheme that changes queries and keys is refused beside it") {
  contract::AttentionCase problem = case_of(0);
  const SchemeEntry& rope = *find_scheme("rope").value();
  contract::AttentionCase other(rope, default_options(*rope.description), {}, true, 6);
  LayerSchemes both = problem.schemes();
  both.items[both.count++] = other.schemes().items[0];
  const Status status = attention_forward(problem.config, both, problem.input(),
                                          heads_outermost(problem.output.data(), 4, 9, 6),
                                          problem.saved(), problem.scratch());
  CHECK(status.code() == Code::kUnsupported);
  CHECK(std::strstr(status.message(), "pope works beside no other"));
}

}  // namespace
}  // namespace wf
