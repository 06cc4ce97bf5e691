// The offsets (query - key, by row and by column) between the queries and the keys of a call on a
// grid, and a row number for each, for schemes with a table by offset. For texts see
// relative_range.h.
#pragma once

#include <algorithm>

#include "schemes/layer_context.h"
#include "tensor/extent.h"

namespace wf {

class GridRange {
 public:
  explicit GridRange(const LayerContext& context)
      : queries_(context.query_positions), keys_(context.key_positions) {
    if (queries_.count == 0 || keys_.count == 0) return;
    double cells = 1;
    for (int axis = 0; axis < 2; ++axis) {
      const auto ends = [axis](const Positions& positions) {
        const std::int32_t* first = positions.data + std::ptrdiff_t{axis} * positions.count;
        return std::minmax_element(first, first + positions.count);
      };
      const auto [q_low, q_high] = ends(queries_);
      const auto [k_low, k_high] = ends(keys_);
      low_[axis] = std::int64_t{*q_low} - *k_high;
      high_[axis] = std::int64_t{*q_high} - *k_low;
      cells *= static_cast<double>(high_[axis] - low_[axis] + 1);
    }
    const double pairs = 1.0 * queries_.count * keys_.count;
    by_pair_ = cells > pairs;
    const double rows = by_pair_ ? pairs : cells;
    rows_ = rows < static_cast<double>(kTooMany) ? static_cast<std::size_t>(rows) : kTooMany;
  }

  // The smallest and the largest offset on an axis.
  std::int64_t low(int axis) const { return low_[axis]; }
  std::int64_t high(int axis) const { return high_[axis]; }

  std::size_t rows() const { return rows_; }

  std::int64_t offset(int t, int s, int axis) const {
    return std::int64_t{queries_.at(t, axis)} - keys_.at(s, axis);
  }
  // The row of query number t and key number s.
  std::size_t row(int t, int s) const {
    if (by_pair_) return std::size_t(t) * keys_.count + s;
    return static_cast<std::size_t>((offset(t, s, 0) - low_[0]) * (high_[1] - low_[1] + 1) +
                                    offset(t, s, 1) - low_[1]);
  }

  // Calls body(row, offset by row, offset by column).
  template <class Body>
  void for_each_row(Body body) const {
    std::size_t row = 0;
    if (by_pair_) {
      for (int t = 0; t < queries_.count; ++t)
        for (int s = 0; s < keys_.count; ++s, ++row) body(row, offset(t, s, 0), offset(t, s, 1));
      return;
    }
    if (rows_ == 0) return;
    for (std::int64_t y = low_[0]; y <= high_[0]; ++y)
      for (std::int64_t x = low_[1]; x <= high_[1]; ++x, ++row) body(row, y, x);
  }

 private:
  Positions queries_, keys_;
  std::int64_t low_[2] = {}, high_[2] = {};
  std::size_t rows_ = 0;
  bool by_pair_ = false;
};

}  // namespace wf
