// What a call of attention is given, and what its forward pass leaves for the backward pass.
#pragma once

#include "attention/mask.h"
#include "attention/prepared_layer.h"
#include "tensor/buffer.h"
#include "tensor/view.h"

namespace wf {

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

  int value_channels() const { return value_dim ? value_dim : head_dim; }
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
  // [kMaxSchemes] layer tables that outlive the call; null: they are made for it alone.
  PreparedLayer* prepared = nullptr;
};

// What forward leaves for backward, for one sequence of one layer. It grows on first use and then
// never allocates.
struct AttentionSaved {
  Buffer<float> q;  // [H,T,D] transformed; unused where no scheme transforms
  Buffer<float> k;  // [K,S,D] transformed; unused where no scheme transforms
  Buffer<float> log_sum_exp;  // [H,T]; -infinity for a row that sees nothing
};

}  // namespace wf
