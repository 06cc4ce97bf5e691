#include <doctest/doctest.h>

#include <cmath>

#include "attention/kv_cache.h"
#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kScaleBase, kTheta, kInterleaved };

// Computes each pair's part of the logit from the distance, so that no factor overflows.
const reference::RegisteredTwin twin(
    "xpos",
    {
        .row_bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>&, int, int query_position,
               const std::vector<std::int32_t>& key_positions, const reference::Row&,
               const reference::Row& q, const std::vector<reference::Row>& keys,
               reference::Row& logits) {
              const int pairs = shape.head_dim / 2;
              for (std::size_t j = 0; j < keys.size(); ++j) {
                const double r = double(query_position) - key_positions[j];
                double sum = 0;
                for (int t = 0; t < pairs; ++t) {
                  const int a = options[kInterleaved] != 0 ? 2 * t : t;
                  const int b = options[kInterleaved] != 0 ? 2 * t + 1 : t + pairs;
                  const double angle = r * std::pow(options[kTheta], -2.0 * t / shape.head_dim);
                  const double zeta = (2.0 * t + 0.4 * shape.head_dim) / (1.4 * shape.head_dim);
                  const double turned = std::cos(angle) * (q[a] * keys[j][a] + q[b] * keys[j][b]) +
                                        std::sin(angle) * (q[a] * keys[j][b] - q[b] * keys[j][a]);
                  sum += std::pow(zeta, r / options[kScaleBase]) * turned;
                }
                logits[j] = sum * shape.logit_scale;
              }
            },
    });

const std::vector<float> kX = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> kK = {.5f, -1, 2, .25f, -.75f, 1.5f, 1, -2};

// Returns the unscaled product of kX at position i and kK at position j.
double product(int i, int j) {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  contract::AttentionCase pair(
      entry, default_options(*entry.description),
      {.heads = 1, .kv_heads = 1, .head_dim = 8, .value_dim = 1, .queries = 1, .keys = 1}, false,
      1);
  pair.config.scale = 1;
  pair.q = kX;
  pair.k = kK;
  pair.query_positions = {i};
  pair.key_positions = {j};
  auto recorder = Recorder::make(kRecordLogits, {}, pair.schemes(), 1, 8, 1, 1).take();
  REQUIRE(pair.forward(&recorder).ok());
  return recorder.logits()[0];
}

// Returns kX as a query at a position, with the first key, which is the centre, at 0.
std::vector<float> query_at(std::int32_t position, const OptionValues& options) {
  const SchemeInstance xpos =
      make_scheme(*find_scheme("xpos").value(), {.head_dim = 8}, options).take();
  const std::int32_t centre = 0;
  const LayerContext context = {.key_positions = {&centre, 1, 1}};
  const Positions at = {&position, 1, 1};
  std::vector<float> table(xpos.scheme->position_table_floats(1)), x = kX;
  xpos.scheme->fill_position_table(at, position + 1, nullptr, table.data());
  xpos.scheme->transform_projections(context, Projection::kQuery, 0, {at, table.data()},
                                     {x.data(), 1, 8, 8});
  return x;
}

TEST_CASE("a query at position 300 is turned, and its pairs shrink, as in the published code") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  const OptionValues options = default_options(*entry.description);
  const std::vector<float> x = query_at(300, options);
  const double expected[8] = {0.9490912463, -0.5010596671, 2.816281166, -1.497223364,
                              -4.474521409, -4.04045471,   3.852547007, 8.654103946};
  for (int c = 0; c < 8; ++c) CHECK(std::abs(x[c] - expected[c]) < 2e-6);
}

TEST_CASE("each pair has its ζ: what is left of it after scaleBase positions") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  const std::vector<float> x = query_at(512, default_options(*entry.description));
  const double zeta[4] = {0.2857142857, 0.4642857143, 0.6428571429, 0.8214285714};
  for (int t = 0; t < 4; ++t)
    CHECK(std::abs(std::hypot(x[2 * t], x[2 * t + 1]) / std::hypot(kX[2 * t], kX[2 * t + 1]) -
                   zeta[t]) < 1e-6);
}

TEST_CASE("the product fades by the distance alone, wherever the pair stands") {
  for (const auto& [i, j] : {std::pair{300, 40}, {360, 100}, {260, 0}, {100260, 100000}})
    CHECK(std::abs(product(i, j) + 12.46149597) < 2e-4);  // logits of size 200 in float32
}

TEST_CASE("far out neither factor overflows, because the centre is the first key") {
  CHECK(std::isfinite(product(1 << 20, (1 << 20) - 3)));
  CHECK(std::abs(product(1 << 20, (1 << 20) - 3) - product(3, 0)) < 1e-3);
}

// Decodes token by token with a cache; returns the rows [H,Dv] of the last token.
std::vector<float> decoded(contract::AttentionCase& whole, KvCache& cache, Status& status) {
  const AttentionInput in = whole.input();
  const contract::Sizes& sizes = whole.sizes();
  std::vector<float> output(std::size_t(sizes.heads) * sizes.value_dim);
  for (int t = 0; t < sizes.queries && status.ok(); ++t) {
    const auto row = [&](const ConstHeads& x) {
      return ConstHeads{
          x.data + t * x.row_stride, x.heads, 1, x.columns, x.head_stride, x.row_stride};
    };
    status = attention_decode(whole.config, whole.schemes(), cache, row(in.q), row(in.k), row(in.v),
                              {whole.query_positions.data() + t, 1, 1},
                              heads_outermost(output.data(), sizes.heads, 1, sizes.value_dim),
                              whole.saved(), whole.scratch());
  }
  return output;
}

TEST_CASE("keys are cached turned, and a cache that begins anew begins at another centre") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  contract::AttentionCase whole(entry, default_options(*entry.description), {}, true, 12);
  CHECK_FALSE(whole.scheme().caches_raw_keys());
  const contract::Sizes& sizes = whole.sizes();
  KvCache cache = KvCache::make(whole.config, sizes.keys).take();
  // The second text has gaps, and positions below that of its first token.
  const std::vector<std::int32_t> far = {9000, 9001, 9700, 8000, 8001, 9002, 20000, 20001, 20002};
  for (const bool is_far : {false, true}) {
    CAPTURE(is_far);
    if (is_far) whole.query_positions = whole.key_positions = far;
    REQUIRE(whole.forward().ok());
    REQUIRE(cache.truncate(0).ok());
    Status status;
    const std::vector<float> last = decoded(whole, cache, status);
    REQUIRE_MESSAGE(status.ok(), status.message());
    for (int h = 0; h < sizes.heads; ++h)
      for (int c = 0; c < sizes.value_dim; ++c) {
        const float prefill =
            whole
                .output[(std::size_t(h) * sizes.queries + sizes.queries - 1) * sizes.value_dim + c];
        CHECK(std::abs(last[h * sizes.value_dim + c] - prefill) < 3e-6);
      }
  }
}

TEST_CASE(
    "a cache that would span more than 60 scale bases refuses the token and keeps the others") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  contract::AttentionCase whole(entry, default_options(*entry.description),
                                {.queries = 3, .keys = 3}, true, 12);
  KvCache cache = KvCache::make(whole.config, 3).take();
  whole.query_positions = whole.key_positions = {7, 7 + 60 * 512, 8 + 60 * 512};
  Status status;
  decoded(whole, cache, status);
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(cache.length() == 2);
}

TEST_CASE("a large scale base is rotary embedding") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  OptionValues options = default_options(*entry.description);
  options.values[kScaleBase] = 1e9;
  contract::AttentionCase faded(entry, options, {}, true, 9);
  const SchemeEntry& rope = *find_scheme("rope").value();
  OptionValues interleaved = default_options(*rope.description);
  interleaved.values[1] = 1;
  contract::AttentionCase rotated(rope, interleaved, {}, true, 9);
  REQUIRE(faded.forward().ok());
  REQUIRE(rotated.forward().ok());
  CHECK(contract::largest_difference(faded.output, rotated.output) < 1e-6);
}

}  // namespace
}  // namespace wf
