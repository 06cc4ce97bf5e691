// One block: x += attention(norm(x)); x += feed-forward(norm(x)), and what architecture.h has.
#pragma once

#include "attention/kv_cache.h"
#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

class CrossMemory;
class Recorder;

// How B sequences of T tokens, laid end to end, are to be read.
struct SequenceLayout {
  int batch = 1;
  int length = 0;
  Positions positions;                       // of every sequence
  const std::int32_t* segments = nullptr;    // [B,T] document of each token, or null
  const std::uint8_t* visible = nullptr;     // [B,T] 0: a key that none sees; null: all are seen
  const std::int32_t* lengths = nullptr;     // [B] tokens that are not padding, or null: all
  const CrossMemory* memory = nullptr;       // what cross-attention reads; of one sequence

  int rows() const { return batch * length; }
};

// Reads block.input, writes the rest of `activations.block(layer)`. `recorder` may be null and
// else follows a batch of one sequence; `cross_recorder` likewise follows cross-attention.
// Errors: those of attention_forward.
Status block_forward(const ModelConfig& config, const BlockTensors<const float>& weights,
                     const LayerSchemes& schemes, const SequenceLayout& layout,
                     TransformerActivations& activations, Recorder* recorder,
                     Recorder* cross_recorder = nullptr);

// One block for the next tokens of a sequence, whose earlier keys and values are in `cache`; theirs
// are appended. Errors: those of attention_decode.
Status block_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                    TransformerActivations& activations);

// Turns the gradient of the block's output, in backward().stream, into that of its input, and adds
// the gradients of the weights and of the schemes' parameters.
Status block_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                      const SequenceLayout& layout, TransformerActivations& activations);

}  // namespace wf
