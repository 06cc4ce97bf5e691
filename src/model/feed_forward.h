// A block's feed-forward: x += down(activation(gate(norm(x))) · up(norm(x))), and its variants.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// In a parallel block what it reads: norm(block.input), before attention changes the stream.
void parallel_feed_input(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                         const BlockActivations& block);

// From block.middle, and in a parallel block from what parallel_feed_input left, to block.output.
void feed_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                  const BlockActivations& block, MatmulScratch& scratch);

// Turns the gradient in space.stream from that of block.output into that of block.middle, in a
// parallel block by what the feed-forward adds to the gradient of block.input.
void feed_forward_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                           const BlockTensors<float>& gradients, int n,
                           const BlockActivations& block, const BackwardSpace& space,
                           MatmulScratch& scratch);

}  // namespace wf
