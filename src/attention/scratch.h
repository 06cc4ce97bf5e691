// Scratch memory of attention.
#pragma once

#include "attention/distance_bias.h"
#include "attention/head_operands.h"
#include "attention/layer_schemes.h"
#include "attention/position_table.h"
#include "kernels/matmul.h"
#include "schemes/tile_work.h"
#include "tensor/buffer.h"

namespace wf {

// Scratch memory of one thread; never shared by two calls at once. Grows at the first use and does
// not allocate afterwards.
struct AttentionScratch {
  MatmulScratch matmul;
  PositionTable query_tables[kMaxLayerTypes * kMaxSchemes];
  PositionTable key_tables[kMaxLayerTypes * kMaxSchemes];
  DistanceBias distance;
  detail::HeadOperands operands;
  detail::HeadOperands content;  // untransformed queries and keys, to measure heads
  int content_kv_head = -1;  // the key/value head that `content` holds; -1 when a call begins
  Buffer<float> block_logits;  // logits of a block of queries, tile by tile, to measure heads
  Buffer<float> pair_sums;  // sums of keys for the rows of a block, to measure heads
  Buffer<float> layer_tables[kMaxSchemes];  // output of prepare_layer
  Buffer<float> d_layer_tables[kMaxSchemes];  // its gradient
  Buffer<float> d_features;  // gradients of AttentionSaved::features
  Buffer<float> tiles;  // logits, weights, their gradients, content and mask of one tile
  Buffer<float> work;  // of the schemes' tile hooks
  WorkKept work_kept = WorkKept::kNothing;  // the data that `work` still has from the last tile
  Buffer<float> carry;  // carry of the schemes along a query block, and of its gradient
  Buffer<float> carry_starts;  // the carry at each tile of a query block, for backward
  Buffer<float> accumulator;  // [rows, R] of the schemes that adjust the output
  Buffer<float> running;  // of each row of a query block: maximum, sum; of its tile: offset, sum
  Buffer<float> delta;  // dO·O of each row of a head
  Buffer<float> d_q;  // [T,·] of the transformed queries of a head
  Buffer<float> unweighted;  // [T,·] those queries without the weights of channels
  Buffer<float> d_k;  // [S,·] of the transformed keys of a head
  Buffer<float> d_v;  // [S,Dv] of its transformed values, if a scheme transforms them
  Buffer<float> d_output;  // [T,Dv] of its output before the transform, likewise
  Buffer<float> record;  // rows that a recorder fills

  static Result<AttentionScratch> make();
};

}  // namespace wf
