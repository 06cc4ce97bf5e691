// Adaptive softmax (Grave et al. 2016, arXiv 1609.04309), as in Transformer-XL: one softmax over
// the most frequent tokens and one score for each cluster of rarer tokens, and another softmax
// within each cluster.
#pragma once

#include <span>

namespace wf {

constexpr int kMaxClusters = 16;

// `cutoffs`: the first token of each cluster, ascending. A cluster ends where the next begins; the
// last ends with the row.

// Converts the scores of a row's tokens [count] and of its clusters to log-probabilities, in place.
void adaptive_log_softmax(float* tokens, int count, std::span<const int> cutoffs, float* clusters);

// Converts the log-probabilities of a row's tokens to weight · the gradient of -log p(target) with
// respect to the scores, in place, and writes the gradient of the clusters' scores. A target of -1
// is ignored: zeros.
void adaptive_log_softmax_backward(float* tokens, int count, std::span<const int> cutoffs,
                                   int target, float weight, float* d_clusters);

}  // namespace wf
