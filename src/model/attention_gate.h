// A gate on attention's outputs (Qwen3-Next; Qiu et al. 2025, arXiv 2505.06708, position G1): they
// are multiplied by the sigmoid of a projection of the layer's input.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// From block.attention_in to block.attention_gate, n rows.
void attention_gate_input(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights, int n,
                          const BlockActivations& block, MatmulScratch& scratch);

// Applies the sigmoid to block.attention_gate and writes block.gated.
void apply_attention_gate(const ModelConfig& config, int layer, int n,
                          const BlockActivations& block);

// From space.attended, the gradient of block.gated, to that of block.attended, in place, and to
// space.attention_gate, that of the projection.
void attention_gate_backward(const ModelConfig& config, int layer, int n,
                             const BlockActivations& block, const BackwardSpace& space);

// From space.attention_gate; adds to space.normed and to the gradients of the weights.
void attention_gate_input_backward(const ModelConfig& config, int layer,
                                   const BlockTensors<const float>& weights,
                                   const BlockTensors<float>& gradients, int n,
                                   const BlockActivations& block, const BackwardSpace& space,
                                   MatmulScratch& scratch);

}  // namespace wf
