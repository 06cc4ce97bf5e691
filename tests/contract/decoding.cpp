#include "contract/decoding.h"

#include <doctest/doctest.h>

#include <cmath>

namespace wf::contract {

double decode_differs(AttentionCase& problem, const std::vector<int>& steps) {
  const Sizes& sizes = problem.sizes();
  const LayerSchemes list = problem.schemes();
  auto cache = KvCache::make(problem.config, sizes.keys);
  REQUIRE(cache.ok());
  std::vector<float> output(problem.output.size()), prefill(problem.output.size());
  const AttentionInput in = problem.input();
  const ConstMatrix states = in.states.data ? in.states : in.key_states;
  int done = 0;
  double most = 0;
  for (const int chunk : steps) {
    if (chunk < 0) {
      REQUIRE(cache.value().truncate(done += chunk).ok());
      KvCache copy = cache.value().clone().take();
      cache = std::move(copy);
      continue;
    }
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
        {positions.data(), chunk, problem.axes()}, out, problem.saved(), problem.scratch(),
        in.sinks, nullptr, {states.row(done), chunk, states.columns, states.stride});
    REQUIRE_MESSAGE(status.ok(), status.message());
    done += chunk;
    AttentionInput so_far = in;
    so_far.q.rows = so_far.k.rows = so_far.v.rows = done;
    so_far.states.rows = so_far.key_states.rows = done;
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

}  // namespace wf::contract
