// Resizing a grid of learned vectors: the source cells of a target cell and their weights, on one
// axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace wf {

// kBicubic: half-pixel centres, the kernel of Keys 1981 with a = -3/4, edges repeated (PyTorch with
// align_corners=False). kBicubicFactor: the scale factor is computed with a tenth of a cell more,
// as by DINOv2's authors. kBilinear: corners are aligned (Qwen3-VL).
enum class Interpolation : std::uint8_t { kBicubic, kBicubicFactor, kBilinear };

struct GridTaps {
  int count = 0;
  int cells[4] = {};
  float weights[4] = {};

  // The cell itself, without resizing.
  explicit GridTaps(int cell) { add(cell, cell, 1); }

  // Target cell number `to` of `size`, from `of` source cells.
  GridTaps(Interpolation interpolation, int to, int size, int of) {
    if (interpolation == Interpolation::kBilinear) {
      const double at = size > 1 ? 1.0 * to * (of - 1) / (size - 1) : 0;
      const int low = static_cast<int>(at);
      add(low, of - 1, 1 - (at - low));
      add(low + 1, of - 1, at - low);
      return;
    }
    const double more = interpolation == Interpolation::kBicubicFactor ? 0.1 : 0;
    const double at = (to + 0.5) * of / (size + more) - 0.5;
    const int low = static_cast<int>(std::floor(at));
    for (int cell = low - 1; cell < low + 3; ++cell) add(cell, of - 1, kernel(std::abs(at - cell)));
  }

 private:
  void add(int cell, int last, double weight) {
    cells[count] = std::clamp(cell, 0, last);
    weights[count++] = static_cast<float>(weight);
  }
  static double kernel(double x) {
    constexpr double kA = -0.75;
    if (x <= 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
    return x < 2 ? ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA : 0;
  }
};

}  // namespace wf
