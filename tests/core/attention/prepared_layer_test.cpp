// Tables that decoding keeps from step to step: equal to new ones, and renewed if parameters
// change.
#include <doctest/doctest.h>

#include <string>

#include "contract/attention_case.h"

namespace wf::contract {
namespace {

constexpr int kTokens = 40;

AttentionCase make_case(const char* id) {
  const SchemeEntry& entry = *find_scheme(id).value();
  return AttentionCase(entry, default_options(*entry.description),
                       {.heads = 2,
                        .kv_heads = 2,
                        .head_dim = 4,
                        .value_dim = 4,
                        .queries = kTokens,
                        .keys = kTokens},
                       true, 6);
}

// Decodes token number t; returns the largest difference from the output of a prefill.
double step(AttentionCase& problem, KvCache& cache, int t) {
  const AttentionInput in = problem.input();
  const auto part = [&](ConstHeads x) {
    return ConstHeads{
        x.data + t * x.row_stride, x.heads, 1, x.columns, x.head_stride, x.row_stride};
  };
  std::vector<float> row(2 * 4);
  const std::int32_t position = in.query_positions.at(t);
  REQUIRE(attention_decode(problem.config, problem.schemes(), cache, part(in.q), part(in.k),
                           part(in.v), {&position, 1}, heads_outermost(row.data(), 2, 1, 4),
                           problem.saved(), problem.scratch())
              .ok());
  REQUIRE(problem.forward().ok());
  double most = 0;
  for (int h = 0; h < 2; ++h)
    for (int c = 0; c < 4; ++c)
      most = std::max(most,
                      std::abs(double(row[h * 4 + c]) - problem.output[(h * kTokens + t) * 4 + c]));
  return most;
}

TEST_CASE(
    "a step with kept tables equals a prefill, also after any parameter changed and after a cut") {
  for (const char* id : {"transformer_xl", "fire", "deberta", "cope"}) {
    CAPTURE(std::string(id));
    AttentionCase problem = make_case(id);
    KvCache cache = KvCache::make(problem.config, kTokens).take();
    int t = 0;
    for (; t < 12; ++t) CHECK(step(problem, cache, t) < 1e-5);
    for (std::vector<float>& values : problem.parameters) {
      values.back() += .25f;
      CHECK(step(problem, cache, t++) < 1e-5);
      values.front() -= .25f;
      CHECK(step(problem, cache, t++) < 1e-5);
    }
    REQUIRE(cache.truncate(3).ok());
    CHECK(step(problem, cache, 3) < 1e-5);
    // A change of the layer's projections is not detected. Tables that depend on them are computed
    // again for an empty cache.
    for (std::vector<float>& weights : problem.projections)
      for (float& w : weights) w *= 1.5f;
    REQUIRE(cache.truncate(0).ok());
    for (t = 0; t < 10; ++t) CHECK(step(problem, cache, t) < 1e-5);
  }
}

TEST_CASE("a step computes no new table while the text's length has not doubled") {
  for (const char* id : {"transformer_xl", "fire"}) {
    CAPTURE(std::string(id));
    AttentionCase problem = make_case(id);
    const LayerSchemes list = problem.schemes();
    PreparedLayer prepared;
    constexpr float kMark = 12345;  // in the table's last number until the table is computed again
    int made = 0;
    const auto refresh = [&](int t) {
      const Positions query = {problem.query_positions.data() + t, 1},
                      keys = {problem.key_positions.data(), t + 1};
      LayerContext context = {.query_positions = query,
                              .key_positions = keys,
                              .distances = RelativeRange(query, keys),
                              .values = list.items[0].values};
      REQUIRE(PreparedLayer::keeps(context));
      REQUIRE(prepared.refresh(list.items[0], context, problem.scratch().matmul).ok());
      CHECK(context.distances.low() <= -t);
      CHECK(context.distances.low() >= -2 * t);
      float* last =
          const_cast<float*>(context.table) + list.items[0].scheme->layer_table_floats(context) - 1;
      made += *last != kMark;
      *last = kMark;
    };
    for (int t = 0; t < kTokens; ++t) refresh(t);
    CHECK(made == 8);  // for 1, 2, 3, 4, 6, 10, 18 and 34 tokens
    problem.parameters[0][0] += 1;
    refresh(kTokens - 1);
    CHECK(made == 9);
    refresh(kTokens - 1);
    CHECK(made == 9);
    prepared.forget();
    refresh(kTokens - 1);
    CHECK(made == 10);
  }
}

// A scheme with a table of one number, whose allocation fails if is_refused.
class Unaffordable : public Scheme {
 public:
  std::size_t layer_table_floats(const LayerContext&) const override {
    return is_refused ? std::size_t(-1) : 1;
  }
  void prepare_layer(const LayerContext&, float* table, MatmulScratch&) const override {
    *table = static_cast<float>(++made);
  }
  bool is_refused = false;
  mutable int made = 0;
};

TEST_CASE("a table for which there was no memory is computed when there is") {
  Unaffordable scheme;
  LayerScheme item = {.scheme = &scheme, .hooks = kHookPrepare};
  PreparedLayer prepared;
  MatmulScratch scratch;
  const std::int32_t positions[] = {0, 1, 2, 3};
  const auto refresh = [&](int t) {
    const Positions query = {positions + t, 1}, keys = {positions, t + 1};
    LayerContext context = {
        .query_positions = query, .key_positions = keys, .distances = RelativeRange(query, keys)};
    return prepared.refresh(item, context, scratch);
  };
  REQUIRE(refresh(0).ok());
  REQUIRE(scheme.made == 1);
  scheme.is_refused = true;
  CHECK(refresh(3).code() == Code::kOutOfMemory);
  scheme.is_refused = false;
  REQUIRE(refresh(3).ok());
  CHECK(scheme.made == 2);
  REQUIRE(refresh(3).ok());
  CHECK(scheme.made == 2);
}

}  // namespace
}  // namespace wf::contract
