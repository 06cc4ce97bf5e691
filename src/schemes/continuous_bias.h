// Swin v2's continuous position bias: a small network from an offset on a grid to a bias for each
// head. Liu et al. 2021, arXiv 2111.09883, section 3.3.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tensor/parameter.h"

namespace wf {

// The network 2 -> hidden -> heads with a ReLU in between and no last bias; its parameters are
// consecutive and in this order.
class ContinuousBias {
 public:
  enum Parameter { kInWeight, kInBias, kOutWeight };  // [hidden,2] [hidden] [H,hidden]

  // `rows`, `columns`: sides of the trained window.
  ContinuousBias(int heads, int hidden, int rows, int columns)
      : heads_(heads), hidden_(hidden), spans_{std::max(rows - 1, 1), std::max(columns - 1, 1)} {}

  void describe(ParameterSpec* specs) const {
    specs[kInWeight] = {.name = "cpb_mlp.0.weight", .rows = hidden_, .columns = 2};
    specs[kInBias] = {.name = "cpb_mlp.0.bias", .columns = hidden_};
    specs[kOutWeight] = {.name = "cpb_mlp.2.weight", .rows = heads_, .columns = hidden_};
    specs[kInWeight].initialiser = specs[kOutWeight].initialiser = Initialiser::kNormal;
  }

  // bias [H] = 16 · sigmoid(network(offset)) for an offset of dy rows and dx columns.
  void forward(const float* const* values, std::int64_t dy, std::int64_t dx, float* bias) const {
    std::fill_n(bias, heads_, 0.0f);
    for_each_active(values, dy, dx, [&](int u, float activation, float, float) {
      for (int h = 0; h < heads_; ++h) bias[h] += values[kOutWeight][h * hidden_ + u] * activation;
    });
    for (int h = 0; h < heads_; ++h) bias[h] = kHighest / (1 + std::exp(-bias[h]));
  }
  // Computes gradients from the output of `forward` and its gradient `d_bias`, which is
  // overwritten.
  void backward(const float* const* values, float* const* gradients, std::int64_t dy,
                std::int64_t dx, const float* bias, float* d_bias) const {
    for (int h = 0; h < heads_; ++h) d_bias[h] *= bias[h] * (1 - bias[h] / kHighest);
    for_each_active(values, dy, dx, [&](int u, float activation, float y, float x) {
      float d_unit = 0;
      for (int h = 0; h < heads_; ++h) {
        gradients[kOutWeight][h * hidden_ + u] += d_bias[h] * activation;
        d_unit += d_bias[h] * values[kOutWeight][h * hidden_ + u];
      }
      gradients[kInWeight][2 * u] += d_unit * y;
      gradients[kInWeight][2 * u + 1] += d_unit * x;
      gradients[kInBias][u] += d_unit;
    });
  }

  double flops() const { return hidden_ * (5 + 2.0 * heads_); }

 private:
  static constexpr float kHighest = 16;

  // sign(z) log2(1 + |z|) / log2(8), z = 8 · offset / (side - 1).
  float coordinate(std::int64_t offset, int axis) const {
    const double z = 8.0 * static_cast<double>(offset) / spans_[axis];
    return static_cast<float>(std::copysign(std::log2(1 + std::abs(z)) / 3, z));
  }
  // Calls body(unit, its value, the two coordinates) for the units that are active at an offset.
  template <class Body>
  void for_each_active(const float* const* values, std::int64_t dy, std::int64_t dx,
                       Body body) const {
    const float y = coordinate(dy, 0), x = coordinate(dx, 1);
    for (int u = 0; u < hidden_; ++u) {
      const float* weight = values[kInWeight] + 2 * u;
      const float value = weight[0] * y + weight[1] * x + values[kInBias][u];
      if (value > 0) body(u, value, y, x);
    }
  }

  int heads_, hidden_;
  int spans_[2];
};

}  // namespace wf
