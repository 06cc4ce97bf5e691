// Arguments of an attention call, and the results of the forward pass that the backward pass needs.
#pragma once

#include "attention/mask.h"
#include "attention/prepared_layer.h"
#include "tensor/buffer.h"
#include "tensor/view.h"

namespace wf {

struct AttentionConfig {
  int num_heads = 1;  // H
  int num_kv_heads = 1;  // K, divides H
  int head_dim = 1;  // D
  int value_dim = 0;  // Dv; 0 means D
  float scale = 0;  // 0 means 1/√D
  bool is_causal = false;
  // Queries and keys come from two sequences. Each scheme then applies as its description says
  // (SchemeDescription::cross_attention); its logit_scale applies in any case.
  bool is_cross = false;
  // Number of keys that a query sees, itself included, counted back from its index; 0 means all.
  // Bidirectional attention sees as many on the other side. This is Hugging Face's definition
  // (Mistral, Gemma, gpt-oss); where W is the number of keys BEFORE the query, pass W + 1.
  int sliding_window = 0;
  // Queries see only keys of their chunk of this many tokens (Llama 4's local layers); 0: all keys.
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
  Mask mask;  // attention sets its is_causal, window and chunk
  // Logits of attention sinks: each takes weight but has no value (gpt-oss). Null: no sinks.
  const float* sinks = nullptr;  // [H]
  bool keys_are_transformed = false;  // in a KV cache that stores transformed keys
  // [kMaxSchemes] layer tables that are kept between calls; null: computed for this call.
  PreparedLayer* prepared = nullptr;
};

// Results of the forward pass of one sequence in one layer that the backward pass needs. Grows at
// the first use and does not allocate afterwards.
struct AttentionSaved {
  Buffer<float> q;  // [H,T,D] transformed; unused if no scheme transforms
  Buffer<float> k;  // [K,S,D] transformed; unused if no scheme transforms
  Buffer<float> log_sum_exp;  // [H,T]; -infinity for a row without a visible key
};

}  // namespace wf
