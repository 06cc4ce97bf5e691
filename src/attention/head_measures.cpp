#include "attention/head_measures.h"

#include <algorithm>
#include <limits>

#include "tensor/extent.h"

namespace wf {
namespace {

float quotient(double part, double whole) {
  return whole > 0 ? static_cast<float>(part / whole) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

Result<HeadMeasures> HeadMeasures::make(std::span<const std::int32_t> ids, int heads,
                                        std::span<const std::int32_t> channels) {
  HeadMeasures made;
  const int tokens = static_cast<int>(ids.size());
  WF_ASSIGN_OR_RETURN(made.channels_, Buffer<std::int32_t>::make(channels.size()));
  std::copy(channels.begin(), channels.end(), made.channels_.data());
  WF_RETURN_IF_ERROR(made.same_.reserve(tokens));
  WF_RETURN_IF_ERROR(made.first_.reserve(tokens));
  WF_RETURN_IF_ERROR(made.rank_.reserve(tokens));
  WF_RETURN_IF_ERROR(made.ramp_.reserve(tokens));
  WF_RETURN_IF_ERROR(made.by_distance_.reserve(2 * tokens));
  WF_RETURN_IF_ERROR(made.visible_steps_.reserve(2 * tokens));
  WF_RETURN_IF_ERROR(made.values_.reserve(elements_of(heads, kHeadMeasures)));
  WF_RETURN_IF_ERROR(made.curves_.reserve(elements_of(heads, tokens)));
  WF_RETURN_IF_ERROR(made.counts_.reserve(elements_of(heads, tokens)));
  WF_RETURN_IF_ERROR(made.pair_lengths_.reserve(elements_of(heads, made.pairs())));
  WF_RETURN_IF_ERROR(made.pair_shares_.reserve(elements_of(heads, made.pairs())));
  WF_RETURN_IF_ERROR(made.pair_covariance_.reserve(made.pairs()));
  std::int32_t* same = made.same_.data();
  for (int i = 0; i < tokens; ++i) {
    same[i] = i;
    made.ramp_[i] = static_cast<float>(i);
  }
  const auto is_before = [&](int a, int b) { return ids[a] != ids[b] ? ids[a] < ids[b] : a < b; };
  std::make_heap(same, same + tokens, is_before);
  std::sort_heap(same, same + tokens, is_before);
  for (int rank = 0, group = 0; rank < tokens; ++rank) {
    if (rank && ids[same[rank]] != ids[same[rank - 1]]) group = rank;
    made.first_[same[rank]] = group;
    made.rank_[same[rank]] = rank;
  }
  return made;
}

HeadSums HeadMeasures::begin() {
  by_distance_.fill_zero();
  visible_steps_.fill_zero();
  pair_covariance_.fill_zero();
  HeadSums sums;
  sums.by_distance = by_distance_.data();
  sums.visible_steps = visible_steps_.data();
  sums.pair_covariance = pair_covariance_.data();
  return sums;
}

void HeadMeasures::finish(int slot, const HeadSums& sums) {
  float* values = values_.data() + std::size_t(slot) * kHeadMeasures;
  for (int m = 0; m < kHeadMeasures; ++m) values[m] = quotient(sums.sum[m], sums.count[m]);
  for (int p = 0; p < pairs(); ++p)
    pair_shares(slot)[p] = quotient(sums.pair_covariance[p], sums.count[kMeasurePositional]);
  float* visible = visible_steps_.data();
  for (int d = 1; d < 2 * tokens(); ++d) visible[d] += visible[d - 1];
  double explained = 0;
  for (int d = 0; d < 2 * tokens() - 1; ++d)
    if (visible[d] > 0) explained += double(sums.by_distance[d]) * sums.by_distance[d] / visible[d];
  const double mean = sums.weight * sums.weight / sums.visible_cells;
  values[kMeasureByDistance] = quotient(explained - mean, sums.squares - mean);
  float* curve = curves_.data() + std::size_t(slot) * tokens();
  float* counts = counts_.data() + std::size_t(slot) * tokens();
  for (int back = 0; back < tokens(); ++back) {
    const int d = tokens() - 1 - back;
    counts[back] = visible[d];
    curve[back] = visible[d] > 0 ? sums.by_distance[d] / visible[d] : 0;
  }
}

}  // namespace wf
