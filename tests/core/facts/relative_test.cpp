// Common misconceptions about relative positions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/kv_cache.h"
#include "contract/attention_case.h"
#include "contract/each_scheme.h"

namespace wf {
namespace {

using contract::AttentionCase;

const SchemeEntry& entry_of(const char* id) { return *find_scheme(id).value(); }

TEST_CASE(
    "relative biases work with a KV cache: keys are stored once, as they are, and positions join "
    "at query time") {
  int tried = 0;
  contract::for_each_scheme([&](const SchemeEntry& entry) {
    if (std::string(entry.description->family) != "relative" || !entry.description->claims.decodes)
      return;
    AttentionCase problem(entry, default_options(*entry.description), {}, true, 31);
    REQUIRE(problem.forward().ok());
    const contract::Sizes& sizes = problem.sizes();
    auto cache = KvCache::make(problem.config, sizes.keys);
    REQUIRE(cache.ok());
    const AttentionInput in = problem.input();
    const ConstMatrix states = in.states.data ? in.states : in.key_states;
    std::vector<float> output(problem.output.size());
    for (int t = 0; t < sizes.queries; ++t) {
      const auto one = [&](const ConstHeads& x) {
        return ConstHeads{
            x.data + t * x.row_stride, x.heads, 1, x.columns, x.head_stride, x.row_stride};
      };
      const Heads out = {
          output.data() + std::ptrdiff_t{t} * sizes.value_dim, sizes.heads,    1, sizes.value_dim,
          std::ptrdiff_t{sizes.queries} * sizes.value_dim,     sizes.value_dim};
      const Status status = attention_decode(
          problem.config, problem.schemes(), cache.value(), one(in.q), one(in.k), one(in.v),
          {problem.query_positions.data() + t, 1, 1}, out, problem.saved(), problem.scratch(),
          nullptr, nullptr, {states.row(t), 1, states.columns, states.stride});
      REQUIRE_MESSAGE(status.ok(), status.message());
    }
    CHECK(contract::largest_difference(output, problem.output) < 3e-6);
    ++tried;
  });
  CHECK(tried >= 7);
}

TEST_CASE("ALiBi's three forms differ as logits and agree after softmax, in attention itself") {
  // The scheme's bias -m(i - j), and as additive masks m·j (BLOOM) and m·(j - (n - 1)) (MPT).
  AttentionCase relative(entry_of("alibi"), default_options(*entry_of("alibi").description), {},
                         true, 32);
  const contract::Sizes& sizes = relative.sizes();
  auto recorder =
      Recorder::make(kRecordLogits, {}, relative.schemes(), sizes.heads, sizes.head_dim, 9, 9)
          .take();
  REQUIRE(relative.forward(&recorder).ok());
  for (const int origin : {0, 8}) {
    CAPTURE(origin);
    AttentionCase by_key(entry_of("nope"), default_options(*entry_of("nope").description), {}, true,
                         32);
    by_key.q = relative.q, by_key.k = relative.k, by_key.v = relative.v;
    std::vector<float> added(sizes.heads * 9 * 9), logits(added.size());
    for (int h = 0; h < sizes.heads; ++h)
      for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j)
          added[(h * 9 + i) * 9 + j] =
              std::exp2(-8.0f * (h + 1) / sizes.heads) * static_cast<float>(j - origin);
    by_key.mask.given = {
        .additive = added.data(), .head_stride = 81, .row_stride = 9, .column_stride = 1};
    auto plain =
        Recorder::make(kRecordLogits, {}, by_key.schemes(), sizes.heads, sizes.head_dim, 9, 9)
            .take();
    REQUIRE(by_key.forward(&plain).ok());
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = plain.logits()[i] + added[i];
    CHECK(contract::largest_difference(by_key.output, relative.output) < 1e-6);
    const std::vector<float> ours(recorder.logits().begin(), recorder.logits().end());
    CHECK(contract::largest_difference(logits, ours) > 0.5);
  }
}

std::size_t parameters_of(const char* id, int heads, int head_dim, int width) {
  const SchemeInstance instance =
      make_scheme(entry_of(id),
                  {.num_heads = heads, .num_kv_heads = heads, .head_dim = head_dim, .width = width},
                  default_options(*entry_of(id).description))
          .take();
  std::size_t count = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.size();
  return count;
}

TEST_CASE("Shaw's parameters are 2(2k + 1)D for a layer: no length of text is in their number") {
  CHECK(parameters_of("shaw", 8, 64, 512) == 2 * (2 * 16 + 1) * 64);
  // A longer text only uses the table's outermost rows more often.
  AttentionCase near(entry_of("shaw"), default_options(*entry_of("shaw").description), {}, true,
                     33);
  near.shift_positions(1000000);
  CHECK(near.forward().ok());
}

TEST_CASE(
    "T5 and Transformer-XL have learned parameters; ALiBi, Sandwich and the sinusoids have none") {
  CHECK(parameters_of("t5", 12, 64, 768) == 32 * 12);
  CHECK(parameters_of("transformer_xl", 4, 8, 32) == 2 * 4 * 8 + 4 * 8 * 32);
  CHECK(parameters_of("alibi", 8, 64, 512) == 0);
  CHECK(parameters_of("sandwich", 8, 64, 512) == 0);
  CHECK(parameters_of("sinusoidal", 8, 64, 512) == 0);
  CHECK(parameters_of("rope", 8, 64, 512) == 0);
}

TEST_CASE("clipping makes longer texts defined and tells nothing apart beyond the limit") {
  OptionValues options = default_options(*entry_of("shaw").description);
  REQUIRE(set_option(*entry_of("shaw").description, options, "maxDistance", 2, nullptr).ok());
  AttentionCase near(entry_of("shaw"), options, {}, true, 34);
  AttentionCase far(entry_of("shaw"), options, {}, true, 34);
  // All distances between different tokens are 3 or more, and 1000 times larger in `far`.
  for (int t = 0; t < 9; ++t) {
    near.query_positions[t] = near.key_positions[t] = 3 * t;
    far.query_positions[t] = far.key_positions[t] = 3000 * t;
  }
  REQUIRE(near.forward().ok());
  REQUIRE(far.forward().ok());
  CHECK(near.output == far.output);
}

TEST_CASE(
    "a linear penalty can be learned: the power kernel at exponent one is ALiBi with a slope to "
    "train") {
  OptionValues options = default_options(*entry_of("kerple").description);
  REQUIRE(set_option(*entry_of("kerple").description, options, "kernel", 0, "power").ok());
  AttentionCase learned(entry_of("kerple"), options, {}, true, 35);
  AttentionCase fixed(entry_of("alibi"), default_options(*entry_of("alibi").description), {}, true,
                      35);
  learned.q = fixed.q, learned.k = fixed.k, learned.v = fixed.v;
  learned.parameters = {{1, 1, 1, 1}, {.25f, .0625f, .015625f, .00390625f}};
  REQUIRE(learned.forward().ok());
  REQUIRE(fixed.forward().ok());
  CHECK(contract::largest_difference(learned.output, fixed.output) < 1e-6);
  REQUIRE(learned.backward(contract::random_values(learned.output.size(), 36)).ok());
  for (const float d : learned.d_parameters[1]) CHECK(std::abs(d) > 1e-4);
}

}  // namespace
}  // namespace wf
