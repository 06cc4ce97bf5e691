// Transformer-XL's table of relative positions: the sinusoid of each offset, projected by a layer's
// weights for every head. Dai et al. 2019, arXiv 1901.02860, section 3.3; sinusoids as [sin | cos].
#pragma once

#include "kernels/matmul.h"
#include "schemes/layer_context.h"
#include "tensor/buffer.h"

namespace wf {

class ProjectedSinusoids {
 public:
  // Clamps offsets to `clamp`, unless it is 0. Two channels for each frequency.
  ProjectedSinusoids(int heads, int head_dim, int clamp, Buffer<double> frequencies)
      : heads_(heads), head_dim_(head_dim), clamp_(clamp), frequencies_(std::move(frequencies)) {}

  int width() const { return static_cast<int>(2 * frequencies_.size()); }

  // The table: projected sinusoids [rows, heads · D], a row for each offset. For gradients the
  // sinusoids [rows, E] follow; otherwise scratch memory for a few rows of them.
  std::size_t floats(const LayerContext& context) const;
  // `weights` [H · D, E].
  void fill(const LayerContext& context, const float* weights, float* table,
            MatmulScratch& scratch) const;
  // Adds the gradients of the weights from that of the table.
  void backward(const LayerContext& context, float* d_weights, MatmulScratch& scratch) const;

  // Floats in a row of the table: D for each head in it.
  int row_floats(const LayerContext& context) const {
    return (context.head_count ? context.head_count : heads_) * head_dim_;
  }
  // Index of a head's vector in a row.
  std::ptrdiff_t at(const LayerContext& context, std::size_t row, int head) const {
    return std::ptrdiff_t(row) * row_floats(context) + (head - context.first_head) * head_dim_;
  }
  std::ptrdiff_t at_distance(const LayerContext& context, int r, int head) const {
    return at(context, context.distances.row_of(r), head);
  }

 private:
  void fill_sinusoid(int offset, float* row) const;

  int heads_, head_dim_, clamp_;
  Buffer<double> frequencies_;
};

}  // namespace wf
