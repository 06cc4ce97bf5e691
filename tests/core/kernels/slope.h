// Gradients as finite differences.
#pragma once

#include <cstddef>
#include <vector>

namespace wf::testing {

// Returns the central difference of `loss` with respect to values[i].
template <class Loss>
double slope(std::vector<float>& values, std::size_t i, Loss loss) {
  const float kept = values[i], step = 0x1p-8f;
  values[i] = kept + step;
  const double up = loss();
  values[i] = kept - step;
  const double down = loss();
  values[i] = kept;
  return (up - down) / (2.0 * step);
}

}  // namespace wf::testing
