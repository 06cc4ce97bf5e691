// A block's feed-forward layer: x += down(activation(gate(norm(x))) · up(norm(x))), and its
// variants.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// In a parallel block, writes the layer's input: norm(block.input), before attention changes the
// stream.
void parallel_feed_input(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                         const BlockActivations& block);

// From block.middle, or in a parallel block from the result of parallel_feed_input, to
// block.output.
void feed_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                  const BlockActivations& block, MatmulScratch& scratch);

// Converts the gradient in space.stream from that of block.output to that of block.middle; in a
// parallel block, adds the layer's contribution to the gradient of block.input.
void feed_forward_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                           const BlockTensors<float>& gradients, int n,
                           const BlockActivations& block, const BackwardSpace& space,
                           MatmulScratch& scratch);

}  // namespace wf
