// Gradients beside central differences of a loss in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace wf::contract {

// Of so many values those moved are this far apart: of more than 300, as the weights of a network,
// some hundred spread over all rows. Under the sanitizers, where the twins take ten times as long,
// a dozen: numbers are compared as WebAssembly, twice, and there it is memory that is looked at.
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

// The largest difference between a gradient and the slopes of `loss`, which reads `values`.
template <class Loss>
double largest_slope_difference(std::vector<float>& values, const std::vector<float>& gradient,
                                Loss loss) {
  // A power of two, so that the float32 input moves by exactly this much.
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
