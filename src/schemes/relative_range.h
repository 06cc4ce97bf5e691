// The relative positions between the queries and the keys of a call, and a row number for each, for
// schemes with a table by distance.
//
// The rows are the whole range of r = key - query. If positions are so far apart that the range
// would be longer than the number of pairs, each pair has its own row.
#pragma once

#include <algorithm>
#include <bit>

#include "tensor/extent.h"
#include "tensor/view.h"

namespace wf {

class RelativeRange {
 public:
  RelativeRange() = default;
  // Reads all positions: construct it once for a call, never for a tile.
  RelativeRange(const Positions& queries, const Positions& keys) : queries_(queries), keys_(keys) {
    if (queries_.count == 0 || keys_.count == 0) return;
    const auto [q_low, q_high] = std::minmax_element(queries_.data, queries_.data + queries_.count);
    const auto [k_low, k_high] = std::minmax_element(keys_.data, keys_.data + keys_.count);
    low_ = std::int64_t{*k_low} - *q_high;
    high_ = std::int64_t{*k_high} - *q_low;
    const std::int64_t range = high_ - low_ + 1;
    const std::int64_t pairs = std::int64_t{queries_.count} * keys_.count;
    by_pair_ = range > pairs;
    rows_ = rows_for(by_pair_ ? pairs : range);
    runs_ = queries_.run_without_gaps(0, queries_.count) && keys_.run_without_gaps(0, keys_.count);
  }

  // The smallest and the largest of them; 0 if there are none.
  std::int64_t low() const { return low_; }
  std::int64_t high() const { return high_; }

  // Whether the positions of the queries increase by one, and those of the keys.
  bool run_without_gaps() const { return runs_; }

  std::size_t rows() const { return rows_; }
  bool by_pair() const { return by_pair_; }
  // The row of distance r, if rows are by distance.
  int row_of(int r) const { return static_cast<int>(std::int64_t{r} - low_); }

  // Adds rows for larger distances, so that a text that grows token by token needs new rows only
  // when its length has doubled. Not for rows by pair.
  void reserve() {
    if (low_ < 0) low_ = -std::int64_t(std::bit_ceil(std::uint32_t(-low_)));
    if (high_ > 0) high_ = std::bit_ceil(std::uint32_t(high_));
    rows_ = rows_for(high_ - low_ + 1);
  }
  // Uses the rows of a range that includes this one.
  void take_rows(const RelativeRange& wider) {
    low_ = wider.low_;
    high_ = wider.high_;
    rows_ = wider.rows_;
  }
  bool covers(const RelativeRange& other) const {
    return low_ <= other.low_ && other.high_ <= high_;
  }

  // The row of query number t and key number s.
  std::size_t row(int t, int s) const {
    if (by_pair_) return std::size_t(t) * keys_.count + s;
    return static_cast<std::size_t>(std::int64_t{keys_.at(s)} - queries_.at(t) - low_);
  }

  // Calls body(row, relative position).
  template <class Body>
  void for_each_row(Body body) const {
    if (by_pair_) {
      for (int t = 0; t < queries_.count; ++t)
        for (int s = 0; s < keys_.count; ++s) body(row(t, s), keys_.at(s) - queries_.at(t));
      return;
    }
    for (std::size_t row = 0; row < rows_; ++row)
      body(row, static_cast<int>(low_ + std::int64_t(row)));
  }

 private:
  static std::size_t rows_for(std::int64_t count) {
    return std::uint64_t(count) < kTooMany ? static_cast<std::size_t>(count) : kTooMany;
  }

  Positions queries_, keys_;
  std::int64_t low_ = 0, high_ = 0;
  std::size_t rows_ = 0;
  bool by_pair_ = false, runs_ = false;
};

}  // namespace wf
