// The values that a row keeps from tile to tile (maximum, sum, weighted sum of values), computed
// from the results: the sum is e^(log_sum_exp - maximum), the weighted sum is output times that.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "attention/running_softmax.h"
#include "contract/attention_case.h"

namespace wf {
namespace {

struct State {
  double total, weighted;
};

// ALiBi with slope 1/2 and four visible keys at distances 0 to 3, the third and fourth in a second
// tile; keys between them are hidden. `tiles`: 1 for the first tile alone, or 2.
struct TwoTiles {
  static constexpr int kTile = contract::kTileKeys, kKeys = kTile + 2;
  static constexpr int kPlaces[4] = {0, 1, kTile, kTile + 1};

  contract::AttentionCase problem;
  std::vector<std::uint8_t> allowed;

  static contract::AttentionCase make(int keys) {
    const SchemeEntry& alibi = *find_scheme("alibi").value();
    OptionValues options = default_options(*alibi.description);
    REQUIRE(set_option(*alibi.description, options, "biasMax", 1).ok());
    return contract::AttentionCase(
        alibi, options,
        {.heads = 1, .kv_heads = 1, .head_dim = 1, .value_dim = 1, .queries = 1, .keys = keys},
        false, 1);
  }

  explicit TwoTiles(int tiles)
      : problem(make(tiles == 1 ? 2 : kKeys)), allowed(problem.k.size(), 0) {
    const float scores[4] = {1, -2, 3, .5f};
    problem.config.scale = 1;
    problem.q = {1};
    problem.query_positions = {3};
    for (int i = 0; i < 2 * tiles; ++i) {
      const int at = kPlaces[i];
      allowed[at] = 1;
      problem.k[at] = scores[i];
      problem.v[at] = static_cast<float>(i + 1);
      problem.key_positions[at] = 3 - i;
    }
    problem.mask.given = {.allowed = allowed.data(), .column_stride = 1};
  }

  State after(double maximum) {
    const double total = std::exp(problem.saved().log_sum_exp[0] - maximum);
    return {total, problem.output[0] * total};
  }
};

TEST_CASE(
    "maximum, sum and weighted sum after each tile are those of the online softmax, bias "
    "included") {
  TwoTiles one(1);
  REQUIRE(one.problem.forward().ok());
  const State first = one.after(1);  // the larger of 1 and -2 - 0.5
  CHECK(std::abs(first.total - 1.030197383) < 1e-6);
  CHECK(std::abs(first.weighted - 1.060394767) < 1e-6);

  TwoTiles both(2);
  REQUIRE(both.problem.forward().ok());
  const State second = both.after(2);  // 3 - 1: the first tile's sums shrink by 1/e
  CHECK(std::abs(second.total - 1.428775506) < 1e-6);
  CHECK(std::abs(second.weighted - 3.589245708) < 2e-6);
  CHECK(std::abs(both.problem.saved().log_sum_exp[0] - 2.356817788) < 1e-6);
  CHECK(std::abs(both.problem.output[0] - 2.512113129) < 1e-6);
}

TEST_CASE("a first tile in which nothing is visible leaves the sums of the second alone") {
  TwoTiles both(2);
  both.allowed[0] = both.allowed[1] = 0;
  REQUIRE(both.problem.forward().ok());
  // The sum of 1 and e^(0.5 - 1.5 - 2).
  CHECK(std::abs(both.after(2).total - (1 + std::exp(-3.0))) < 1e-6);
  both.allowed.assign(both.allowed.size(), 0);
  REQUIRE(both.problem.forward().ok());
  CHECK(both.problem.saved().log_sum_exp[0] == -std::numeric_limits<float>::infinity());
  CHECK(both.problem.output[0] == 0);
}

TEST_CASE("logits far below zero in every tile leave the output as it is") {
  TwoTiles both(2);
  for (int place : TwoTiles::kPlaces) both.problem.k[place] -= 100;
  REQUIRE(both.problem.forward().ok());
  CHECK(std::abs(both.problem.saved().log_sum_exp[0] - (2.356817788 - 100)) < 2e-5);
  CHECK(std::abs(both.problem.output[0] - 2.512113129) < 1e-5);
}

TEST_CASE("values of a tile whose weights are all 0 are not read") {
  const SchemeEntry& alibi = *find_scheme("alibi").value();
  OptionValues options = default_options(*alibi.description);
  REQUIRE(set_option(*alibi.description, options, "biasMax", 1).ok());
  constexpr int kTile = contract::kTileKeys, kTokens = 3 * kTile;
  contract::AttentionCase problem(alibi, options,
                                  {.heads = 1,
                                   .kv_heads = 1,
                                   .head_dim = 4,
                                   .value_dim = 1,
                                   .queries = kTokens,
                                   .keys = kTokens},
                                  true, 5);
  REQUIRE(problem.forward().ok());
  const std::vector<float> whole(problem.output.begin(), problem.output.end());
  // With a slope of 1/2, keys of the first tile are at least a tile away from the queries of the
  // third. Their logits are at least half a tile below the nearest key's, so that their weights are
  // 0.
  for (int key = 0; key < kTile; ++key) problem.v[key] = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(problem.forward().ok());
  CHECK(std::isnan(problem.output[kTile]));
  for (int row = 2 * kTile; row < kTokens; ++row) CHECK(problem.output[row] == whole[row]);
}

TEST_CASE("a number for all logits of a row may be as large as it likes") {
  // In Shaw's scheme all far keys of a tile share one key vector; here their logits are in the
  // hundreds.
  const SchemeEntry& shaw = *find_scheme("shaw").value();
  contract::AttentionCase problem(
      shaw, default_options(*shaw.description),
      {.heads = 1, .kv_heads = 1, .head_dim = 4, .value_dim = 2, .queries = 500, .keys = 500}, true,
      3);
  for (auto& table : problem.parameters)
    for (float& value : table) value *= 200;
  REQUIRE(problem.forward().ok());
  const auto twin = problem.twin();
  double size = 0;
  for (const auto& row : twin.output[0])
    for (const double x : row) size = std::max(size, std::abs(x));
  CHECK(contract::largest_difference(problem.output, twin.output) < 2e-3 * size);
}

TEST_CASE("a call after one with numbers that are none begins anew") {
  TwoTiles both(2);
  const float score = both.problem.k[0];
  both.problem.k[0] = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(both.problem.forward().ok());
  both.problem.k[0] = score;
  REQUIRE(both.problem.forward().ok());
  CHECK(std::abs(both.problem.output[0] - 2.512113129) < 1e-6);
}

TEST_CASE("sums begin at nothing, whatever lay in their memory") {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  float output[2] = {kNone, kNone};
  std::vector<float> memory(detail::RunningSoftmax::kFloats, kNone);
  detail::RunningSoftmax running({}, {output, 1, 2, 2}, memory.data(), nullptr);
  running.clear();
  running.offsets()[0] = 0;
  float logits[2] = {1, 1};
  running.take(0, logits, 2);
  CHECK(std::abs(running.finish(0) - (1 + std::log(2.0f))) < 1e-6);
  for (const float value : output) CHECK(value == 0);
}

TEST_CASE("a sink far below the logits takes nothing, one far above takes all") {
  for (const float sink : {-200.0f, 200.0f}) {
    // Enough logits that a sum of exponentials relative to a sink far below would be infinite, or
    // the largest float, so that the logits could not be distinguished.
    float logits[8] = {1, 2, 1, 2, 1, 2, 1, 2};
    detail::softmax_with_sink(logits, 8, &sink);
    const double second = sink < 0 ? 0.25 / (1 + std::exp(-1.0)) : 0;
    for (int i = 0; i < 8; ++i)
      CHECK(std::abs(logits[i] - (i % 2 ? second : second * std::exp(-1.0))) < 1e-7);
  }
}

}  // namespace
}  // namespace wf
