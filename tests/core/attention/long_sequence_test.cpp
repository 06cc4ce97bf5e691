// 16,384 tokens with biases: memory grows with the length, not with its square. A window keeps the
// test fast and changes no array's size; tests/package computes all 16,384² logits.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "contract/attention_case.h"
#include "contract/each_scheme.h"
#include "kernels/simd.h"
#include "tensor/buffer.h"

namespace wf::contract {
namespace {

// Returns the bytes that forward, and backward if requested, leave allocated for this many tokens.
std::size_t bytes_for(const SchemeEntry& entry, int tokens, bool backward) {
  AttentionCase problem(
      entry, default_options(*entry.description),
      {.heads = 1, .kv_heads = 1, .head_dim = 4, .value_dim = 4, .queries = tokens, .keys = tokens},
      true, 31);
  problem.config.sliding_window = 16;
  const std::size_t before = allocated_bytes();
  const Status forward = problem.forward();
  REQUIRE_MESSAGE(forward.ok(), forward.message());
  if (backward) REQUIRE(problem.backward(problem.output).ok());
  return allocated_bytes() - before;
}

}  // namespace

TEST_CASE("16,384 tokens with a bias need memory that grows with the length, far below n times n") {
  constexpr int kTokens = 16384;
  constexpr std::size_t kSquare = std::size_t{kTokens} * kTokens * sizeof(float);  // 1 GiB
  int run = 0;
  for_each_scheme([&](const SchemeEntry& entry) {
    if (!(entry.hooks & (kHookDistanceStrip | kHookBias))) return;
    const bool backward = (entry.hooks & kHookDistanceStrip) != 0;
    const std::size_t quarter = bytes_for(entry, kTokens / 4, backward);
    // No allocation may exceed this limit, not even temporarily.
    set_memory_limit(allocated_bytes() + kSquare / 64);
    const std::size_t whole = bytes_for(entry, kTokens, backward);
    set_memory_limit(static_cast<std::size_t>(-1));
    CHECK(whole <= 4 * quarter + 4096);
    // The width of a tile depends on the machine's vectors.
    CHECK(whole < kSquare / 128 * std::max(1, simd::kLanes / 4));
    ++run;
  });
  CHECK(run >= 9);
}

TEST_CASE(
    "Transformer-XL's table of 32,768 distances is made for two of eight heads at a time, and "
    "nothing else changes") {
  constexpr int kHeads = 8, kWidth = 64, kModel = 16, kQueries = 8, kTokens = 32768;
  const SchemeEntry& entry = *find_scheme("transformer_xl").value();
  const auto problem_of = [&](int heads) {
    AttentionCase problem(entry, default_options(*entry.description),
                          {.heads = heads,
                           .kv_heads = 1,
                           .head_dim = kWidth,
                           .value_dim = kWidth,
                           .queries = kQueries,
                           .keys = kTokens,
                           .width = kModel},
                          true, 32);
    problem.config.sliding_window = 16;
    problem.mask.query_offset = kTokens - kQueries;
    for (int t = 0; t < kQueries; ++t) problem.query_positions[t] = kTokens - kQueries + t;
    return problem;
  };
  // Forward for inference, without gradients.
  const auto run = [](AttentionCase& problem) {
    LayerSchemes list = problem.schemes();
    list.items[0].gradients = nullptr;
    const Sizes& sizes = problem.sizes();
    problem.output.resize(std::size_t(sizes.heads) * sizes.queries * sizes.value_dim);
    return attention_forward(
               problem.config, list, problem.input(),
               heads_outermost(problem.output.data(), sizes.heads, sizes.queries, sizes.value_dim),
               problem.saved(), problem.scratch())
        .ok();
  };
  AttentionCase all = problem_of(kHeads);
  const std::size_t before = allocated_bytes();
  REQUIRE(run(all));
  constexpr std::size_t kRow = kWidth * sizeof(float);
  // Tables of two heads, packed keys and values, and small arrays.
  CHECK(allocated_bytes() - before < 4 * kRow * kTokens + (std::size_t{2} << 20));

  // Each head alone, whose table is computed at once.
  AttentionCase one = problem_of(1);
  one.k = all.k;
  one.v = all.v;
  for (int head : {0, 1, 5, 7}) {
    const auto part = [&](std::vector<float>& target, const std::vector<float>& source) {
      std::copy_n(source.begin() + std::ptrdiff_t(target.size()) * head, target.size(),
                  target.begin());
    };
    part(one.q, all.q);
    for (std::size_t p = 0; p < one.parameters.size(); ++p)
      part(one.parameters[p], all.parameters[p]);
    REQUIRE(run(one));
    const std::vector<float> expected(
        all.output.begin() + std::ptrdiff_t(one.output.size()) * head,
        all.output.begin() + std::ptrdiff_t(one.output.size()) * (head + 1));
    CAPTURE(head);
    CHECK(largest_difference(one.output, expected) < 1e-6);
  }
}

}  // namespace wf::contract
