// 16,384 tokens with biases: memory follows the length, not its square. A window keeps the time short
// here and changes no size of any array; tests/package runs all 16,384² logits.
#include <doctest/doctest.h>

#include <string>

#include "contract/attention_case.h"
#include "contract/each_scheme.h"
#include "tensor/buffer.h"

namespace wf::contract {
namespace {

// Bytes that forward, and if asked backward, left allocated for this many tokens.
std::size_t bytes_for(const SchemeEntry& entry, int tokens, bool backward) {
  AttentionCase problem(entry, default_options(*entry.description),
                        {.heads = 1, .kv_heads = 1, .head_dim = 4, .value_dim = 4,
                         .queries = tokens, .keys = tokens},
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
    // No allocation may pass this, not even for a moment.
    set_memory_limit(allocated_bytes() + kSquare / 64);
    const std::size_t whole = bytes_for(entry, kTokens, backward);
    set_memory_limit(static_cast<std::size_t>(-1));
    CHECK(whole <= 4 * quarter + 4096);
    CHECK(whole < kSquare / 128);
    ++run;
  });
  CHECK(run >= 9);
}

}  // namespace wf::contract
