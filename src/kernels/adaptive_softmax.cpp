#include "kernels/adaptive_softmax.h"

#include <algorithm>
#include <cmath>

#include "kernels/softmax.h"

namespace wf {
namespace {

float log_of_sum(const float* row, int count) {
  const float maximum = row_maximum(row, count);
  return std::log(sum_of_exponentials(row, count, maximum)) + maximum;
}

int end_of(std::span<const int> cutoffs, std::size_t cluster, int count) {
  return cluster + 1 < cutoffs.size() ? cutoffs[cluster + 1] : count;
}

}  // namespace

void adaptive_log_softmax(float* tokens, int count, std::span<const int> cutoffs, float* clusters) {
  const float a = log_of_sum(tokens, cutoffs[0]);
  const float b = log_of_sum(clusters, static_cast<int>(cutoffs.size()));
  const float max = std::max(a, b);
  const float of_head = max + std::log(std::exp(a - max) + std::exp(b - max));
  for (int j = 0; j < cutoffs[0]; ++j) tokens[j] -= of_head;
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    clusters[i] -= of_head;
    const int first = cutoffs[i], end = end_of(cutoffs, i, count);
    const float shift = clusters[i] - log_of_sum(tokens + first, end - first);
    for (int j = first; j < end; ++j) tokens[j] += shift;
  }
}

void adaptive_log_softmax_backward(float* tokens, int count, std::span<const int> cutoffs,
                                   int target, float weight, float* d_clusters) {
  if (target < 0) {
    std::fill_n(tokens, count, 0.0f);
    std::fill_n(d_clusters, cutoffs.size(), 0.0f);
    return;
  }
  for (int j = 0; j < cutoffs[0]; ++j) tokens[j] = weight * std::exp(tokens[j]);
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    const int first = cutoffs[i], end = end_of(cutoffs, i, count);
    // The probability of a cluster is the sum of its tokens' probabilities.
    const float cluster = log_of_sum(tokens + first, end - first);
    const bool is_here = target >= first && target < end;
    d_clusters[i] = weight * (std::exp(cluster) - (is_here ? 1 : 0));
    for (int j = first; j < end; ++j)
      tokens[j] = is_here ? weight * std::exp(tokens[j] - cluster) : 0;
  }
  tokens[target] -= weight;
}

}  // namespace wf
