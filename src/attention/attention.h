// Scaled dot-product attention with positional schemes, forward and backward, in tiles.
//
// For every query head u and key/value head c = floor(u / (H / K)):
//   logits  = scale · transform(q_u) · transform(k_c)ᵀ + Σ bias terms of the schemes
//   weights = softmax over the keys that the mask lets through, after the softcap if there is one
//   output  = weights · v_c
// The running softmax of Milakov & Gimelshein 2018 (arXiv 1805.02867) as used by FlashAttention
// (Dao et al. 2022, arXiv 2205.14135, algorithm 1): no T×S array exists unless a recorder asks.
// The backward pass recomputes each tile (ibid., algorithm 4).
//
// Where it speaks, the semantics are ONNX Attention's (opset 24). A row with no visible key gives
// zeros.
#pragma once

#include "attention/attention_arguments.h"
#include "attention/layer_schemes.h"
#include "attention/scratch.h"

namespace wf {

class Recorder;

// output [H,T,Dv] is written. `recorder` may be null.
// Errors: kInvalidArgument for shapes that do not fit together; kUnsupported for a scheme that is
// not defined between two sequences, where is_cross; kOutOfMemory.
Status attention_forward(const AttentionConfig& config, const LayerSchemes& schemes,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder = nullptr);

// Adds to d_q [H,T,D], d_k [K,S,D], d_v [K,S,Dv] (raw, as the input's), to d_sinks [H] unless it is
// null, and to the schemes' gradients. `output` is what forward wrote, d_output [H,T,Dv] its
// gradient.
Status attention_backward(const AttentionConfig& config, const LayerSchemes& schemes,
                          const AttentionInput& input, ConstHeads output, ConstHeads d_output,
                          const AttentionSaved& saved, AttentionScratch& scratch, Heads d_q,
                          Heads d_k, Heads d_v, float* d_sinks = nullptr);

}  // namespace wf
