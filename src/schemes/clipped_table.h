// A learned table with one vector for each entry of a ClippedTile, and the gradients of its two
// uses: products of queries with the entry of each logit, and weighted sums of entries.
#pragma once

#include "kernels/matmul.h"
#include "schemes/clipped_tile.h"

namespace wf {

class ClippedTable {
 public:
  // values [entries, width], ascending by distance or, if `falls`, descending; gradients in the
  // same order, or null.
  ClippedTable(const float* values, float* gradients, int width, int entries, bool falls)
      : values_(values), gradients_(gradients), width_(width), entries_(entries), falls_(falls) {}

  // Row stride of the scratch memory `passing` of the methods below: numbers by row and entry.
  static constexpr int kPassingStride = 2 * kTileStride;
  static constexpr int kPassingFloats = kTileStride * kPassingStride;

  // The vectors from this entry on.
  Operand rows(int entry) const { return {values_ + offset(entry), step()}; }

  // The backward pass of logits factor · x_i · entry, for at most kPassingStride entries: from
  // d_logits [rows, the tile's stride] to d_q and the gradients of the entries; x is the tile's q.
  void products_backward(const ClippedTile&, const LogitTile&, float factor, const float* d_logits,
                         Matrix d_q, float* passing) const;
  // The backward pass of output rows Σ weight · entry: adds to d_weights and the gradients of the
  // entries.
  void sums_backward(const ClippedTile&, const LogitTile& weights, ConstMatrix d_output,
                     float* d_weights, float* passing) const;

 private:
  std::ptrdiff_t offset(int entry) const {
    return std::ptrdiff_t{falls_ ? entries_ - 1 - entry : entry} * width_;
  }
  std::ptrdiff_t step() const { return falls_ ? -width_ : width_; }
  void gather(const ClippedTile&, const LogitTile&, const float* source, const float* row_sums,
              float* passing) const;
  void add_gradients(const ClippedTile&, const LogitTile&, float factor, const float* passing,
                     ConstMatrix x) const;
  void single_sums_backward(const ClippedTile&, const LogitTile& weights, ConstMatrix d_output,
                            float* d_weights) const;

  const float* values_;
  float* gradients_;
  int width_, entries_;
  bool falls_;
};

}  // namespace wf
