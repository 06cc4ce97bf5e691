#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kNumBuckets, kMaxDistance, kBidirectional, kPerLayer, kScaled };

// The published formula. A bucket starts where the logarithm is an integer; rounding, which may go
// either way in float32, must not decide.
int bucket_by_formula(int r, int buckets, int max_distance, bool bidirectional) {
  int offset = 0, distance = std::max(-r, 0);
  if (bidirectional) {
    buckets /= 2;
    offset = r > 0 ? buckets : 0;
    distance = std::abs(r);
  }
  const int exact = buckets / 2;
  if (distance < exact) return offset + distance;
  const double place = std::log(static_cast<double>(distance) / exact) /
                       std::log(static_cast<double>(max_distance) / exact) * (buckets - exact);
  return offset + std::min(buckets - 1, exact + static_cast<int>(place + 1e-9));
}

const reference::RegisteredTwin twin(
    "t5",
    {
        .bias =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, int query_position,
               int key_position, const reference::Row&, const reference::Row&) {
              const int bucket =
                  bucket_by_formula(key_position - query_position, int(options[kNumBuckets]),
                                    int(options[kMaxDistance]), options[kBidirectional] != 0);
              return parameters[0][bucket * shape.num_heads + head];
            },
        .scale = [](const SchemeShape&,
                    const OptionValues& options) { return options[kScaled] != 0 ? 0.0 : 1.0; },
    });

SchemeInstance make_t5(double bidirectional, double buckets = 32, double max_distance = 128) {
  const SchemeEntry& entry = *find_scheme("t5").value();
  OptionValues options = default_options(*entry.description);
  options.values[kBidirectional] = bidirectional;
  options.values[kNumBuckets] = buckets;
  options.values[kMaxDistance] = max_distance;
  auto made = make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 4}, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

// Returns the buckets of distances from `low` to `high`, found with a table whose rows contain
// their index.
std::vector<int> buckets_of(const SchemeInstance& t5, int low, int high) {
  std::vector<float> table(4096), strip(high - low);
  for (int b = 0; b < 4096; ++b) table[b] = static_cast<float>(b);
  const float* values[] = {table.data()};
  LayerContext context;
  context.values = values;
  t5.scheme->distance_strip(context, 0, low, high, strip.data());
  return {strip.begin(), strip.end()};
}

TEST_CASE("buckets equal the published formula at every distance") {
  for (const bool bidirectional : {false, true}) {
    const std::vector<int> got = buckets_of(make_t5(bidirectional), -1200, 1201);
    for (int r = -1200; r <= 1200; ++r) {
      CAPTURE(r);
      CHECK(got[r + 1200] == bucket_by_formula(r, 32, 128, bidirectional));
    }
  }
}

TEST_CASE("buckets begin where the reference's do, also where the formula is a whole number") {
  const std::vector<int> both = buckets_of(make_t5(1), -1000, 129);
  const std::map<int, int> bidirectional = {{-1000, 15}, {-91, 15}, {-90, 14}, {-64, 14},
                                            {-17, 10},   {-8, 8},   {0, 0},    {1, 17},
                                            {7, 23},     {8, 24},   {12, 25},  {128, 31}};
  for (const auto& [r, bucket] : bidirectional) CHECK(both[r + 1000] == bucket);
  const std::vector<int> one = buckets_of(make_t5(0), -1000, 6);
  const std::map<int, int> unidirectional = {{-1000, 31}, {-128, 31}, {-91, 29}, {-64, 26},
                                             {-32, 21},   {-16, 16},  {0, 0},    {5, 0}};
  for (const auto& [r, bucket] : unidirectional) CHECK(one[r + 1000] == bucket);
  const int starts[] = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
  for (int b = 0; b < 16; ++b) {
    CHECK(one[1000 - starts[b]] == 16 + b);
    CHECK(one[1000 - starts[b] + 1] == 15 + b);
  }
}

TEST_CASE("a constant added to a head's table leaves its weights alone") {
  const SchemeEntry& entry = *find_scheme("t5").value();
  contract::AttentionCase problem(entry, default_options(*entry.description), {}, true, 3);
  REQUIRE(problem.forward().ok());
  const std::vector<float> before = problem.output;
  for (float& x : problem.parameters[0]) x += 2;
  REQUIRE(problem.forward().ok());
  CHECK(contract::largest_difference(problem.output, before) < 5e-6);
}

TEST_CASE("the table is the stack's, or each layer's own where asked") {
  const SchemeEntry& entry = *find_scheme("t5").value();
  OptionValues options = default_options(*entry.description);
  const SchemeShape shape = {.num_heads = 12, .num_kv_heads = 12, .head_dim = 64};
  const SchemeInstance shared = make_scheme(entry, shape, options).take();
  options.values[kPerLayer] = 1;
  const SchemeInstance own = make_scheme(entry, shape, options).take();
  CHECK(shared.scheme->parameters()[0].scope == ParameterScope::kModel);
  CHECK(own.scheme->parameters()[0].scope == ParameterScope::kLayer);
  CHECK(shared.scheme->parameters()[0].size() == 384);
}

TEST_CASE("sizes that leave no room for logarithmic buckets are refused") {
  const SchemeEntry& entry = *find_scheme("t5").value();
  OptionValues options = default_options(*entry.description);
  const SchemeShape shape = {.num_heads = 1, .num_kv_heads = 1, .head_dim = 4};
  options.values[kMaxDistance] = 16;
  CHECK(make_scheme(entry, shape, options).status().code() == Code::kInvalidArgument);
  options.values[kMaxDistance] = 128;
  options.values[kNumBuckets] = 33;
  options.values[kBidirectional] = 1;
  CHECK(make_scheme(entry, shape, options).status().code() == Code::kInvalidArgument);
}

}  // namespace
}  // namespace wf
