#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "model/sampling.h"

namespace wf {
namespace {

const float kLogits[] = {0.0f, 2.0f, 1.0f, 2.0f, -1.0f};

Sampler sampler(const SamplingOptions& options) {
  auto made = Sampler::make(options, 5);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

std::vector<int> counts(const SamplingOptions& options, int draws) {
  Sampler source = sampler(options);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < draws; ++i) ++seen[static_cast<std::size_t>(source.pick(kLogits))];
  return seen;
}

std::string refusal(const SamplingOptions& options) {
  auto made = Sampler::make(options, 5);
  REQUIRE(!made.ok());
  CHECK(made.status().code() == Code::kInvalidArgument);
  return made.status().message();
}

}  // namespace

TEST_CASE("Temperature 0 takes the most probable token, the first of equals") {
  SamplingOptions options;
  options.temperature = 0;
  CHECK(counts(options, 20) == std::vector<int>{0, 20, 0, 0, 0});
}

TEST_CASE("Draws follow the softmax of the logits over the temperature") {
  for (const float temperature : {0.5f, 1.0f, 2.0f}) {
    CAPTURE(temperature);
    SamplingOptions options;
    options.temperature = temperature;
    options.seed = 9;
    const int draws = 20000;
    const std::vector<int> seen = counts(options, draws);
    double total = 0;
    for (const float logit : kLogits) total += std::exp(logit / temperature);
    for (std::size_t i = 0; i < 5; ++i) {
      const double p = std::exp(kLogits[i] / temperature) / total;
      // Five standard deviations of a count.
      CHECK(std::fabs(seen[i] - draws * p) < 5 * std::sqrt(draws * p * (1 - p)) + 1);
    }
  }
}

TEST_CASE("top_k keeps the k most probable, equals by id") {
  SamplingOptions options;
  options.top_k = 1;
  CHECK(counts(options, 50) == std::vector<int>{0, 50, 0, 0, 0});
  options.top_k = 3;
  const std::vector<int> seen = counts(options, 500);
  CHECK(seen[0] == 0);
  CHECK(seen[4] == 0);
  CHECK(seen[1] > 0);
  CHECK(seen[2] > 0);
  CHECK(seen[3] > 0);
  options.top_k = 100;  // more than there are
  CHECK(counts(options, 5000)[4] > 0);
}

TEST_CASE("top_p keeps the fewest tokens that reach it") {
  // Probabilities 0.054, 0.396, 0.146, 0.396, 0.020 (rounded).
  SamplingOptions options;
  options.top_p = 0.3f;
  CHECK(counts(options, 50) == std::vector<int>{0, 50, 0, 0, 0});
  options.top_p = 0.5f;
  std::vector<int> seen = counts(options, 500);
  CHECK(seen[1] + seen[3] == 500);
  CHECK(seen[3] > 0);
  options.top_p = 0.95f;
  seen = counts(options, 5000);
  CHECK(seen[0] > 0);
  CHECK(seen[4] == 0);
}

TEST_CASE("What top_k and top_p keep of many tokens is what ranking all of them keeps") {
  const int vocabulary = 301;
  std::vector<float> logits(vocabulary);
  // From 0 to 1 in steps of 1/16, so that many logits are equal and no token is rare.
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = static_cast<float>(i * 7919 % 17) / 16;
  std::vector<std::size_t> ranked(vocabulary);
  std::iota(ranked.begin(), ranked.end(), 0);
  std::sort(ranked.begin(), ranked.end(), [&](std::size_t a, std::size_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  for (const int top_k : {0, 1, 2, 100, 300}) {
    for (const float top_p : {0.01f, 0.2f, 0.77f, 1.0f}) {
      CAPTURE(top_k);
      CAPTURE(top_p);
      std::size_t kept = top_k ? static_cast<std::size_t>(top_k) : logits.size();
      double total = 0, reached = 0;
      for (std::size_t i = 0; i < kept; ++i)
        total += std::exp(static_cast<double>(logits[ranked[i]]));
      for (std::size_t i = 0; i < kept && top_p < 1; ++i) {
        reached += std::exp(static_cast<double>(logits[ranked[i]]));
        if (reached >= static_cast<double>(top_p) * total) kept = i + 1;
      }
      SamplingOptions options;
      options.top_k = top_k;
      options.top_p = top_p;
      auto made = Sampler::make(options, vocabulary);
      REQUIRE(made.ok());
      Sampler source = made.take();
      std::set<std::size_t> seen;
      for (int i = 0; i < 10000; ++i)
        seen.insert(static_cast<std::size_t>(source.pick(logits.data())));
      CHECK(seen == std::set(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept)));
    }
  }
}

TEST_CASE("top_p is reached among weights of many sizes, down to those that are 0") {
  // Each weight is e^-3 times the one before it; from the 30th on they are 0 in float32.
  std::vector<float> logits(64);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = -3.0f * static_cast<float>(i);
  const double ratio = std::exp(-3.0);
  for (const std::size_t kept : {1u, 2u, 3u, 4u}) {
    CAPTURE(kept);
    SamplingOptions options;
    // Halfway between the sum of kept - 1 tokens and the sum of `kept` tokens.
    const double parts = static_cast<double>(kept);
    options.top_p =
        static_cast<float>(1 - (std::pow(ratio, parts) + std::pow(ratio, parts - 1)) / 2);
    auto made = Sampler::make(options, static_cast<int>(logits.size()));
    REQUIRE(made.ok());
    Sampler source = made.take();
    std::int32_t highest = 0;
    for (int i = 0; i < 200000; ++i) highest = std::max(highest, source.pick(logits.data()));
    CHECK(highest == static_cast<std::int32_t>(kept) - 1);
  }
}

TEST_CASE("min_p keeps tokens that are probable enough beside the most probable one") {
  // The logits differ from the largest by 2, 0, 1, 0 and 3.
  SamplingOptions options;
  options.min_p = static_cast<float>(std::exp(-1.5));
  std::vector<int> seen = counts(options, 500);
  CHECK((seen[0] == 0 && seen[2] > 0 && seen[4] == 0));
  options.min_p = static_cast<float>(std::exp(-2.5));
  seen = counts(options, 5000);
  CHECK((seen[0] > 0 && seen[4] == 0));
  options.min_p = 1;
  seen = counts(options, 500);
  CHECK(seen[1] + seen[3] == 500);
}

TEST_CASE("Biases and penalties change the logits before all else") {
  SamplingOptions options;
  options.temperature = 0;
  Sampler biased = sampler(options);
  REQUIRE(biased.add_bias(4, 3.5f).ok());
  CHECK(biased.pick(kLogits) == 4);
  REQUIRE(biased.add_bias(4, -1.0f).ok());
  CHECK(biased.pick(kLogits) == 1);
  CHECK(biased.add_bias(5, 1).code() == Code::kInvalidArgument);
  CHECK(biased.add_bias(-1, 1).code() == Code::kInvalidArgument);
  CHECK(biased.add_bias(1, std::nanf("")).code() == Code::kInvalidArgument);

  // A positive logit is divided, a negative one multiplied; 0 stays.
  options.repetition_penalty = 4;
  Sampler repeated = sampler(options);
  for (const std::int32_t id : {1, 3, 2}) repeated.note(id, Sampler::Origin::kPrompt);
  CHECK(repeated.pick(kLogits) == 1);  // 0, 0.5, 0.25, 0.5, -1
  CHECK(repeated.pick(std::array{-3.5f, -1.0f, -2.0f, -1.0f, -3.8f}.data()) == 0);

  // The other two penalties are for generated tokens alone.
  options.repetition_penalty = 1;
  options.presence_penalty = 0.5f;
  Sampler present = sampler(options);
  present.note(1, Sampler::Origin::kPrompt);
  CHECK(present.pick(kLogits) == 1);
  for (int i = 0; i < 9; ++i) present.note(1, Sampler::Origin::kGenerated);
  CHECK(present.pick(std::array{0.0f, 2.0f, 1.4f, 0.0f, 0.0f}.data()) == 1);
  CHECK(present.pick(std::array{0.0f, 2.0f, 1.6f, 0.0f, 0.0f}.data()) == 2);
  options.frequency_penalty = 0.25f;
  Sampler frequent = sampler(options);
  for (int i = 0; i < 2; ++i) frequent.note(1, Sampler::Origin::kGenerated);
  CHECK(frequent.pick(std::array{0.0f, 2.0f, 0.9f, 0.0f, 0.0f}.data()) == 1);
  CHECK(frequent.pick(std::array{0.0f, 2.0f, 1.1f, 0.0f, 0.0f}.data()) == 2);
}

TEST_CASE("Where a logit is infinite or no number, the most probable token is taken") {
  const float infinity = std::numeric_limits<float>::infinity(), none = std::nanf("");
  SamplingOptions options;
  for (const float temperature : {0.0f, 1e-38f, 1.0f}) {
    for (const float top_p : {0.5f, 1.0f}) {
      CAPTURE(temperature);
      options.temperature = temperature;
      options.top_p = top_p;
      Sampler source = sampler(options);
      CHECK(source.pick(std::array{0.0f, none, 2.0f, 1.0f, none}.data()) == 2);
      CHECK(source.pick(std::array{none, none, none, none, none}.data()) == 0);
      CHECK(source.pick(std::array{0.0f, 1.0f, infinity, 3.0f, infinity}.data()) == 2);
      CHECK(source.pick(std::array{0.0f, 1.0f, -infinity, 40.0f, 0.0f}.data()) == 3);
    }
  }
}

TEST_CASE("Sampling options out of range are refused by name") {
  SamplingOptions options;
  options.temperature = -1;
  CHECK(refusal(options) == "temperature: -1 (expected 0 to 100)");
  options.temperature = std::nanf("");
  CHECK(refusal(options).find("temperature") == 0);
  options = {};
  options.top_k = -2;
  CHECK(refusal(options) == "topK: -2 (expected 0 (all) or more)");
  options = {};
  options.top_p = 0;
  CHECK(refusal(options) == "topP: 0 (expected a number above 0, up to 1)");
  options = {};
  options.min_p = 1.5f;
  CHECK(refusal(options) == "minP: 1.5 (expected 0 to 1)");
  options = {};
  options.repetition_penalty = 0;
  CHECK(refusal(options) == "repetitionPenalty: 0 (expected a number above 0, up to 100)");
  options = {};
  options.presence_penalty = -101;
  CHECK(refusal(options) == "presencePenalty: -101 (expected -100 to 100)");
  options = {};
  options.frequency_penalty = std::nanf("");
  CHECK(refusal(options).find("frequencyPenalty: ") == 0);
}

}  // namespace wf
