// Adaptive softmax (Grave et al. 2016, arXiv 1609.04309), as Transformer-XL has it: the commonest
// tokens and one score for each cluster of rarer ones share a softmax, and the tokens of a cluster
// another one.
#pragma once

#include <span>

namespace wf {

constexpr int kMostClusters = 16;

// `cutoffs`: the first token of each cluster, going up; a cluster ends where the next begins, the
// last with the row.

// The scores of a row's tokens [count] and of its clusters become log-probabilities, in place.
void adaptive_log_softmax(float* tokens, int count, std::span<const int> cutoffs, float* clusters);

// From the log-probabilities of a row's tokens to weight · the gradient of -log p(target) by its
// scores, in place, and that by the scores of the clusters. A target of -1 is ignored: zeros.
void adaptive_log_softmax_backward(float* tokens, int count, std::span<const int> cutoffs,
                                   int target, float weight, float* d_clusters);

}  // namespace wf
