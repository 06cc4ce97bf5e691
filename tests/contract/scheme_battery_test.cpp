// Tests that every scheme of the registry must pass, according to its claims. More of them:
// scheme_gradients_test and scheme_decoding_test.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "attention_case.h"
#include "each_scheme.h"

namespace wf::contract {
namespace {

// Float32 against double for a few dozen terms of size one; the largest measured difference is
// 3.2e-6 (clang 22, swin).
constexpr double kTolerance = 4e-6;

TEST_CASE("forward equals the plain double-precision twin") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase small(entry, options, {}, is_causal, 1);
      REQUIRE(small.forward().ok());
      CHECK(largest_difference(small.output, small.twin().output) < kTolerance);
    });
    // Sizes beyond the edges of the tiles, in both directions.
    AttentionCase large(entry, default_options(*entry.description),
                        {.heads = 2,
                         .kv_heads = 1,
                         .head_dim = 16,
                         .value_dim = 16,
                         .queries = kPastTile,
                         .keys = kPastTile},
                        true, 2);
    REQUIRE(large.forward().ok());
    CHECK(largest_difference(large.output, large.twin().output) < 2 * kTolerance);
  });
}

TEST_CASE("positions may start anywhere, repeat and leave gaps, and documents do not mix") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase packed(entry, options, {}, is_causal, 3);
      packed.place({5, 6, 7, 0, 1, 2, 9, 10, 30});
      packed.segments = {0, 0, 0, 1, 1, 1, 1, 2, 2};
      REQUIRE(packed.forward().ok());
      CHECK(largest_difference(packed.output, packed.twin().output) < kTolerance);
    });
  });
}

// Returns whether both lengths have equal frequencies. If not, a longer or shifted sequence has
// other logits.
bool has_same_frequencies(const AttentionCase& problem, int length, int other_length) {
  std::vector<double> one(problem.sizes().head_dim), other(one);
  double factor = 1, other_factor = 1;
  problem.scheme().frequencies(length, one.data(), &factor);
  problem.scheme().frequencies(other_length, other.data(), &other_factor);
  return one == other && factor == other_factor;
}

TEST_CASE("a common shift along any axis changes nothing exactly where that is claimed") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, {}, is_causal, 7);
      REQUIRE(problem.forward().ok());
      for (int axis = 0; axis < problem.axes(); ++axis) {
        CAPTURE(axis);
        const std::vector<float> before = problem.output;
        problem.shift_positions(1000, axis);
        REQUIRE(problem.forward().ok());
        const double change = largest_difference(problem.output, before);
        if (!has_same_frequencies(problem, 9, 1009)) return;
        if (problem.description().claims.shift_invariant || !act_in_attention(problem.hooks()))
          CHECK(change < 2e-5);
        else
          CHECK(change > 1e-3);
      }
    });
  });
}

TEST_CASE("positions with another number of axes than a scheme reads are refused by name") {
  for_each_scheme([](const SchemeEntry& entry) {
    const std::vector<std::int32_t> zeros(9 * 4, 0);
    for (int axes = 1; axes <= 4; ++axes) {
      CAPTURE(axes);
      AttentionCase problem(entry, default_options(*entry.description), {}, true, 15);
      const int wanted = entry.description->position_axes;
      // A single axis may replace the three of a video. A scheme without effect reads no positions.
      const bool fits = wanted == 0 || axes == wanted || (wanted == 3 && axes == 1);
      AttentionInput in = problem.input();
      const auto run = [&] {
        std::vector<float> output(4 * 9 * 6);
        return attention_forward(problem.config, problem.schemes(), in,
                                 heads_outermost(output.data(), 4, 9, 6), problem.saved(),
                                 problem.scratch());
      };
      for (Positions* positions : {&in.query_positions, &in.key_positions}) {
        const Positions kept = *positions;
        *positions = {zeros.data(), 9, axes};
        const Status status = run();
        *positions = kept;
        CHECK(status.ok() == fits);
        if (fits) continue;
        CHECK(status.code() == Code::kInvalidArgument);
        CHECK(std::strstr(status.message(),
                          positions == &in.query_positions ? "positions: " : "keyPositions: "));
        CHECK(std::strstr(status.message(), "(expected "));
      }
    }
  });
}

TEST_CASE("the named terms of a logit sum to it, and it is the twin's") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, {}, is_causal, 8);
      auto made =
          Recorder::make(kRecordTerms | kRecordLogits | kRecordWeights | kRecordMaskedLogits, {},
                         problem.schemes(), 4, 8, 9, 9);
      REQUIRE(made.ok());
      Recorder recorder = made.take();
      REQUIRE(problem.forward(&recorder).ok());
      const auto list = [](const Buffer<float>& b) {
        return std::vector<float>(b.begin(), b.end());
      };
      std::vector<float> sum(recorder.logits().size(), 0.0f);
      for (int t = 0; t < recorder.term_count(); ++t)
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += recorder.term(t)[i];
      const reference::TwinResult twin = problem.twin();
      CHECK(largest_difference(sum, list(recorder.logits())) < 1e-6);
      CHECK(largest_difference(list(recorder.logits()), twin.logits) < 5e-6);
      CHECK(largest_difference(list(recorder.weights()), twin.weights) < kTolerance);
      CHECK(std::strcmp(recorder.term_name(0), "content") == 0);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const bool hidden = std::isinf(recorder.masked_logits()[i]);
        const int query = (i / 9) % 9, key = i % 9;
        CHECK(hidden == ((is_causal && key > query) || problem.hides(query, key)));
        if (hidden) CHECK(recorder.weights()[i] == 0);
      }
    });
  });
}

TEST_CASE("pairs of channels sum to the transformed product") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, {}, is_causal, 9);
      auto made = Recorder::make(kRecordPairs | kRecordTerms, {}, problem.schemes(), 4, 8, 9, 9);
      REQUIRE(made.ok());
      Recorder recorder = made.take();
      REQUIRE(problem.forward(&recorder).ok());
      std::int32_t channels[8];
      const int pairs = problem.scheme().channel_pairs(channels);
      CHECK(recorder.pairs() == pairs);
      if (2 * pairs != 8) return;  // the other channels are not rotated
      for (std::size_t i = 0; i < recorder.term(0).size(); ++i) {
        float sum = 0;
        for (int p = 0; p < pairs; ++p) sum += recorder.pair_shares()[i * pairs + p];
        CHECK(std::abs(sum - recorder.term(0)[i] - recorder.term(1)[i]) < 2e-6);
      }
    });
  });
}

TEST_CASE("the same token everywhere is told apart by position exactly where there is a scheme") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, {}, is_causal, 10);
      if (problem.hooks() & kHookEmbeddings) return;  // before attention: embedding_battery_test
      for (std::size_t i = 8; i < problem.q.size(); ++i) problem.q[i] = problem.q[i % 8];
      for (std::size_t i = 8; i < problem.k.size(); ++i) problem.k[i] = problem.k[i % 8];
      auto made = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 9, 9);
      Recorder recorder = made.take();
      REQUIRE(problem.forward(&recorder).ok());
      // In the last row of each head all keys are visible. A constant added to the row would leave
      // the weights uniform.
      double most = 0;
      for (int h = 0; h < 4; ++h)
        for (int s = 0; s < 9; ++s)
          most =
              std::max(most, std::abs(double(recorder.weights()[(h * 9 + 8) * 9 + s]) - 1.0 / 9));
      if (std::strcmp(entry.description->family, "none") == 0)
        CHECK(most < 1e-6);
      else
        CHECK(most > 1e-3);
    });
  });
}

TEST_CASE("outputs are finite at length one and far beyond any training length") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      for (const int shift : {0, 1 << 20}) {
        AttentionCase one(entry, options, {.queries = 1, .keys = 1}, is_causal, 11);
        one.shift_positions(shift);
        REQUIRE(one.forward().ok());
        CHECK(largest_difference(one.output, one.twin().output) < kTolerance);
        AttentionCase spread(entry, options, {}, is_causal, 12);
        spread.scale_positions(100000);
        const Status status = spread.forward();
        if (!status.ok()) {
          // Some schemes must refuse so large a span, with an error that names the positions.
          CHECK(status.code() == Code::kInvalidArgument);
          CHECK(std::strstr(status.message(), "positions: ") != nullptr);
          return;
        }
        for (float x : spread.output) CHECK(std::isfinite(x));
      }
    });
  });
}

TEST_CASE(
    "without queries there is no output, without keys it is zero, and no gradient is either") {
  for_each_scheme([](const SchemeEntry& entry) {
    for (const auto& [queries, keys] : {std::pair{0, 0}, {0, 3}, {3, 0}, {60, 0}, {0, kPastTile}}) {
      CAPTURE(queries);
      CAPTURE(keys);
      AttentionCase empty(entry, default_options(*entry.description),
                          {.queries = queries, .keys = keys}, true, 16);
      for (int call = 0; call < 2; ++call) {
        auto recorder = Recorder::make(kRecordTerms | kRecordWeights | kRecordPairs, {},
                                       empty.schemes(), 4, 8, queries, keys);
        REQUIRE(recorder.ok());
        REQUIRE(empty.forward(call ? &recorder.value() : nullptr).ok());
        for (float x : empty.output) CHECK(x == 0);
        REQUIRE(empty.backward(random_values(empty.output.size(), 17)).ok());
        for (const auto* gradient : {&empty.d_q, &empty.d_k, &empty.d_v})
          for (float x : *gradient) CHECK(x == 0);
      }
    }
  });
}

TEST_CASE("a second call with the same sizes allocates nothing") {
  for_each_scheme([](const SchemeEntry& entry) {
    AttentionCase problem(entry, default_options(*entry.description), {.queries = 80, .keys = 80},
                          true, 13);
    const std::vector<float> probe = random_values(4 * 80 * 6, 14);
    REQUIRE(problem.forward().ok());
    REQUIRE(problem.backward(probe).ok());
    const std::size_t before = allocation_count();
    REQUIRE(problem.forward().ok());
    REQUIRE(problem.backward(probe).ok());
    CHECK(allocation_count() == before);
  });
}

TEST_CASE(
    "an option out of range is refused with the expected range, an unknown one with the known "
    "ones") {
  for_each_scheme([](const SchemeEntry& entry) {
    const SchemeDescription& description = *entry.description;
    OptionValues options = default_options(description);
    CHECK(set_option(description, options, "colour", 1).code() == Code::kUnknownOption);
    for (const Option& option : description.options) {
      CAPTURE(option.key);
      // The message lists a nested option among those of its group, and the group among the outer
      // options.
      const std::string key = option.key;
      const std::size_t dot = key.find('.');
      const std::string group = dot == std::string::npos ? "" : key.substr(0, dot + 1);
      const Status unknown = set_option(description, options, (group + "colour").c_str(), 1);
      CHECK(unknown.code() == Code::kUnknownOption);
      CHECK(std::strstr(unknown.message(), option.key + group.size()) != nullptr);
      const Status outer = set_option(description, options, "colour", 1);
      CHECK(std::string(outer.message()).find(key.substr(0, dot)) != std::string::npos);
      for (const double bad : {option.minimum - 1, option.maximum * 2 + 1, std::nan("")}) {
        const Status status = set_option(description, options, option.key, bad, "no such choice");
        CHECK(status.code() == Code::kInvalidArgument);
        CHECK(std::strstr(status.message(), option.key) != nullptr);
        CHECK(std::strstr(status.message(), "(expected ") != nullptr);
      }
      const double wrong[] = {option.minimum, option.maximum * 2 + 1};
      const Status list = set_option(description, options, option.key, wrong);
      CHECK(list.code() == Code::kInvalidArgument);
      CHECK(std::strstr(list.message(), "(expected ") != nullptr);
      if (option.kind != OptionKind::kChoice && !is_list(option.kind))
        CHECK(set_option(description, options, option.key, option.default_value).ok());
    }
  });
}

TEST_CASE("a description is complete and agrees with the class") {
  for_each_scheme([](const SchemeEntry& entry) {
    const SchemeDescription& description = *entry.description;
    CHECK(std::strlen(description.id) > 0);
    CHECK(std::strlen(description.family) > 0);
    CHECK(description.options.size() <= std::size_t{kMaxOptions});
    CHECK(std::ranges::count_if(description.options, is_list, &Option::kind) <= kMaxLists);
    const bool biased = entry.hooks & (kHookDistanceStrip | kHookBias);
    CHECK(biased == !description.bias_terms.empty());
    CHECK(bool(entry.hooks & kHookTransform) == (description.transform_term != nullptr));
  });
}

}  // namespace
}  // namespace wf::contract
