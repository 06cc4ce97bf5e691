#include "schemes/clipped_table.h"

#include <algorithm>

#include "kernels/dot.h"
#include "schemes/tile_work.h"

namespace wf {

// passing [rows, kPassingStride] = sums of the source by entry, from the first entry that occurs.
void ClippedTable::gather(const ClippedTile& clipped, const LogitTile& tile, const float* source,
                          const float* row_sums, float* passing) const {
  for (int i = 0; i < tile.rows; ++i)
    std::fill_n(passing + i * kPassingStride, clipped.entries(), 0.0f);
  clipped.gather(source, row_sums, passing - clipped.first_entry(), kPassingStride);
}

// The gradients of the vectors += factor · passingᵀ · x.
void ClippedTable::add_gradients(const ClippedTile& clipped, const LogitTile& tile, float factor,
                                 const float* passing, ConstMatrix x) const {
  if (gradients_)
    matmul(clipped.entries(), width_, tile.rows, factor,
           Operand{passing, kPassingStride}.transposed(), {x.data, x.stride},
           gradients_ + offset(clipped.first_entry()), step(), Accumulate::kYes,
           *tile.work->matmul);
}

void ClippedTable::products_backward(const ClippedTile& clipped, const LogitTile& tile,
                                     float factor, const float* d_logits, Matrix d_q,
                                     float* passing) const {
  gather(clipped, tile, d_logits, nullptr, passing);
  matmul(tile.rows, width_, clipped.entries(), factor, {passing, kPassingStride},
         rows(clipped.first_entry()), d_q.data, d_q.stride, Accumulate::kYes, *tile.work->matmul);
  add_gradients(clipped, tile, factor, passing, tile.q);
}

void ClippedTable::sums_backward(const ClippedTile& clipped, const LogitTile& weights,
                                 ConstMatrix d_output, float* d_weights, float* passing) const {
  const int first = clipped.first_entry(), entries = clipped.entries();
  if (entries > kPassingStride) return single_sums_backward(clipped, weights, d_output, d_weights);
  matmul(weights.rows, entries, width_, 1, {d_output.data, d_output.stride},
         rows(first).transposed(), passing, kPassingStride, Accumulate::kNo, *weights.work->matmul);
  clipped.spread(passing - first, kPassingStride, d_weights, nullptr);
  gather(clipped, weights, weights.logits, weights.work->sums, passing);
  add_gradients(clipped, weights, 1, passing, d_output);
}

// For long tables when positions have gaps.
void ClippedTable::single_sums_backward(const ClippedTile& clipped, const LogitTile& weights,
                                        ConstMatrix d_output, float* d_weights) const {
  for (int i = 0; i < weights.rows; ++i)
    for (int j = 0; j < weights.columns; ++j) {
      const std::ptrdiff_t at = i * weights.stride + j, row = offset(clipped.entry(i, j));
      d_weights[at] += dot(d_output.row(i), values_ + row, width_);
      if (gradients_) add_scaled(weights.logits[at], d_output.row(i), width_, gradients_ + row);
    }
}

}  // namespace wf
