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

#include "attention/distance_bias.h"
#include "attention/head_operands.h"
#include "attention/layer_schemes.h"
#include "attention/mask.h"
#include "attention/position_table.h"
#include "attention/prepared_layer.h"
#include "kernels/matmul.h"
#include "tensor/buffer.h"

namespace wf {

class Recorder;

struct AttentionConfig {
  int num_heads = 1;     // H
  int num_kv_heads = 1;  // K, divides H
  int head_dim = 1;      // D
  int value_dim = 0;     // Dv; 0 means D
  float scale = 0;       // 0 means 1/√D
  bool is_causal = false;
  // Queries and keys come from two sequences: each scheme then does what its description says
  // (SchemeDescription::cross_attention), but for its logit_scale, which stays.
  bool is_cross = false;
  // Keys a query sees, itself included, counted back from its own index; 0 means all of them.
  // Bidirectional attention sees as many on the other side. This is Hugging Face's count (Mistral,
  // Gemma, gpt-oss); code that calls W the number of keys BEFORE the query wants W + 1 here.
  int sliding_window = 0;
  // Queries see only keys of their own chunk of this many tokens (Llama 4's local layers); 0: all.
  int chunk_size = 0;
  float softcap = 0;  // logits become cap · tanh(logit / cap) before the mask; 0 means off
};

struct AttentionInput {
  ConstHeads q;  // [H,T,D], raw
  ConstHeads k;  // [K,S,D], raw unless keys_are_transformed
  ConstHeads v;  // [K,S,Dv]
  Positions query_positions;
  Positions key_positions;
  Mask mask;  // its is_causal, window and chunk are set by attention
  // A logit for each head that takes weight but has no value (gpt-oss); null means none.
  const float* sinks = nullptr;  // [H]
  bool keys_are_transformed = false;  // as a KV cache of policy "transformed" holds them
  // [kMostStackedSchemes] layer tables that outlive the call; null: they are made for it alone.
  PreparedLayer* prepared = nullptr;
};

// What forward leaves for backward, for one sequence of one layer. It grows on first use and then
// never allocates.
struct AttentionSaved {
  Buffer<float> q;  // [H,T,D] transformed; unused where no scheme transforms
  Buffer<float> k;  // [K,S,D] transformed; likewise
  Buffer<float> log_sum_exp;  // [H,T]; -infinity for a row that sees nothing
};

// Working memory of one thread; never shared by two calls at once. It grows on first use and then
// never allocates.
struct AttentionScratch {
  MatmulScratch matmul;
  PositionTable query_tables[kMostStacks * kMostStackedSchemes];
  PositionTable key_tables[kMostStacks * kMostStackedSchemes];
  DistanceBias distance;
  detail::HeadOperands operands;
  Buffer<float> layer_tables[kMostStackedSchemes];  // what prepare_layer wrote
  Buffer<float> d_layer_tables[kMostStackedSchemes];  // and its gradient
  Buffer<float> tiles;  // logits, weights, their gradients, content and mask of one tile
  Buffer<float> work;  // of the schemes' tile hooks
  WorkKept work_kept = WorkKept::kNothing;  // what a tile would find there
  Buffer<float> carry;  // what schemes carry along a query block, and its gradient's carry
  Buffer<float> carry_starts;  // the carry at each tile of a query block, for backward
  Buffer<float> accumulator;  // [rows, R] of the schemes that adjust the output
  Buffer<float> running;  // of each row of a query block: maximum, sum; of its tile: offset, sum
  Buffer<float> delta;  // dO·O of each row of a head
  Buffer<float> d_q;  // [T,D] of the transformed queries of a head
  Buffer<float> d_k;  // [S,D] of the transformed keys of a head
  Buffer<float> record;  // rows that a recorder fills

  static Result<AttentionScratch> make();
};

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

// Applies the schemes' transforms to new keys [K,T,D] at `positions` in place, where they are the
// last of those at `key_positions`.
Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, const Positions& key_positions, Heads k,
                      AttentionScratch& scratch);

}  // namespace wf
