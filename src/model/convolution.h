// A gated short convolution in place of attention (LFM2, Liquid AI 2025): of each token x three
// vectors b, c, u are projected, and the layer's output is W · (c · (k ∗ (b · u))), where k has a
// few taps for each channel and reaches from a token to those before it.
#pragma once

#include "attention/kv_cache.h"
#include "model/activations.h"
#include "model/parameters.h"
#include "model/sequence_layout.h"

namespace wf {

// From n rows of block.attention_in to block.convolution_in; rows that are not `visible` [n] (or
// null) are cleared first, so that no other token reads them.
void convolution_inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                        const std::uint8_t* visible, const BlockActivations& block,
                        MatmulScratch& scratch);

// From block.convolution_in to block.convolved. With a cache the layout has the next tokens of one
// sequence, and their b · u are appended to it as keys. Errors: those of KvCache::append.
Status convolve(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                const SequenceLayout& layout, const BlockActivations& block, KvCache* cache);

// From space.convolved, the gradient of block.convolved, to space.normed, that of
// block.attention_in, which is overwritten. Adds to the gradients of the weights.
void convolution_backward(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights,
                          const BlockTensors<float>& gradients, const SequenceLayout& layout,
                          const BlockActivations& block, const BackwardSpace& space,
                          MatmulScratch& scratch);

}  // namespace wf
