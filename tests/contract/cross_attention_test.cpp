// Attention between two sequences: each scheme must follow the rule in its description.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "attention_case.h"
#include "each_scheme.h"
#include "finite_differences.h"

namespace wf::contract {
namespace {

constexpr Sizes kSizes = {
    .heads = 4, .kv_heads = 2, .head_dim = 8, .value_dim = 6, .queries = 5, .keys = 7};

// Five tokens of a decoder, from position 3 on, attend to seven of an encoder, from position 20 on.
AttentionCase crossing(const SchemeEntry& entry, const OptionValues& options) {
  AttentionCase problem(entry, options, kSizes, false, 21);
  problem.config.is_cross = true;
  std::iota(problem.query_positions.begin(), problem.query_positions.end(), 3);
  std::iota(problem.key_positions.begin(), problem.key_positions.end(), 20);
  return problem;
}

// Returns the case without a scheme, but with the scale that this scheme sets.
AttentionCase plain_case(const SchemeEntry& entry, const OptionValues& options) {
  const SchemeEntry& none = *find_scheme("nope").take();
  AttentionCase problem(none, default_options(*none.description), kSizes, false, 21);
  const auto scale = reference::twin_of(entry.description->id).scale;
  const SchemeShape shape = {
      .num_heads = 4, .num_kv_heads = 2, .head_dim = 8, .value_dim = 6, .width = 32};
  if (scale) problem.config.scale = static_cast<float>(scale(shape, options));
  return problem;
}

template <class Body>
void for_each_with(CrossAttention rule, Body body) {
  for_each_scheme([&](const SchemeEntry& entry) {
    if (entry.description->cross_attention != rule) return;
    for (const OptionValues& options : option_variants(*entry.description)) body(entry, options);
  });
}

const std::vector<float>& probe() {
  static const std::vector<float> values = random_values(4 * 5 * 6, 22);
  return values;
}

}  // namespace

TEST_CASE("a scheme that says so adds nothing between two sequences, forward and backward") {
  for_each_with(CrossAttention::kNone, [](const SchemeEntry& entry, const OptionValues& options) {
    AttentionCase ours = crossing(entry, options), plain = plain_case(entry, options);
    const Status status = ours.forward();
    REQUIRE_MESSAGE(status.ok(), status.message());
    REQUIRE(plain.forward().ok());
    CHECK(ours.output == plain.output);
    REQUIRE(ours.backward(probe()).ok());
    REQUIRE(plain.backward(probe()).ok());
    CHECK(ours.d_q == plain.d_q);
    CHECK(ours.d_k == plain.d_k);
    CHECK(ours.d_v == plain.d_v);
    for (const auto& gradient : ours.d_parameters)
      CHECK(std::all_of(gradient.begin(), gradient.end(), [](float x) { return x == 0; }));
  });
}

TEST_CASE("a scheme that says so takes the positions of both sequences") {
  for_each_with(
      CrossAttention::kPositions, [](const SchemeEntry& entry, const OptionValues& options) {
        AttentionCase problem = crossing(entry, options);
        REQUIRE(problem.forward().ok());
        CHECK(largest_difference(problem.output, problem.twin().output) < 3e-6);
        REQUIRE(problem.backward(probe()).ok());
        const auto check = [&](std::vector<float>& values, const std::vector<float>& gradient) {
          CHECK(largest_slope_difference(values, gradient,
                                         [&] { return problem.twin_loss(probe()); }) < 2e-5);
        };
        check(problem.q, problem.d_q);
        check(problem.k, problem.d_k);
      });
}

TEST_CASE("a scheme that is not defined between two sequences is refused, and by name") {
  int refused = 0;
  for_each_with(CrossAttention::kRefused,
                [&](const SchemeEntry& entry, const OptionValues& options) {
                  AttentionCase problem = crossing(entry, options);
                  const std::string expected = std::string("isCross: ") + entry.description->id +
                                               " is not defined between two sequences";
                  CHECK(problem.forward().message() == expected);
                  CHECK(problem.backward(probe()).code() == Code::kUnsupported);
                  ++refused;
                });
  CHECK(refused > 0);
}

TEST_CASE("the keys of another sequence do not grow, so that decoding into them is refused") {
  const SchemeEntry& none = *find_scheme("nope").take();
  AttentionCase problem = crossing(none, default_options(*none.description));
  auto cache = KvCache::make(problem.config, 8);
  REQUIRE(cache.ok());
  const AttentionInput in = problem.input();
  const Status status = attention_decode(
      problem.config, problem.schemes(), cache.value(), in.q, in.q, in.q, in.query_positions,
      heads_outermost(problem.output.data(), 4, 5, 6), problem.saved(), problem.scratch());
  CHECK(status.code() == Code::kUnsupported);
  CHECK(cache.value().length() == 0);
}

}  // namespace wf::contract
