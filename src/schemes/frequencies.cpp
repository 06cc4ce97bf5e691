#include "schemes/frequencies.h"

#include <cmath>

namespace wf {

void geometric_frequencies(double base, int width, double* frequencies) {
  for (int t = 0; t < width / 2; ++t) frequencies[t] = std::pow(base, -2.0 * t / width);
}

void rotation_table(const Positions& positions, const double* frequencies, int count, double factor,
                    float* cosines, float* sines, const std::uint8_t* axes) {
  for (int i = 0; i < positions.count; ++i) {
    for (int t = 0; t < count; ++t) {
      const int axis = axes && axes[t] < positions.axes ? axes[t] : 0;
      const double angle = positions.at(i, axis) * frequencies[t];
      cosines[i * std::ptrdiff_t{count} + t] = static_cast<float>(factor * std::cos(angle));
      sines[i * std::ptrdiff_t{count} + t] = static_cast<float>(factor * std::sin(angle));
    }
  }
}

}  // namespace wf
