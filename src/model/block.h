// One block: x += attention(norm(x)); x += feed-forward(norm(x)); with the options of
// architecture.h.
#pragma once

#include "attention/kv_cache.h"
#include "model/activations.h"
#include "model/parameters.h"
#include "model/pass_states.h"
#include "model/sequence_layout.h"

namespace wf {

class Recorder;

// Reads block.input and writes the rest of `activations.block(layer)`. `recorder` (or null) records
// the attention of a batch of one sequence, `cross_recorder` its cross-attention. `states` changes
// the outputs of self-attention. Errors: those of attention_forward.
Status block_forward(const ModelConfig& config, const BlockTensors<const float>& weights,
                     const LayerSchemes& schemes, const SequenceLayout& layout,
                     TransformerActivations& activations, Recorder* recorder = nullptr,
                     Recorder* cross_recorder = nullptr, const PassStates& states = {});

// The parts of block_forward for one sequence without cross-attention, so that a pass can be
// divided: the inputs of attention of rows [row0, row0 + rows); attention of all rows; and the rest
// of the block for such rows. Activations are those of inference.
void block_attention_inputs(const ModelConfig& config, const BlockTensors<const float>& weights,
                            const SequenceLayout& layout, int layer, int row0, int rows,
                            TransformerActivations& activations);
// In place of block_attention in a layer with a mixer.
Status block_mixer(const ModelConfig& config, const BlockTensors<const float>& weights,
                   const SequenceLayout& layout, int layer, TransformerActivations& activations,
                   Recorder* recorder);
Result<std::unique_ptr<AttentionPass>> block_attention(const ModelConfig& config,
                                                       const BlockTensors<const float>& weights,
                                                       const LayerSchemes& schemes,
                                                       const SequenceLayout& layout,
                                                       TransformerActivations& activations,
                                                       Recorder* recorder);
void block_rest(const ModelConfig& config, const BlockTensors<const float>& weights, int layer,
                int row0, int rows, TransformerActivations& activations);

// Runs one block for the next tokens of a sequence whose earlier keys and values are in `cache`,
// and appends theirs. `recorder` (or null) records self-attention; not of a layer that decodes in
// the absorbed form. Errors: those of attention_decode.
Status block_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                    TransformerActivations& activations, Recorder* recorder = nullptr);

// Converts the gradient of the block's output, in backward().stream, to that of its input, and adds
// the gradients of the weights and of the schemes' parameters.
Status block_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                      const SequenceLayout& layout, TransformerActivations& activations);

}  // namespace wf
