// The arguments of an attention call, as named fields, before they are checked.
#pragma once

#include "attention/attention.h"
#include "calls/reader.h"

namespace wf::calls {

// Sizes and rules of attention, the same for all its calls.
struct AttentionSettings {
  int num_heads;       // H
  int num_kv_heads;    // K, divides H
  int head_dim;        // D
  int value_dim;       // Dv; 0: D
  double scale;        // of logits; 0: 1/√D, or the scheme's own
  bool is_causal;
  bool is_cross;       // between two sequences
  int sliding_window;  // keys that a query sees, itself included; 0: all
  int chunk_size;      // tokens; 0: no chunks
  double softcap;      // 0: off
};

// Errors: kInvalidArgument, naming the setting.
Result<AttentionConfig> config_of(const AttentionSettings& settings);

// The arrays of one sequence. Missing lists are empty.
struct AttentionRequest {
  int queries = 0;  // T
  int keys = 0;     // S
  List q, k, v;     // floats [H,T,D], [K,S,D], [K,S,Dv]
  List query_positions, key_positions;  // int32 [axes,T], [axes,S]
  List query_segments, key_segments;  // int32 [T], [S]: tokens do not attend to other segments
  List added_mask;    // floats, -infinity among them, or
  List allowed_mask;  // bytes, 0 or 1
  int head_stride = 0, row_stride = 0, column_stride = 0;  // of the mask; 0 repeats
  int query_offset = 0;   // index of query 0 among the keys, -T to S
  int key_length = -1;  // keys from this index on are padding; -1: none
  int prefix_length = 0;  // causality does not hide keys below this index

  // Reads and checks it for attention with this config. Errors are stored in the reader.
  AttentionInput input(Reader& reader, const AttentionConfig& config) const;

 private:
  Mask mask(Reader& reader, const AttentionConfig& config) const;
  void check_mask_length(Reader& reader, int length, int num_heads) const;
};

inline int value_dim_of(const AttentionConfig& config) {
  return config.value_dim ? config.value_dim : config.head_dim;
}

}  // namespace wf::calls
