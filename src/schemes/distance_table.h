// A table of vectors with a row for each distance, or for each range of distances, and its products
// with queries or keys: every logit (i, j) adds x · row(distance), where x is the query i or the
// key j.
//
// In a tile without gaps in the positions, adjacent logits read nearly the same rows, so these are
// multiplied as matrices and each logit looks up its product; otherwise each logit computes its
// product.
#pragma once

#include "schemes/layer_context.h"
#include "schemes/tile.h"

namespace wf {

class DistanceTable {
 public:
  // The row of distance r = key position − query position. Must be monotonic in r and change by at
  // most one row between adjacent distances.
  using RowOf = int (*)(const void* scheme, int r);

  // rows [entries, D] of one head, `stride` apart; `d_rows` are their gradients in the same layout,
  // or null.
  DistanceTable(const float* rows, float* d_rows, std::ptrdiff_t stride, RowOf row_of,
                const void* scheme)
      : rows_(rows), d_rows_(d_rows), stride_(stride), row_of_(row_of), scheme_(scheme) {}

  // Traversal::work_floats required by the methods below for vectors of this width.
  static int work_floats(int width);

  // target [rows, tile.stride] += factor · q_i · row, or factor · k_j · row.
  void add_query_products(const LayerContext&, const LogitTile&, float factor, float* target) const;
  void add_key_products(const LayerContext&, const LogitTile&, float factor, float* target) const;

  // From d_logits [rows, tile.stride] to d_q, or d_k, and the gradients of the rows.
  void query_products_backward(const LayerContext&, const LogitTile&, float factor,
                               const float* d_logits, Matrix d_q) const;
  void key_products_backward(const LayerContext&, const LogitTile&, float factor,
                             const float* d_logits, Matrix d_k) const;

 private:
  struct Side;
  struct Band;
  void add_products(const LogitTile&, const Side&, float factor, float* target) const;
  void add_single_products(const Side&, float factor, float* target) const;
  void backward(const LogitTile&, const Side&, float factor, const float* d_logits,
                Matrix d_x) const;
  void single_products_backward(const Side&, float factor, const float* d_logits, Matrix d_x) const;

  const float* row(int row_of) const { return rows_ + row_of * stride_; }
  int row_of(int r) const { return row_of_(scheme_, r); }

  const float* rows_;
  float* d_rows_;
  std::ptrdiff_t stride_;
  RowOf row_of_;
  const void* scheme_;
};

}  // namespace wf
