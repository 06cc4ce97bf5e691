// The matrix products of attention's tiles. What many tiles share (keys, values, a block of
// queries) is packed once for all of them; tiles themselves are multiplied as they lie. Private to
// this folder.
#pragma once

#include "attention/tile_sizes.h"
#include "kernels/matmul.h"
#include "schemes/tile.h"

namespace wf::detail {

// Packed by shape: as columns of a product over channels, and as rows of a product over tokens.
struct PackedHead {
  Buffer<float> buffer;
  Panels panels = {};

  // x [rows, columns] as the right-hand side of (… × rows) · (rows × columns).
  Status by_rows(ConstMatrix x);
  // xᵀ as the right-hand side of (… × columns) · (columns × rows).
  Status transposed(ConstMatrix x);
};

class HeadOperands {
 public:
  // Before the heads of a call. Below kFewRows queries (decoding) packing would cost more than it
  // gives; backward always packs.
  void begin_call(bool packs) { packs_ = packs; }

  // Before the tiles of a query head; the group's first packs keys and values for all of it.
  // Errors: kOutOfMemory.
  Status begin_head(ConstMatrix k, ConstMatrix v, bool is_first_of_group);
  // Before the tiles of a block of query rows. Errors: kOutOfMemory.
  Status begin_block(ConstMatrix q);

  // The block's rows as multiply_panels takes them, or null where they are few.
  const float* query_strips() const { return packs_ ? q_strips_.data() : nullptr; }

  // tile = scale · q·kᵀ. Writes whole strips and panels, within the tile's memory.
  void logits(const LogitTile& tile, float scale, MatmulScratch& scratch) const;
  // output [rows, Dv] += weights (in the tile) · v.
  void add_values(const LogitTile& weights, Matrix output, MatmulScratch& scratch) const;

  // ---- backward, beside the above
  Status begin_head_backward(ConstMatrix q, ConstMatrix d_output, bool is_first_of_group);
  Status begin_block_backward(ConstMatrix d_output);
  // d_weights = dO · vᵀ.
  void weight_gradients(const LogitTile& weights, float* d_weights) const;
  // d_v [columns, Dv] += weightsᵀ · dO;  weights of the tile.
  void add_value_gradients(const LogitTile& weights, Matrix d_v) const;
  // d_q [rows, D] += scale · d_logits · k;  d_k [columns, D] += scale · d_logitsᵀ · q.
  void add_query_key_gradients(const LogitTile& tile, float scale, const float* d_logits,
                               Matrix d_q, Matrix d_k) const;

 private:
  bool packs_ = false;
  ConstMatrix k_, v_;
  PackedHead keys_, values_;  // kᵀ and v
  Buffer<float> q_strips_;
  // Backward:
  PackedHead keys_by_row_, values_transposed_, queries_, d_outputs_;
  Buffer<float> d_output_strips_;
};

}  // namespace wf::detail
