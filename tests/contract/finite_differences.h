// Compares gradients with central differences of a loss in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace wf::contract {

// Returns the distance between the values that are changed. Of more than 300 values, such as the
// weights of a network, about a hundred are changed, spread over all rows; a dozen with the
// sanitizers, which check memory and slow the twins down ten times. Other builds compare the
// numbers.
inline std::size_t stride_of(std::size_t count) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr bool kSanitized = true;
#elif defined(__has_feature)
  constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
  constexpr bool kSanitized = false;
#endif
  if (kSanitized) return count / 24 * 2 + 1;
  return count > 300 ? count / 128 * 2 + 1 : 1;
}

// Returns the largest difference between a gradient and the slopes of `loss`, which reads `values`.
template <class Loss>
double largest_slope_difference(std::vector<float>& values, const std::vector<float>& gradient,
                                Loss loss) {
  // A power of two, so that the float32 input changes by exactly this amount.
  constexpr float kStep = 0x1p-14f;
  double most = 0;
  for (std::size_t i = 0; i < values.size(); i += stride_of(values.size())) {
    const float kept = values[i];
    values[i] = kept + kStep;
    const double up_at = values[i], up = loss();
    values[i] = kept - kStep;
    const double down_at = values[i], down = loss();
    values[i] = kept;
    const double difference = std::abs((up - down) / (up_at - down_at) - gradient[i]);
    most = difference <= most ? most : difference;  // NaN is the largest
  }
  return most;
}

}  // namespace wf::contract
