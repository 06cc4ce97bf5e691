// A small network with one input and ReLUs, f(x) = W₂ · relu(w₁ x + b₁) + b₂, stored as the
// piecewise linear function that it is: adjacent values cost one step along the segments instead of
// a pass through the network. Defined for x ≥ 0.
#pragma once

#include <cstddef>
#include <limits>

namespace wf {

class PiecewiseLinear {
 public:
  // Indices of the network's parameters, or of their gradients.
  enum Part { kInWeight, kInBias, kOutWeight, kOutBias };  // [U], [U], [H,U], [H]

  PiecewiseLinear(int heads, int units) : heads_(heads), units_(units) {}

  // A table holds each head's segments (slope, intercept) [H, U + 1, 2] and the boundaries between
  // segments [U].
  std::size_t floats() const { return ends_at() + units_; }
  void fill(const float* const* network, float* table) const;
  // Adds the network's gradients from those of the segments, d_table.
  void backward(const float* const* network, const float* table, const float* d_table,
                float* const* gradients) const;

  // One segment of a head, and the interval where it applies.
  struct Segment {
    float above, to;
    std::size_t at;  // index of its slope in the table; its intercept follows
    int index;

    bool holds(float x) const { return x > above && x <= to; }
  };
  // The segment that contains x; the search starts at segment `nearby`.
  Segment find(const float* table, int head, float x, int nearby) const {
    const float* ends = table + ends_at();
    while (nearby < units_ && x > ends[nearby]) ++nearby;
    while (nearby > 0 && x <= ends[nearby - 1]) --nearby;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return {nearby > 0 ? ends[nearby - 1] : -kInfinity, nearby < units_ ? ends[nearby] : kInfinity,
            slope_at(head, nearby), nearby};
  }
  // Index of a segment's slope in the table.
  std::size_t slope_at(int head, int segment) const {
    return 2 * (std::size_t(head) * (units_ + 1) + segment);
  }

  // Operations of `fill`.
  double flops() const { return heads_ * 6.0 * units_ * (units_ + 1); }

 private:
  std::size_t ends_at() const { return slope_at(heads_, 0); }
  template <class Body>
  void for_each_active(const float* const* network, const float* ends, int segment,
                       Body body) const;

  int heads_, units_;
};

}  // namespace wf
