// DeBERTa's table of relative positions, projected by a layer: rows that queries attend to and rows
// that attend to keys. The projections are the scheme's own or the layer's.
#pragma once

#include <span>

#include "kernels/matmul.h"
#include "schemes/layer_context.h"
#include "tensor/parameter.h"

namespace wf {

class ProjectedTable {
 public:
  struct Sizes {
    int rows = 0;
    int width = 0;  // E
    int key_width = 0;  // K·D
    int query_width = 0;  // H·D
    bool shares = false;  // use the layer's projections
    bool normalises = false;  // LayerNorm before projecting
  };
  explicit ProjectedTable(const Sizes& sizes);

  // The table, then its projections if it has its own, then weight and bias of its norm.
  std::span<const ParameterSpec> parameters() const { return {specs_, std::size_t(count_)}; }

  // Keys of positions [rows, K·D], queries of positions [rows, H·D], and with a norm the normalised
  // table [rows, E].
  std::size_t floats() const {
    return added(elements_of(sizes_.rows, sizes_.key_width + sizes_.query_width),
                 sizes_.normalises ? elements_of(sizes_.rows, sizes_.width) : 0);
  }
  std::ptrdiff_t queries_at() const { return std::ptrdiff_t{sizes_.rows} * sizes_.key_width; }

  void fill(const LayerContext&, float* table, MatmulScratch&) const;
  void backward(const LayerContext&, MatmulScratch&) const;

  double flops() const {
    return 2.0 * sizes_.rows * sizes_.width * (sizes_.key_width + sizes_.query_width);
  }

 private:
  std::ptrdiff_t normed_at() const {
    return queries_at() + std::ptrdiff_t{sizes_.rows} * sizes_.query_width;
  }
  ParameterSpec& add(const char* name, int rows, ParameterScope scope);
  Matrix whole(float* data) const { return {data, sizes_.rows, sizes_.width, sizes_.width}; }
  ConstMatrix whole(const float* data) const {
    return {data, sizes_.rows, sizes_.width, sizes_.width};
  }
  const float* key_weight(const LayerContext& context) const {
    return sizes_.shares ? context.projections.key : context.values[first_projection_];
  }
  const float* query_weight(const LayerContext& context) const {
    return sizes_.shares ? context.projections.query : context.values[first_projection_ + 1];
  }

  Sizes sizes_;
  int count_ = 0, first_projection_ = 0, norm_ = 0;
  ParameterSpec specs_[5];
};

}  // namespace wf
