// The arguments of an attention call, as named fields, before they are checked.
#pragma once

#include "attention/attention.h"
#include "calls/reader.h"

namespace wf::calls {

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

}  // namespace wf::calls
