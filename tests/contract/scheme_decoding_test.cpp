// Tests decoding with every scheme of the registry, or its refusal.
#include <doctest/doctest.h>

#include <vector>

#include "attention_case.h"
#include "decoding.h"
#include "each_scheme.h"

namespace wf::contract {
namespace {

// Float32 against double over a few dozen terms of size one.
constexpr double kTolerance = 3e-6;

TEST_CASE(
    "decoding in any chunking equals a prefill of that length, or is refused by a typed error") {
  for_each_scheme([](const SchemeEntry& entry) {
    for (const OptionValues& options : option_variants(*entry.description)) {
      AttentionCase problem(entry, options, {}, true, 6);
      problem.shift_positions(2);
      REQUIRE(problem.forward().ok());
      if (!entry.description->claims.decodes) {
        auto cache = KvCache::make(problem.config, 9);
        const LayerSchemes list = problem.schemes();
        const AttentionInput in = problem.input();
        const Status status = attention_decode(
            problem.config, list, cache.value(), in.q, in.k, in.v, in.query_positions,
            heads_outermost(problem.output.data(), 4, 9, 6), problem.saved(), problem.scratch());
        CHECK(status.code() == Code::kUnsupported);
        CHECK(cache.value().length() == 0);
        continue;
      }
      for (const std::vector<int>& chunks :
           {std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1, 1}, {9}, {4, 1, 3, 1}, {8, 1}})
        CHECK(decode_differs(problem, chunks) < kTolerance);
    }
  });
}

}  // namespace
}  // namespace wf::contract
