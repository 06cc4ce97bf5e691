// The matrix products of attention's tiles. Operands shared by many tiles (keys, values, a block of
// queries) are packed once; the tiles themselves are multiplied unpacked. Private to this folder.
#pragma once

#include "attention/tile_sizes.h"
#include "kernels/matmul.h"
#include "schemes/tile.h"

namespace wf::detail {

// A packed head: as columns of a product over channels, or as rows of a product over tokens.
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
  // Call before the heads of a call. With fewer than kFewRows queries (decoding) packing costs more
  // than it saves; the backward pass always packs.
  void begin_call(bool packs) { packs_ = packs; }

  // Call before the tiles of a query head; the first head of a group packs keys and values for the
  // whole group. Errors: kOutOfMemory.
  Status begin_head(ConstMatrix k, ConstMatrix v, bool is_first_of_group);
  // Call before the tiles of a block of query rows. Errors: kOutOfMemory.
  Status begin_block(ConstMatrix q);

  // The block's rows, packed for multiply_panels; null if there are few rows.
  const float* query_strips() const { return packs_ ? q_strips_.data() : nullptr; }

  // tile = scale · q·kᵀ. Writes whole strips and panels, within the tile's memory.
  void logits(const LogitTile& tile, float scale, MatmulScratch& scratch) const;
  // output [rows, Dv] += weights (in the tile) · v.
  void add_values(const LogitTile& weights, Matrix output, MatmulScratch& scratch) const;

  // ---- Backward pass
  Status begin_head_backward(ConstMatrix q, ConstMatrix d_output, bool is_first_of_group);
  Status begin_block_backward(ConstMatrix d_output);
  // d_weights = dO · vᵀ.
  void weight_gradients(const LogitTile& weights, float* d_weights) const;
  // d_v [columns, Dv] += weightsᵀ · dO, with the weights of the tile.
  void add_value_gradients(const LogitTile& weights, Matrix d_v) const;
  // d_q [rows, D] += scale · d_logits · k;  d_k [columns, D] += scale · d_logitsᵀ · q.
  void add_query_key_gradients(const LogitTile& tile, float scale, const float* d_logits,
                               Matrix d_q, Matrix d_k) const;

 private:
  bool packs_ = false;
  ConstMatrix k_, v_;
  PackedHead keys_, values_;  // kᵀ and v
  Buffer<float> q_strips_;
  // For the backward pass:
  PackedHead keys_by_row_, values_transposed_, queries_, d_outputs_;
  Buffer<float> d_output_strips_;
};

}  // namespace wf::detail
