// A feed-forward layer of experts (Shazeer et al. 2017, arXiv 1701.06538; Fedus et al. 2021, arXiv
// 2101.03961). A router gives each token some of the experts, which are gated feed-forward layers,
// and a weight for each; the result is the weighted sum of their outputs. A shared expert reads
// every token. Only the weights of experts that some token has are read.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// From n rows of block.feed_in to block.feed_sum.
void experts_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                     const BlockActivations& block, MatmulScratch& scratch);

// From space.feed_sum, the gradient of block.feed_sum, to space.normed, that of block.feed_in,
// which is overwritten. Adds to the gradients of the weights.
void experts_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                      const BackwardSpace& space, MatmulScratch& scratch);

}  // namespace wf
