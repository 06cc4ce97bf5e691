// A tile under a scheme that tells distances from -left to right apart, and takes those beyond for
// the last ones. Their places are 0 … left + right, in the order of key position − query position.
//
// Where positions run without gaps a row of the tile has three parts: columns of the first place,
// one column for each place, and columns of the last place. None needs a look-up.
#pragma once

#include "schemes/layer_context.h"
#include "schemes/tile.h"

namespace wf {

class ClippedTile {
 public:
  ClippedTile(const LayerContext& context, const LogitTile& tile, int left, int right);

  // The places that occur; all of them where positions have gaps.
  int first_entry() const { return is_regular_ ? entry_of(nearest_ - tile_.rows + 1) : 0; }
  int entries() const {
    return (is_regular_ ? entry_of(nearest_ + tile_.columns - 1) : left_ + right_) - first_entry() +
           1;
  }
  int entry(int i, int j) const {
    return entry_of(context_.key_positions.at(tile_.column0 + j) -
                    context_.query_positions.at(tile_.row0 + i));
  }

  // target [rows, the tile's stride] += values[row · stride + place], a part of it by a row's
  // number in `offsets`, unless they are null.
  void spread(const float* values, std::ptrdiff_t stride, float* target, float* offsets) const;
  // sums[row · stride + place] += source [rows, the tile's stride]; `row_sums` of it, where they
  // are known.
  void gather(const float* source, const float* row_sums, float* sums, std::ptrdiff_t stride) const;

 private:
  // Columns from `begin` to `end` have a place each, the first of which is `place`.
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
