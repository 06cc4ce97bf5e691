// Decoding with every scheme of the registry, or its refusal.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "attention_case.h"
#include "each_scheme.h"

namespace wf::contract {
namespace {

// Float32 against double over a few dozen terms of size one.
constexpr double kTolerance = 3e-6;

// The largest difference between decoding the case's tokens in chunks of these sizes and, for each
// chunk, the last rows of a prefill that ends where it does.
double decode_differs(AttentionCase& problem, const std::vector<int>& chunks) {
  const Sizes& sizes = problem.sizes();
  const LayerSchemes list = problem.schemes();
  auto cache = KvCache::make(problem.config, sizes.keys);
  REQUIRE(cache.ok());
  std::vector<float> output(problem.output.size()), prefill(problem.output.size());
  const AttentionInput in = problem.input();
  int done = 0;
  double most = 0;
  for (int chunk : chunks) {
    const auto part = [&](const ConstHeads& x) {
      return ConstHeads{
          x.data + done * x.row_stride, x.heads, chunk, x.columns, x.head_stride, x.row_stride};
    };
    const Heads out = {output.data() + std::ptrdiff_t{done} * sizes.value_dim,
                       sizes.heads,
                       chunk,
                       sizes.value_dim,
                       std::ptrdiff_t{sizes.queries} * sizes.value_dim,
                       sizes.value_dim};
    std::vector<std::int32_t> positions;
    for (int a = 0; a < problem.axes(); ++a)
      for (int t = done; t < done + chunk; ++t) positions.push_back(in.query_positions.at(t, a));
    const Status status = attention_decode(
        problem.config, list, cache.value(), part(in.q), part(in.k), part(in.v),
        {positions.data(), chunk, problem.axes()}, out, problem.saved(), problem.scratch());
    REQUIRE_MESSAGE(status.ok(), status.message());
    done += chunk;
    AttentionInput so_far = in;
    so_far.q.rows = so_far.k.rows = so_far.v.rows = done;
    std::vector<std::int32_t> places;
    for (int a = 0; a < problem.axes(); ++a)
      for (int t = 0; t < done; ++t) places.push_back(in.query_positions.at(t, a));
    so_far.query_positions = so_far.key_positions = {places.data(), done, problem.axes()};
    const Heads whole = {prefill.data(),
                         sizes.heads,
                         done,
                         sizes.value_dim,
                         std::ptrdiff_t{sizes.queries} * sizes.value_dim,
                         sizes.value_dim};
    REQUIRE(
        attention_forward(problem.config, list, so_far, whole, problem.saved(), problem.scratch())
            .ok());
    for (int h = 0; h < sizes.heads; ++h)
      for (int t = done - chunk; t < done; ++t)
        for (int c = 0; c < sizes.value_dim; ++c) {
          const std::size_t at = (std::size_t(h) * sizes.queries + t) * sizes.value_dim + c;
          const double difference = std::abs(double(output[at]) - prefill[at]);
          most = difference <= most ? most : difference;
        }
  }
  return most;
}

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
