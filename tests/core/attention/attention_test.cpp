#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

using contract::AttentionCase;
using contract::largest_difference;
using contract::random_values;

const SchemeEntry& entry_of(const char* id) { return *find_scheme(id).value(); }

AttentionCase plain_case(bool is_causal, const contract::Sizes& sizes = {},
                         const char* id = "nope") {
  return AttentionCase(entry_of(id), default_options(*entry_of(id).description), sizes, is_causal,
                       31);
}

// One head, one query, and keys whose logits are given: q = 1 and D = 1, so scale is 1.
AttentionCase row_case(const std::vector<float>& logits, const std::vector<float>& values) {
  const int keys = static_cast<int>(logits.size());
  AttentionCase row(
      entry_of("nope"), {},
      {.heads = 1, .kv_heads = 1, .head_dim = 1, .value_dim = 1, .queries = 1, .keys = keys}, false,
      1);
  row.q = {1};
  row.k = logits;
  row.v = values;
  return row;
}

TEST_CASE("the running softmax with an additive bias gives the textbook row") {
  AttentionCase row = row_case({1, -2, 3, .5f}, {1, 2, 3, 4});
  const std::vector<float> bias = {0, -.5f, -1, -1.5f};
  row.mask.given = {.additive = bias.data(), .column_stride = 1};
  auto recorder = Recorder::make(kRecordWeights, {}, row.schemes(), 1, 1, 1, 4).take();
  REQUIRE(row.forward(&recorder).ok());
  CHECK(std::abs(row.output[0] - 2.512113129) < 1e-6);
  CHECK(std::abs(row.saved().log_sum_exp[0] - 2.356817788) < 1e-6);
  const double expected[4] = {0.2574788269, 0.007775186858, 0.6999000163, 0.03484596996};
  for (int s = 0; s < 4; ++s) CHECK(std::abs(recorder.weights()[s] - expected[s]) < 1e-7);
}

TEST_CASE("a sink takes weight and gives no value") {
  for (const bool with_sink : {false, true}) {
    AttentionCase row = row_case({1, 2, .5f}, {1, 2, 3});
    if (with_sink) row.sinks = {1};
    auto recorder = Recorder::make(kRecordWeights, {}, row.schemes(), 1, 1, 1, 3).take();
    REQUIRE(row.forward(&recorder).ok());
    const double without[3] = {0.2312238976, 0.6285317192, 0.1402443832};
    const double with[3] = {0.1878000403, 0.510493437, 0.1139064824};
    for (int s = 0; s < 3; ++s)
      CHECK(std::abs(recorder.weights()[s] - (with_sink ? with[s] : without[s])) < 1e-7);
  }
}

TEST_CASE("softcap bounds a logit of 80 at 46.08 for a cap of 50") {
  AttentionCase row = row_case({80, 0}, {1, 0});
  row.config.softcap = 50;
  auto recorder =
      Recorder::make(kRecordMaskedLogits | kRecordLogits, {}, row.schemes(), 1, 1, 1, 2).take();
  REQUIRE(row.forward(&recorder).ok());
  CHECK(recorder.logits()[0] == 80);
  CHECK(std::abs(recorder.masked_logits()[0] - 46.08342772) < 2e-5);
}

TEST_CASE("softcap, sinks and sliding window equal the twin, forward and backward, across tiles") {
  const contract::Sizes sizes = {.heads = 2,
                                 .kv_heads = 1,
                                 .head_dim = 8,
                                 .value_dim = 8,
                                 .queries = contract::kPastTile,
                                 .keys = contract::kPastTile};
  for (const char* id : {"nope", "alibi", "rope"}) {
    CAPTURE(id);
    for (const bool is_causal : {true, false}) {
      AttentionCase problem = plain_case(is_causal, sizes, id);
      problem.config.softcap = 3;
      problem.config.sliding_window = 37;
      problem.sinks = {.5f, -1};
      REQUIRE(problem.forward().ok());
      CHECK(largest_difference(problem.output, problem.twin().output) < 5e-6);
    }
    AttentionCase small = plain_case(
        true, {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 2, .queries = 6, .keys = 6},
        id);
    small.config.softcap = 2;
    small.config.sliding_window = 3;
    small.sinks = {.5f, -1};
    const std::vector<float> probe = random_values(2 * 6 * 2, 32);
    REQUIRE(small.forward().ok());
    REQUIRE(small.backward(probe).ok());
    const auto check = [&](std::vector<float>& values, const std::vector<float>& gradient) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float kept = values[i], step = 0x1p-10f;
        values[i] = kept + step;
        const double up = small.twin_loss(probe);
        values[i] = kept - step;
        const double down = small.twin_loss(probe);
        values[i] = kept;
        CHECK(std::abs((up - down) / (2.0 * step) - gradient[i]) < 5e-5);
      }
    };
    check(small.q, small.d_q);
    check(small.k, small.d_k);
    check(small.v, small.d_v);
    check(small.sinks, small.d_sinks);
  }
}

TEST_CASE("a sliding window of W shows exactly W keys, the query's own among them") {
  AttentionCase problem = plain_case(true);
  problem.config.sliding_window = 3;
  auto recorder = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 9, 9).take();
  REQUIRE(problem.forward(&recorder).ok());
  for (int t = 0; t < 9; ++t)
    for (int s = 0; s < 9; ++s) CHECK((recorder.weights()[t * 9 + s] > 0) == (s <= t && s > t - 3));
}

TEST_CASE("chunks and prefixes equal the twin across tiles, and show what they say") {
  const contract::Sizes sizes = {.heads = 2,
                                 .kv_heads = 1,
                                 .head_dim = 8,
                                 .value_dim = 8,
                                 .queries = contract::kPastTile,
                                 .keys = contract::kPastTile};
  for (const char* id : {"nope", "alibi", "cope"}) {
    CAPTURE(id);
    AttentionCase chunked = plain_case(true, sizes, id);
    chunked.config.chunk_size = 50;
    REQUIRE(chunked.forward().ok());
    CHECK(largest_difference(chunked.output, chunked.twin().output) < 5e-6);
    AttentionCase prefixed = plain_case(true, sizes, id);
    prefixed.mask.prefix_length = contract::kTileKeys + 12;
    REQUIRE(prefixed.forward().ok());
    CHECK(largest_difference(prefixed.output, prefixed.twin().output) < 5e-6);
  }
  AttentionCase small = plain_case(true);
  small.config.chunk_size = 4;
  auto recorder = Recorder::make(kRecordWeights, {}, small.schemes(), 4, 8, 9, 9).take();
  REQUIRE(small.forward(&recorder).ok());
  for (int t = 0; t < 9; ++t)
    for (int s = 0; s < 9; ++s)
      CHECK((recorder.weights()[t * 9 + s] > 0) == (s <= t && s / 4 == t / 4));
  small.config.chunk_size = 0;
  small.mask.prefix_length = 3;
  REQUIRE(small.forward(&recorder).ok());
  for (int t = 0; t < 9; ++t)
    for (int s = 0; s < 9; ++s) CHECK((recorder.weights()[t * 9 + s] > 0) == (s <= t || s < 3));
}

TEST_CASE("a row that sees nothing gives zeros and passes no gradient") {
  AttentionCase problem = plain_case(false);
  std::vector<std::uint8_t> allowed(9 * 9, 1);
  for (int s = 0; s < 9; ++s) allowed[4 * 9 + s] = 0;
  problem.mask.given = {.allowed = allowed.data(), .row_stride = 9, .column_stride = 1};
  REQUIRE(problem.forward().ok());
  REQUIRE(problem.backward(random_values(problem.output.size(), 33)).ok());
  for (int h = 0; h < 4; ++h) {
    for (int c = 0; c < 6; ++c) CHECK(problem.output[(h * 9 + 4) * 6 + c] == 0);
    for (int c = 0; c < 8; ++c) CHECK(problem.d_q[(h * 9 + 4) * 8 + c] == 0);
  }
  for (float x : problem.d_v) CHECK(std::isfinite(x));
}

TEST_CASE("without an offset query 0 aligns with key 0, as ONNX does; an offset moves it") {
  for (const int offset : {0, 5, 2}) {
    AttentionCase problem = plain_case(true, {.queries = 4, .keys = 9});
    problem.mask.query_offset = offset;
    for (int t = 0; t < 4; ++t) problem.query_positions[t] = t + offset;
    auto recorder = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 4, 9).take();
    REQUIRE(problem.forward(&recorder).ok());
    CHECK(largest_difference(problem.output, problem.twin().output) < 3e-6);
    for (int s = 0; s < 9; ++s) CHECK((recorder.weights()[s] > 0) == (s <= offset));
  }
}

TEST_CASE("padding keys are never seen, whatever they hold") {
  AttentionCase problem = plain_case(false), changed = plain_case(false);
  problem.mask.key_length = changed.mask.key_length = 6;
  for (int h = 0; h < 2; ++h)
    for (int s = 6; s < 9; ++s)
      for (int c = 0; c < 6; ++c) changed.v[(h * 9 + s) * 6 + c] = 1e30f;
  REQUIRE(problem.forward().ok());
  REQUIRE(changed.forward().ok());
  CHECK(problem.output == changed.output);
  CHECK(largest_difference(problem.output, problem.twin().output) < 3e-6);
}

TEST_CASE("query heads share key heads in blocks") {
  AttentionCase grouped = plain_case(true, {.heads = 4, .kv_heads = 2});
  AttentionCase repeated = plain_case(true, {.heads = 4, .kv_heads = 4});
  repeated.q = grouped.q;
  for (int h = 0; h < 4; ++h) {
    std::copy_n(grouped.k.begin() + (h / 2) * 72, 72, repeated.k.begin() + h * 72);
    std::copy_n(grouped.v.begin() + (h / 2) * 54, 54, repeated.v.begin() + h * 54);
  }
  REQUIRE(grouped.forward().ok());
  REQUIRE(repeated.forward().ok());
  CHECK(grouped.output == repeated.output);
}

TEST_CASE("a packed document attends as it does alone") {
  AttentionCase packed = plain_case(true, {.queries = 9, .keys = 9}, "alibi");
  packed.segments = {0, 0, 0, 0, 1, 1, 1, 1, 1};
  AttentionCase alone = plain_case(true, {.queries = 5, .keys = 5}, "alibi");
  for (int h = 0; h < 4; ++h)
    std::copy_n(packed.q.begin() + (h * 9 + 4) * 8, 40, alone.q.begin() + h * 40);
  for (int h = 0; h < 2; ++h) {
    std::copy_n(packed.k.begin() + (h * 9 + 4) * 8, 40, alone.k.begin() + h * 40);
    std::copy_n(packed.v.begin() + (h * 9 + 4) * 6, 30, alone.v.begin() + h * 30);
  }
  REQUIRE(packed.forward().ok());
  REQUIRE(alone.forward().ok());
  for (int h = 0; h < 4; ++h)
    for (int i = 0; i < 30; ++i)
      CHECK(std::abs(packed.output[(h * 9 + 4) * 6 + i] - alone.output[h * 30 + i]) < 1e-6);
}

TEST_CASE("stacked schemes add up: rope and alibi together equal their twin terms") {
  AttentionCase both = plain_case(true, {}, "rope");
  AttentionCase alibi = plain_case(true, {}, "alibi");
  LayerSchemes stacked = both.schemes();
  stacked.items[1] = alibi.schemes().items[0];
  stacked.count = 2;
  auto recorder = Recorder::make(kRecordTerms | kRecordLogits, {}, stacked, 4, 8, 9, 9).take();
  REQUIRE(recorder.term_count() == 3);
  std::vector<float> output(4 * 9 * 6);
  REQUIRE(attention_forward(both.config, stacked, both.input(),
                            heads_outermost(output.data(), 4, 9, 6), both.saved(), both.scratch(),
                            &recorder)
              .ok());
  const auto rope = both.twin().logits, distance = alibi.twin().logits;
  alibi.q.assign(alibi.q.size(), 0.0f);
  const auto bias_alone = alibi.twin().logits;
  for (int i = 0; i < 4 * 9 * 9; ++i) {
    const double expected =
        rope[i / 81][(i / 9) % 9][i % 9] + bias_alone[i / 81][(i / 9) % 9][i % 9];
    CHECK(std::abs(recorder.logits()[i] - expected) < 5e-6);
  }
}

TEST_CASE("a region records only its heads, rows and columns") {
  AttentionCase problem = plain_case(true);
  const std::int32_t heads[] = {2}, rows[] = {1, 8}, columns[] = {0, 3, 5};
  auto all = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 9, 9).take();
  auto part =
      Recorder::make(kRecordWeights, {heads, rows, columns}, problem.schemes(), 4, 8, 9, 9).take();
  REQUIRE(problem.forward(&all).ok());
  REQUIRE(problem.forward(&part).ok());
  REQUIRE(part.weights().size() == 6);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c)
      CHECK(part.weights()[r * 3 + c] == all.weights()[(2 * 9 + rows[r]) * 9 + columns[c]]);
  const std::int32_t beyond[] = {9}, twice[] = {1, 1};
  CHECK(Recorder::make(kRecordWeights, {{}, beyond, {}}, problem.schemes(), 4, 8, 9, 9)
            .status()
            .code() == Code::kInvalidArgument);
  CHECK(Recorder::make(kRecordWeights, {{}, twice, {}}, problem.schemes(), 4, 8, 9, 9)
            .status()
            .code() == Code::kInvalidArgument);
}

TEST_CASE("shapes that do not fit are refused by name") {
  AttentionCase problem = plain_case(true);
  problem.config.head_dim = 7;
  const Status status = problem.forward();
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(std::string(status.message()).find("q: shape [4,9,8]") != std::string::npos);
}

TEST_CASE("the output does not depend on how far a biased or masked key lies below zero weight") {
  // Weights of far keys under ALiBi that fall below the smallest normal float are exactly zero,
  // never denormal.
  AttentionCase far = plain_case(
      true, {.heads = 4, .kv_heads = 2, .head_dim = 8, .value_dim = 6, .queries = 300, .keys = 300},
      "alibi");
  auto recorder = Recorder::make(kRecordWeights, {}, far.schemes(), 4, 8, 300, 300).take();
  REQUIRE(far.forward(&recorder).ok());
  for (float w : recorder.weights()) CHECK((w == 0 || w >= 1.18e-38f));
}

TEST_CASE("a cache truncates, clones and refuses what does not fit without changing") {
  AttentionCase problem = plain_case(true, {}, "rope");
  auto cache = KvCache::make(problem.config, 9).take();
  const AttentionInput in = problem.input();
  REQUIRE(cache.append(in.k, in.v, in.key_positions).ok());
  CHECK(cache.append(in.k, in.v, in.key_positions).code() == Code::kInvalidArgument);
  CHECK(cache.length() == 9);
  KvCache copy = cache.clone().take();
  REQUIRE(cache.truncate(4).ok());
  CHECK(cache.length() == 4);
  CHECK(copy.length() == 9);
  CHECK(copy.keys().head(1).row(8)[0] == problem.k[(9 + 8) * 8]);
  CHECK(cache.truncate(5).code() == Code::kInvalidArgument);
  CHECK(KvCache::make(problem.config, 0).status().code() == Code::kInvalidArgument);
  CHECK(KvCache::make(problem.config, 2000000000).status().code() == Code::kOutOfMemory);
}

}  // namespace
}  // namespace wf
