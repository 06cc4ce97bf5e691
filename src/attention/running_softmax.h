// Softmax over the keys of a row. In a forward pass keys arrive tile by tile, so sums under an
// older maximum are rescaled: Milakov & Gimelshein 2018 (arXiv 1805.02867), as in FlashAttention
// (Dao et al. 2022, arXiv 2205.14135, algorithm 1). The backward pass uses the row's log-sum-exp,
// and a recorder the whole row. Private to this folder.
#pragma once

#include <limits>

#include "attention/layer_schemes.h"
#include "attention/tile_sizes.h"

namespace wf::detail {

// The logit of a key without weight, and the maximum and log-sum-exp of a row without visible keys.
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// R of the scheme's accumulator; 0 if it does not change the output.
int accumulator_width(const LayerScheme& item);
// Floats for the accumulators of all schemes, over a block of rows.
std::size_t accumulator_floats(const LayerSchemes& schemes);

// A block of query rows: the weighted sum of the values so far, relative to its running maximum.
class RunningSoftmax {
 public:
  static constexpr int kFloats = 4 * kBlockRows;

  // `memory` has kFloats floats, `accumulators` accumulator_floats; output is [rows, Dv].
  RunningSoftmax(const LayerSchemes& schemes, Matrix output, float* memory, float* accumulators);

  void clear();
  // Converts a row of a tile's logits to unnormalised weights relative to the running maximum, and
  // rescales the earlier sums.
  void take(int row, float* logits, int columns);
  // Adds the sink's weight to the sum; it adds nothing to the output.
  void take_sink(int row, float sink);
  // Normalises a row of the output and returns its log-sum-exp.
  float finish(int row);

  const Matrix& output() const { return output_; }
  // [rows]: numbers to add to all logits of a row in the current tile.
  float* offsets() const { return maximum_ + 2 * kBlockRows; }
  // [rows]: sums of the current tile's weights.
  float* sums() const { return maximum_ + 3 * kBlockRows; }

  // Calls body(scheme index, accumulator [rows, R], R) for each scheme that adjusts the output.
  template <class Body>
  void for_each_accumulator(Body body) const {
    float* values = accumulators_;
    for (int i = 0; i < schemes_; ++i) {
      if (widths_[i]) body(i, values, widths_[i]);
      values += std::ptrdiff_t{kBlockRows} * widths_[i];
    }
  }

 private:
  void rescale(int row, float factor);

  Matrix output_;
  float* maximum_;  // [rows]
  float* total_;  // [rows]
  float* accumulators_;  // of each scheme, [kBlockRows, R]
  int schemes_;
  int widths_[kMaxSchemes];  // R of each
};

// Converts a row of a tile's logits (to each of which `offset` is still to be added) to normalised
// weights, given the log-sum-exp of the whole row; returns their sum.
float recompute_weights(float* logits, int columns, float log_sum_exp, float offset);

// Softmax of a whole row in place. `sink` is the logit of an attention sink, or null; returns its
// share.
float softmax_with_sink(float* logits, int keys, const float* sink);

}  // namespace wf::detail
