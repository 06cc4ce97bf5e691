// Softmax over the keys of a row. In a forward pass the keys come tile by tile, so what was summed
// under an older maximum is rescaled: Milakov & Gimelshein 2018 (arXiv 1805.02867), as
// FlashAttention uses it (Dao et al. 2022, arXiv 2205.14135, algorithm 1). The backward pass has
// the row's log-sum-exp, and a recorder the whole row. Private to this folder.
#pragma once

#include <limits>

#include "attention/layer_schemes.h"
#include "attention/tile_sizes.h"

namespace wf::detail {

// The logit of a key that takes no weight, and the maximum and log-sum-exp of a row that sees none.
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// R of the scheme's accumulator; 0 where it leaves the output as it is.
int accumulator_width(const LayerScheme& item);
// Floats for the accumulators of all schemes, over a block of rows.
std::size_t accumulator_floats(const LayerSchemes& schemes);

// A block of query rows: the weighted sum of the values so far, under its running maximum.
class RunningSoftmax {
 public:
  static constexpr int kFloats = 4 * kBlockRows;

  // `memory` has kFloats floats, `accumulators` accumulator_floats; output is [rows, Dv].
  RunningSoftmax(const LayerSchemes& schemes, Matrix output, float* memory, float* accumulators);

  void clear();
  // Turns a row of a tile's logits into unnormalised weights under the running maximum, and
  // rescales what was summed under the old one.
  void take(int row, float* logits, int columns);
  // The sink takes its share of the sum and adds nothing to the output.
  void take_sink(int row, float sink);
  // Normalises a row of the output and returns its log-sum-exp.
  float finish(int row);

  const Matrix& output() const { return output_; }
  // [rows] to be added to all logits of a row, in the present tile.
  float* offsets() const { return maximum_ + 2 * kBlockRows; }
  // [rows] of the present tile's weights.
  float* sums() const { return maximum_ + 3 * kBlockRows; }

  // body(scheme's index, its accumulator [rows, R], R), of each scheme that adjusts the output
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

// Turns a row of a tile's logits, all of them short of `offset`, into its normalised weights, given
// the log-sum-exp of the whole row; returns their sum.
float recompute_weights(float* logits, int columns, float log_sum_exp, float offset);

// Softmax of a whole row in place; `sink` is a logit that takes weight and has no key, or null.
void softmax_row(float* logits, int keys, const float* sink);

}  // namespace wf::detail
