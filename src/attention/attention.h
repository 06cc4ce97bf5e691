// Scaled dot-product attention with positional schemes, forward and backward, computed in tiles.
//
// For every query head u and key/value head c = floor(u / (H / K)):
//   logits  = scale · transform(q_u) · transform(k_c)ᵀ + Σ bias terms of the schemes
//   weights = softmax over the keys that the mask allows, after the softcap if there is one
//   output  = weights · v_c
// Uses the running softmax of Milakov & Gimelshein 2018 (arXiv 1805.02867), as does FlashAttention
// (Dao et al. 2022, arXiv 2205.14135, algorithm 1): no T×S array is allocated except for a
// recorder. The backward pass recomputes each tile (ibid., algorithm 4).
//
// Follows the ONNX Attention operator (opset 24) where that defines the behaviour. A row without a
// visible key gives zeros.
#pragma once

#include <memory>

#include "attention/attention_arguments.h"
#include "attention/layer_schemes.h"
#include "attention/scratch.h"

namespace wf {

class Recorder;

// Writes output [H,T,Dv]. `recorder` may be null. Errors: kInvalidArgument for shapes that do not
// match; kUnsupported if is_cross and a scheme is not defined between two sequences; kOutOfMemory.
Status attention_forward(const AttentionConfig& config, const LayerSchemes& schemes,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder = nullptr);

// attention_forward in steps, on one thread, with the same result. Between them `scratch` must not
// be used.
class AttentionPass {
 public:
  // Errors: as attention_forward; likewise below.
  static Result<std::unique_ptr<AttentionPass>> begin(
      const AttentionConfig& config, const LayerSchemes& schemes, const AttentionInput& input,
      Heads output, AttentionSaved& saved, AttentionScratch& scratch, Recorder* recorder = nullptr);
  virtual ~AttentionPass() = default;
  // Computes a block of query rows of a head, or measures one; false after the last.
  virtual Result<bool> step() = 0;
};

// Adds to d_q [H,T,D], d_k [K,S,D] and d_v [K,S,Dv] (gradients of the raw input), to d_sinks [H]
// unless it is null, to those of the layer's inputs [T,E], [S,E] if a scheme reads them (they may
// be one matrix), of the weights of channels if there are any, and to the schemes' gradients.
// `output` is the output of the forward pass, d_output [H,T,Dv] its gradient.
Status attention_backward(const AttentionConfig& config, const LayerSchemes& schemes,
                          const AttentionInput& input, ConstHeads output, ConstHeads d_output,
                          const AttentionSaved& saved, AttentionScratch& scratch, Heads d_q,
                          Heads d_k, Heads d_v, float* d_sinks = nullptr, Matrix d_states = {},
                          Matrix d_key_states = {}, ChannelWeights<float> d_channel_weights = {});

}  // namespace wf
