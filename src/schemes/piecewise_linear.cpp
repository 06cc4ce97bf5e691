#include "schemes/piecewise_linear.h"

#include <algorithm>

namespace wf {

constexpr float kFarthestEnd = 1e30f;

// Calls body(u) for the units that are active between two boundaries.
template <class Body>
void PiecewiseLinear::for_each_active(const float* const* network, const float* ends, int segment,
                                      Body body) const {
  const double left = segment > 0 ? ends[segment - 1] : 0;
  const double right = segment < units_ ? ends[segment] : 2 * left + 1;
  const double middle = (left + right) / 2;
  for (int u = 0; u < units_; ++u)
    if (network[kInWeight][u] * middle + network[kInBias][u] > 0) body(u);
}

void PiecewiseLinear::fill(const float* const* network, float* table) const {
  float* ends = table + ends_at();
  for (int u = 0; u < units_; ++u) {
    // Where unit u becomes active or inactive.
    const float end = -network[kInBias][u] / network[kInWeight][u];
    ends[u] = end > 0 ? std::min(end, kFarthestEnd) : 0;
  }
  std::partial_sort(ends, ends + units_, ends + units_);  // heap sort: less code than std::sort
  for (int h = 0; h < heads_; ++h)
    for (int g = 0; g <= units_; ++g) {
      double slope = 0, intercept = network[kOutBias][h];
      for_each_active(network, ends, g, [&](int u) {
        const double out = network[kOutWeight][h * units_ + u];
        slope += out * network[kInWeight][u];
        intercept += out * network[kInBias][u];
      });
      table[slope_at(h, g)] = static_cast<float>(slope);
      table[slope_at(h, g) + 1] = static_cast<float>(intercept);
    }
}

void PiecewiseLinear::backward(const float* const* network, const float* table,
                               const float* d_table, float* const* gradients) const {
  for (int h = 0; h < heads_; ++h)
    for (int g = 0; g <= units_; ++g) {
      const float d_slope = d_table[slope_at(h, g)], d_intercept = d_table[slope_at(h, g) + 1];
      gradients[kOutBias][h] += d_intercept;
      for_each_active(network, table + ends_at(), g, [&](int u) {
        const float out = network[kOutWeight][h * units_ + u];
        gradients[kOutWeight][h * units_ + u] +=
            d_slope * network[kInWeight][u] + d_intercept * network[kInBias][u];
        gradients[kInWeight][u] += d_slope * out;
        gradients[kInBias][u] += d_intercept * out;
      });
    }
}

}  // namespace wf
