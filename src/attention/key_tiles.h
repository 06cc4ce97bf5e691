// The key tiles of a block of queries and the order in which they are visited. Private to this
// folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/tile_sizes.h"

namespace wf::detail {

// Key tiles of a query block, in the order that the schemes request.
struct KeyTiles {
  int begin, end, count;
  bool right_to_left;

  KeyTiles(const AttentionCall& call, int row0, int rows);
  // First column of the i-th visited tile.
  int column0(int i) const { return begin + (right_to_left ? count - 1 - i : i) * kBlockColumns; }
  int columns(int i) const {
    const int left = end - column0(i);
    return left < kBlockColumns ? left : kBlockColumns;
  }
  // Columns of the i-th visited tile and of the next ones, `max` tiles in total.
  Mask::Range range(int i, int max) const {
    const int last = i + max < count ? i + max - 1 : count - 1;
    const int left = right_to_left ? last : i, right = right_to_left ? i : last;
    return {column0(left), column0(right) + columns(right)};
  }
};

}  // namespace wf::detail
