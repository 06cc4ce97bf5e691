#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kMaxDistance, kMaxRight, kRelativeValues, kRelativeQueries, kQueryMinusKey, kClips };

int bucket(const OptionValues& options, int query_position, int key_position) {
  const int left = static_cast<int>(options[kMaxDistance]);
  const int right = options[kMaxRight] < 0 ? left : static_cast<int>(options[kMaxRight]);
  const int r = std::min(std::max(key_position - query_position, -left), right);
  return options[kQueryMinusKey] != 0 ? right - r : r + left;
}

const reference::RegisteredTwin twin(
    "shaw",
    {
        .bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int, int query_position,
               int key_position, const reference::Row& q, const reference::Row& k) {
              const double asks = options[kRelativeQueries];
              double sum = 0;
              for (int c = 0; c < shape.head_dim; ++c)
                sum +=
                    (q[c] + asks * k[c]) *
                    parameters[0]
                              [bucket(options, query_position, key_position) * shape.head_dim + c];
              return sum * shape.logit_scale;
            },
        .value =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int, int query_position,
               int key_position) {
              reference::Row beside(shape.value_channels(), 0.0);
              if (options[kRelativeValues] != 0)
                for (int c = 0; c < shape.value_channels(); ++c)
                  beside[c] = parameters[1][bucket(options, query_position, key_position) *
                                                shape.value_channels() +
                                            c];
              return beside;
            },
    // A table without clipping must cover all distances between the tests' positions.
        .complete =
            [](const SchemeShape&, OptionValues& options) {
              if (options[kClips] == 0)
                options.values[kMaxDistance] = std::max(options[kMaxDistance], 30.0);
            },
    });

// Returns a case with n = 3, D = 2, k = 1 and no mask.
contract::AttentionCase small_case() {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxDistance] = 1;
  contract::AttentionCase problem(
      entry, options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 2, .queries = 3, .keys = 3}, false,
      1);
  problem.q = {1, 0, .5f, 1, -1, 2};
  problem.k = {1, 1, 0, 1, 2, -1};
  problem.v = {1, 0, 0, 1, 1, 1};
  problem.parameters[0] = {.1f, .2f, 0, 0, -.3f, .4f};
  problem.parameters[1] = {.5f, 0, 0, 0, 0, -.5f};
  return problem;
}

TEST_CASE("three tokens with clipping distance one give the reference logits and outputs") {
  contract::AttentionCase problem = small_case();
  auto recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 1, 2, 3, 3).take();
  REQUIRE(problem.forward(&recorder).ok());
  const double logits[9] = {0.7071067812, -0.2121320344, 1.202081528, 1.237436867, 0.7071067812,
                            0.1767766953, 0.9192388155,  1.626345597, -2.828427125};
  const double output[6] = {0.8687772785, 0.3354873152, 0.9543011575,
                            0.3936262715, 0.8315497704, 0.6723124698};
  for (int i = 0; i < 9; ++i) CHECK(std::abs(recorder.logits()[i] - logits[i]) < 1e-6);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(problem.output[i] - output[i]) < 1e-6);
}

TEST_CASE("turning the sign of the offset is turning the table round") {
  contract::AttentionCase problem = small_case();
  std::swap_ranges(problem.parameters[0].begin(), problem.parameters[0].begin() + 2,
                   problem.parameters[0].begin() + 4);
  auto recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 1, 2, 3, 3).take();
  REQUIRE(problem.forward(&recorder).ok());
  const double flipped[9] = {0.7071067812, 0.07071067812, 1.48492424,  1.237436867, 0.7071067812,
                             0.1767766953, 1.48492424,    2.192031022, -2.828427125};
  for (int i = 0; i < 9; ++i) CHECK(std::abs(recorder.logits()[i] - flipped[i]) < 1e-6);
}

TEST_CASE("rows in the order of query minus key are the same table read from its end") {
  contract::AttentionCase forwards = small_case();
  OptionValues options = default_options(forwards.entry().description[0]);
  options.values[kMaxDistance] = 1;
  options.values[kQueryMinusKey] = 1;
  contract::AttentionCase backwards(forwards.entry(), options, forwards.sizes(), false, 1);
  backwards.q = forwards.q;
  backwards.k = forwards.k;
  backwards.v = forwards.v;
  for (int table = 0; table < 2; ++table)
    for (int row = 0; row < 3; ++row)
      for (int c = 0; c < 2; ++c)
        backwards.parameters[table][2 * row + c] = forwards.parameters[table][2 * (2 - row) + c];
  REQUIRE(forwards.forward().ok());
  REQUIRE(backwards.forward().ok());
  CHECK(backwards.output == forwards.output);
}

TEST_CASE("limits of their own to the left and to the right need a row for each distance between") {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxDistance] = 64;
  options.values[kMaxRight] = 8;
  const SchemeInstance shaw =
      make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4}, options).take();
  CHECK(shaw.scheme->parameters()[0].rows == 73);
}

TEST_CASE(
    "a clipping distance of zero adds the same to every key of a row: weights are untouched") {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxDistance] = 0;
  contract::AttentionCase one(entry, options, {}, true, 5);
  contract::AttentionCase none(*find_scheme("nope").value(), {}, {}, true, 5);
  auto with = Recorder::make(kRecordWeights, {}, one.schemes(), 4, 8, 9, 9).take();
  auto without = Recorder::make(kRecordWeights, {}, none.schemes(), 4, 8, 9, 9).take();
  REQUIRE(one.forward(&with).ok());
  REQUIRE(none.forward(&without).ok());
  for (std::size_t i = 0; i < with.weights().size(); ++i)
    CHECK(std::abs(with.weights()[i] - without.weights()[i]) < 1e-6);
}

TEST_CASE(
    "without clipping a distance beyond the table is refused, on either side, and none before it") {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  OptionValues options = default_options(*entry.description);
  options.values[kMaxDistance] = 30;
  options.values[kMaxRight] = 5;
  const auto run = [&](bool clips, std::int32_t query, std::int32_t key) {
    options.values[kClips] = clips;
    contract::AttentionCase one(entry, options, {.queries = 1, .keys = 1}, false, 5);
    one.query_positions = {query};
    one.key_positions = {key};
    return one.forward();
  };
  for (const auto& [query, key] : {std::pair{30, 0}, {0, 5}, {1000, 1003}}) {
    CHECK(run(false, query, key).ok());
    CHECK(run(true, query, key).ok());
  }
  for (const auto& [query, key] : {std::pair{31, 0}, {0, 6}}) {
    CHECK(run(true, query, key).ok());
    CHECK(run(false, query, key).code() == Code::kInvalidArgument);
  }
  CHECK(std::string(run(false, 31, 0).message()) ==
        "positions: distances from -31 to -31 between query and key (expected -30 to 5 without "
        "clips)");
}

TEST_CASE("the tables do not grow with the length of the text") {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  const SchemeInstance shaw =
      make_scheme(entry, {.num_heads = 8, .num_kv_heads = 8, .head_dim = 64},
                  default_options(*entry.description))
          .take();
  REQUIRE(shaw.scheme->parameters().size() == 2);
  for (const ParameterSpec& spec : shaw.scheme->parameters())
    CHECK(spec.size() == (2 * 16 + 1) * 64);
}

}  // namespace
}  // namespace wf
