#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

const reference::RegisteredTwin twin(
    "cope", {
                .row_bias =
                    [](const reference::TwinShape& shape, const OptionValues& options,
                       const std::vector<reference::Row>& parameters, int, int,
                       const std::vector<std::int32_t>&, const reference::Row& mask,
                       const reference::Row& q, const std::vector<reference::Row>& keys,
                       reference::Row& logits) {
                      const int last = static_cast<int>(options[0]) - 1;
                      const auto at = [&](int position) {
                        double sum = 0;
                        for (int c = 0; c < shape.head_dim; ++c)
                          sum += q[c] * parameters[0][position * shape.head_dim + c];
                        return options[1] != 0 ? sum * shape.logit_scale : sum;
                      };
                      reference::Row biased = logits;
                      for (std::size_t j = 0; j < keys.size(); ++j) {
                        double count = 0;
                        for (std::size_t t = j; t < keys.size(); ++t)
                          count += 1 / (1 + std::exp(-(logits[t] + mask[t])));
                        const double clamped = std::min(count, double(last));
                        const int low = static_cast<int>(std::floor(clamped)),
                                  high = static_cast<int>(std::ceil(clamped));
                        biased[j] += at(low) + (clamped - low) * (at(high) - at(low));
                      }
                      logits = biased;
                    },
            });

// One query and four keys in two channels, with a table of four rows.
contract::AttentionCase four_keys(const std::vector<float>& table) {
  const SchemeEntry& entry = *find_scheme("cope").value();
  OptionValues options = default_options(*entry.description);
  options.values[0] = 4;
  contract::AttentionCase row(
      entry, options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 1, .keys = 4}, false,
      1);
  row.q = {1, .5f};
  row.k = {.2f, 1, 1, -1, .5f, .5f, 1, 1};
  row.parameters[0] = table;
  return row;
}

TEST_CASE("gates count leftwards from the query, its own token's included") {
  // Rows (p, 0): the bias is the position itself.
  contract::AttentionCase row = four_keys({0, 0, 1, 0, 2, 0, 3, 0});
  auto recorder = Recorder::make(kRecordTerms, {}, row.schemes(), 1, 2, 1, 4).take();
  REQUIRE(row.forward(&recorder).ok());
  const double gates[4] = {0.6212776533, 0.5874790008, 0.629560096, 0.7428166848};
  const double positions[4] = {2.581133435, 1.959855782, 1.372376781, 0.7428166848};
  for (int j = 0; j < 4; ++j) {
    const float after = j < 3 ? recorder.term(1)[j + 1] : 0;
    CHECK(std::abs(recorder.term(1)[j] - positions[j]) < 1e-6);
    CHECK(std::abs(recorder.term(1)[j] - after - gates[j]) < 1e-6);
  }
}

TEST_CASE("the table is read between its rows") {
  contract::AttentionCase row = four_keys({.1f, 0, .2f, -.1f, .3f, .4f, -.2f, .1f});
  auto recorder =
      Recorder::make(kRecordWeights | kRecordTerms, {}, row.schemes(), 1, 2, 1, 4).take();
  REQUIRE(row.forward(&recorder).ok());
  const double bias[4] = {0.1222632673, 0.4859495236, 0.2803318733, 0.1371408342};
  const double weights[4] = {0.1905000119, 0.2379158779, 0.2311521616, 0.3404319487};
  for (int j = 0; j < 4; ++j) {
    CHECK(std::abs(recorder.term(1)[j] - bias[j]) < 1e-6);
    CHECK(std::abs(recorder.weights()[j] - weights[j]) < 1e-6);
  }
}

TEST_CASE("with all gates open the count is the distance plus one, clamped to the table") {
  const SchemeEntry& entry = *find_scheme("cope").value();
  OptionValues options = default_options(*entry.description);
  options.values[0] = 5;
  contract::AttentionCase row(
      entry, options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 1, .keys = 7}, false,
      1);
  // Logits of 1000, so that every gate is exactly 1. The table's second channel is the row's index.
  row.q = {1, 1};
  for (int j = 0; j < 7; ++j) {
    row.k[2 * j] = 1415;
    row.k[2 * j + 1] = 0;
  }
  for (int p = 0; p < 5; ++p) {
    row.parameters[0][2 * p] = 0;
    row.parameters[0][2 * p + 1] = static_cast<float>(p);
  }
  auto recorder = Recorder::make(kRecordTerms, {}, row.schemes(), 1, 2, 1, 7).take();
  REQUIRE(row.forward(&recorder).ok());
  for (int j = 0; j < 7; ++j) CHECK(recorder.term(1)[j] == std::min(7 - j, 4));
}

TEST_CASE("a table of zeros leaves attention as it is") {
  const SchemeEntry& entry = *find_scheme("cope").value();
  contract::AttentionCase zero(entry, default_options(*entry.description), {}, true, 6);
  std::fill(zero.parameters[0].begin(), zero.parameters[0].end(), 0.0f);
  contract::AttentionCase none(*find_scheme("nope").value(), {}, {}, true, 6);
  REQUIRE(zero.forward().ok());
  REQUIRE(none.forward().ok());
  CHECK(contract::largest_difference(zero.output, none.output) == 0);
}

TEST_CASE("counts and their gradients cross the edges of tiles") {
  const SchemeEntry& entry = *find_scheme("cope").value();
  OptionValues options = default_options(*entry.description);
  options.values[0] = 100;
  constexpr int kTile = contract::kTileKeys, kTokens = kTile + 44;
  contract::AttentionCase wide(entry, options,
                               {.heads = 1,
                                .kv_heads = 1,
                                .head_dim = 2,
                                .value_dim = 1,
                                .queries = kTokens,
                                .keys = kTokens},
                               true, 7);
  for (float& x : wide.parameters[0]) x *= 0.2f;
  const std::vector<float> probe = contract::random_values(kTokens, 8);
  REQUIRE(wide.forward().ok());
  CHECK(contract::largest_difference(wide.output, wide.twin().output) < 5e-5);
  REQUIRE(wide.backward(probe).ok());
  // Keys of both tiles, one of them near the end of the first; counts up to 100 are accurate to
  // 10⁻⁵ in float32.
  for (const int key : {3, kTile - 2, kTokens - 10})
    for (int c = 0; c < 2; ++c) {
      float& value = wide.k[2 * key + c];
      const float kept = value, step = 0x1p-12f;
      value = kept + step;
      const double up = wide.twin_loss(probe);
      value = kept - step;
      const double down = wide.twin_loss(probe);
      value = kept;
      CHECK(std::abs((up - down) / (2.0 * step) - wide.d_k[2 * key + c]) < 2e-3);
    }
}

}  // namespace
}  // namespace wf
