#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum {
  kMaxRelativePositions,
  kPositionBuckets,
  kShareProjections,
  kPaperIndex,
  kContentToPosition,
  kPositionToContent,
  kNormalisesTable,
  kClampsDistance
};

int table_row(const OptionValues& options, int offset) {
  const int most = static_cast<int>(options[kMaxRelativePositions]);
  const int buckets = static_cast<int>(options[kPositionBuckets]);
  const int span = buckets > 0 ? buckets : most;
  const double middle = buckets / 2;
  if (buckets > 0 && options[kClampsDistance] != 0)
    offset = std::min(std::max(offset, 1 - most), most - 1);
  if (buckets > 0 && std::abs(offset) > middle) {
    const double bucket = std::ceil(std::log(std::abs(offset) / middle) /
                                    std::log((most - 1) / middle) * (middle - 1)) +
                          middle;
    offset = static_cast<int>(offset < 0 ? -bucket : bucket);
  }
  return std::max(0, std::min(2 * span - 1, offset + span));
}

// Returns row `row` of the table, projected by the rows of `weight` [heads·D, E] that belong to
// `head`.
reference::Row projected(const SchemeShape& shape, const reference::Row& table,
                         const reference::Row& weight, int head, int row) {
  reference::Row result(shape.head_dim, 0.0);
  for (int c = 0; c < shape.head_dim; ++c)
    for (int e = 0; e < shape.width; ++e)
      result[c] += weight[std::size_t(head * shape.head_dim + c) * shape.width + e] *
                   table[std::size_t(row) * shape.width + e];
  return result;
}

double product(const reference::Row& a, const reference::Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Returns the table with LayerNorm applied to row `row`.
reference::Row normalised(const SchemeShape& shape, const reference::Row& table, int row,
                          const reference::Row& weight, const reference::Row& bias) {
  const double* x = table.data() + std::size_t(row) * shape.width;
  double mean = 0, variance = 0;
  for (int e = 0; e < shape.width; ++e) mean += x[e] / shape.width;
  for (int e = 0; e < shape.width; ++e) variance += (x[e] - mean) * (x[e] - mean) / shape.width;
  reference::Row result = table;
  for (int e = 0; e < shape.width; ++e)
    result[std::size_t(row) * shape.width + e] =
        (x[e] - mean) / std::sqrt(variance + 1e-7) * weight[e] + bias[e];
  return result;
}

double divisor(const SchemeShape& shape, const OptionValues& options) {
  return std::sqrt((1 + options[kContentToPosition] + options[kPositionToContent]) *
                   shape.head_dim);
}

const reference::RegisteredTwin twin(
    "deberta",
    {
        .bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, int query_position,
               int key_position, const reference::Row& q, const reference::Row& k) {
              // Order of the parameters: the table, the scheme's key and query weights, the norm;
              // then the layer's query and key weights.
              const bool shares = options[kShareProjections] != 0,
                         norm = options[kNormalisesTable] != 0;
              const std::size_t norm_at = shares ? 1 : 3, layer_at = norm ? 3 : 1;
              const reference::Row& key_weight = parameters[shares ? layer_at + 1 : 1];
              const reference::Row& query_weight = parameters[shares ? layer_at : 2];
              const int offset = query_position - key_position;
              const int kv_head = head / (shape.num_heads / shape.num_kv_heads);
              const auto looked_up = [&](const reference::Row& weight, int of_head, int row) {
                return projected(shape,
                                 norm ? normalised(shape, parameters[0], row, parameters[norm_at],
                                                   parameters[norm_at + 1])
                                      : parameters[0],
                                 weight, of_head, row);
              };
              double sum = 0;
              if (options[kContentToPosition] != 0)
                sum += product(q, looked_up(key_weight, kv_head, table_row(options, offset)));
              if (options[kPositionToContent] != 0)
                sum += product(
                    k, looked_up(query_weight, head,
                                 table_row(options, options[kPaperIndex] != 0 ? -offset : offset)));
              return sum * shape.logit_scale;
            },
        .scale = [](const SchemeShape& shape,
                    const OptionValues& options) { return 1 / divisor(shape, options); },
    });

TEST_CASE("two tokens give the reference logits, by the code's index and by the paper's") {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  for (const bool paper : {false, true}) {
    OptionValues options = default_options(*entry.description);
    options.values[kMaxRelativePositions] = 2;
    options.values[kShareProjections] = 0;
    options.values[kPaperIndex] = paper;
    contract::AttentionCase problem(
        entry, options,
        {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 2, .queries = 2, .keys = 2}, false,
        1);
    problem.q = {1, 0, .5f, -1};
    problem.k = {.2f, .4f, -1, 1};
    // With E = D = 2 and W_k the identity, the table is Kr. Qr = Kr · W_qᵀ cannot be an arbitrary
    // table, so each of the two terms is computed in a call of its own.
    const std::vector<float> key_rows = {.3f, 0, 0, .5f, -.2f, .1f, .7f, -.4f};
    const std::vector<float> query_rows = {.1f, .1f, .2f, -.3f, .4f, 0, -.5f, .6f};
    const std::vector<float> identity = {1, 0, 0, 1}, zero = {0, 0, 0, 0};
    auto recorder = Recorder::make(kRecordTerms, {}, problem.schemes(), 1, 2, 2, 2).take();
    problem.parameters = {key_rows, identity, zero};
    REQUIRE(problem.forward(&recorder).ok());
    std::vector<double> logits(4);
    for (int i = 0; i < 4; ++i) logits[i] = recorder.term(0)[i] + recorder.term(1)[i];
    problem.parameters = {query_rows, zero, identity};
    REQUIRE(problem.forward(&recorder).ok());
    for (int i = 0; i < 4; ++i) logits[i] += recorder.term(2)[i];
    const double by_code[4] = {0.03265986324, -0.6123724357, 0.2408664914, -0.85732141};
    const double by_paper[4] = {0.03265986324, 0.04082482905, 0.1510518675, -0.85732141};
    for (int i = 0; i < 4; ++i) CHECK(std::abs(logits[i] - (paper ? by_paper : by_code)[i]) < 1e-6);
  }
}

// Returns the table rows used by offsets from `low` to `high`, found with a table whose rows
// contain their index.
std::vector<int> buckets_of(int buckets, int most, int low, int high, bool clamps = false) {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxRelativePositions] = most;
  options.values[kPositionBuckets] = buckets;
  options.values[kShareProjections] = 0;
  options.values[kClampsDistance] = clamps;
  const int count = high - low;
  contract::AttentionCase problem(
      entry, options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 1, .keys = count},
      false, 1);
  problem.q = {1, 0};
  problem.query_positions = {high - 1};
  for (int s = 0; s < count; ++s) problem.key_positions[s] = s;
  for (int r = 0; r < 2 * buckets; ++r)
    problem.parameters[0][2 * r] = static_cast<float>(r - buckets);
  problem.parameters[1] = {1, 0, 0, 1};
  problem.parameters[2] = {0, 0, 0, 0};
  auto recorder = Recorder::make(kRecordTerms, {}, problem.schemes(), 1, 2, 1, count).take();
  REQUIRE(problem.forward(&recorder).ok());
  std::vector<int> result;
  for (int offset = low; offset < high; ++offset)
    result.push_back(
        static_cast<int>(std::lround(recorder.term(1)[high - 1 - offset] * std::sqrt(6.0))));
  return result;
}

TEST_CASE("distances fall into the reference's logarithmic buckets") {
  const std::vector<int> large = buckets_of(256, 512, 0, 600);
  const std::map<int, int> expected = {{128, 128}, {129, 129}, {130, 130}, {150, 143},
                                       {200, 169}, {256, 192}, {300, 207}, {400, 233},
                                       {500, 254}, {511, 255}, {599, 255}};
  for (const auto& [at, bucket] : expected) {
    const int offset = at;  // clang 14 cannot capture a structured binding
    CAPTURE(offset);
    CHECK(large[offset] == bucket);
  }
  CHECK(buckets_of(8, 16, 0, 16) ==
        std::vector<int>{0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7});
}

TEST_CASE("far before the query Microsoft's code stops a row earlier than Hugging Face's") {
  const int low = -600;
  const std::vector<int> ours = buckets_of(256, 512, low, 600),
                         clamped = buckets_of(256, 512, low, 600, true);
  CHECK(ours[-511 - low] == -255);
  CHECK(ours[-512 - low] == -256);
  CHECK(clamped[-512 - low] == -255);
  for (int offset = -600; offset < 600; ++offset) {
    CAPTURE(offset);
    CHECK(clamped[offset - low] == (offset < -511 ? -255 : ours[offset - low]));
  }
}

TEST_CASE("more buckets than distances: those that none falls into are passed over") {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxRelativePositions] = 6;
  options.values[kPositionBuckets] = 7;
  const contract::Sizes sizes = {.queries = 24, .keys = 24};
  contract::AttentionCase problem(entry, options, sizes, false, 3);
  REQUIRE(problem.forward().ok());
  const reference::TwinResult twin = problem.twin();
  double most = 0;
  for (std::size_t i = 0; i < problem.output.size(); ++i) {
    const std::size_t row = i / sizes.value_dim;
    const double expected =
        twin.output[row / sizes.queries][row % sizes.queries][i % sizes.value_dim];
    most = std::max(most, std::abs(problem.output[i] - expected));
  }
  CHECK(most < 2e-5);
  const std::vector<float> probe = contract::random_values(problem.output.size(), 4);
  REQUIRE(problem.backward(probe).ok());
  const float step = 0x1p-10f;
  for (std::size_t i = 0; i < problem.q.size(); i += 29) {
    const float before = problem.q[i];
    problem.q[i] = before + step;
    const double above = problem.twin_loss(probe);
    problem.q[i] = before - step;
    const double below = problem.twin_loss(probe);
    problem.q[i] = before;
    CHECK(std::abs((above - below) / (2 * step) - problem.d_q[i]) < 1e-3);
  }
}

TEST_CASE("a table of zeros leaves attention with a scale of 1/sqrt(3 D), not 1/sqrt(D)") {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  contract::AttentionCase zero(entry, default_options(*entry.description), {}, true, 6);
  std::fill(zero.parameters[0].begin(), zero.parameters[0].end(), 0.0f);
  contract::AttentionCase none(*find_scheme("nope").value(), {}, {}, true, 6);
  none.config.scale = 1 / std::sqrt(24.0f);
  REQUIRE(zero.forward().ok());
  REQUIRE(none.forward().ok());
  CHECK(contract::largest_difference(zero.output, none.output) < 1e-7);
}

TEST_CASE("sharing a layer's projections is refused by a typed error where there is no layer") {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  contract::AttentionCase alone(entry, default_options(*entry.description), {}, true, 6);
  alone.projections.clear();
  CHECK(alone.forward().code() == Code::kUnsupported);
}

TEST_CASE("the divisor counts the products in use, and none at all is refused") {
  const SchemeEntry& entry = *find_scheme("deberta").value();
  const SchemeShape shape = {.num_heads = 2, .num_kv_heads = 2, .head_dim = 8};
  OptionValues options = default_options(*entry.description);
  options.values[kPositionToContent] = 0;
  CHECK(std::abs(make_scheme(entry, shape, options).take().scheme->logit_scale() - 0.25f) < 1e-7);
  options.values[kContentToPosition] = 0;
  CHECK(make_scheme(entry, shape, options).status().code() == Code::kInvalidArgument);
}

}  // namespace
}  // namespace wf
