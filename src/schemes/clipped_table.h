// A learned table with a vector for each place of a ClippedTile, and the gradients of its two uses:
// products of queries with the vector of each logit's place, and sums of the vectors by weight.
#pragma once

#include "kernels/matmul.h"
#include "schemes/clipped_tile.h"

namespace wf {

class ClippedTable {
 public:
  // values [places, width], in the order of places or, where it `falls`, the other way; where their
  // gradients are added, in that order, or null.
  ClippedTable(const float* values, float* gradients, int width, int entries, bool falls)
      : values_(values), gradients_(gradients), width_(width), entries_(entries), falls_(falls) {}

  // Room in which the methods below work, `passing`: numbers by row and place.
  static constexpr int kPassingStride = 2 * kTileStride;
  static constexpr int kPassingFloats = kTileStride * kPassingStride;

  // The vectors in the order of places, from this one on.
  Operand rows(int entry) const { return {values_ + offset(entry), step()}; }

  // Where each logit had factor · x_i · vector, for at most kPassingStride places: from d_logits
  // [rows, the tile's stride] to d_q and the gradients of the vectors; x is the tile's q.
  void products_backward(const ClippedTile&, const LogitTile&, float factor, const float* d_logits,
                         Matrix d_q, float* passing) const;
  // Where each row of the output had Σ weight · vector: adds to d_weights and the gradients of the
  // vectors.
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
