// A tile of a scheme that has a table entry for each distance from -left to right, and clips larger
// distances to these limits. Entries are 0 … left + right, in the order of key position − query
// position.
//
// If positions have no gaps, a row of the tile has three parts: columns of the first entry, one
// column for each entry, and columns of the last entry. No look-up is needed.
#pragma once

#include "schemes/layer_context.h"
#include "schemes/tile.h"

namespace wf {

class ClippedTile {
 public:
  ClippedTile(const LayerContext& context, const LogitTile& tile, int left, int right);

  // The entries that occur in the tile; all entries if positions have gaps.
  int first_entry() const { return is_regular_ ? entry_of(nearest_ - tile_.rows + 1) : 0; }
  int entries() const {
    return (is_regular_ ? entry_of(nearest_ + tile_.columns - 1) : left_ + right_) - first_entry() +
           1;
  }
  int entry(int i, int j) const {
    return entry_of(context_.key_positions.at(tile_.column0 + j) -
                    context_.query_positions.at(tile_.row0 + i));
  }

  // target [rows, the tile's stride] += values[row · stride + entry]. Adds a part that is the same
  // for the whole row to `offsets` instead, unless that is null.
  void spread(const float* values, std::ptrdiff_t stride, float* target, float* offsets) const;
  // sums[row · stride + entry] += source [rows, the tile's stride]; `row_sums` are its row sums, if
  // known.
  void gather(const float* source, const float* row_sums, float* sums, std::ptrdiff_t stride) const;

 private:
  // Columns from `begin` to `end` have one entry each, starting with `entry`.
  struct Middle {
    int begin, end, entry;
  };
  Middle middle(int row) const;
  int entry_of(int r) const { return r < -left_ ? 0 : r > right_ ? left_ + right_ : r + left_; }

  const LayerContext& context_;
  const LogitTile& tile_;
  int left_, right_;
  int nearest_;  // the distance of the first query and the first key
  bool is_regular_;
};

}  // namespace wf
