#include "schemes/clipped_tile.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf {

ClippedTile::ClippedTile(const LayerContext& context, const LogitTile& tile, int left, int right)
    : context_(context),
      tile_(tile),
      left_(left),
      right_(right),
      nearest_(context.key_positions.at(tile.column0) - context.query_positions.at(tile.row0)),
      is_regular_(context.distances.run_without_gaps() ||
                  (context.query_positions.run_without_gaps(tile.row0, tile.rows) &&
                   context.key_positions.run_without_gaps(tile.column0, tile.columns))) {}

ClippedTile::Middle ClippedTile::middle(int row) const {
  const int begin = std::clamp(row - nearest_ - left_, 0, tile_.columns);
  const int end = std::clamp(row - nearest_ + right_, begin, tile_.columns);
  return {begin, end, begin + nearest_ - row + left_};
}

void ClippedTile::spread(const float* values, std::ptrdiff_t stride, float* target,
                         float* offsets) const {
  const int columns = tile_.columns, last = left_ + right_;
  if (offsets && entries() == 1) {
    for (int i = 0; i < tile_.rows; ++i) offsets[i] += values[i * stride + first_entry()];
    return;
  }
  for (int i = 0; i < tile_.rows; ++i, values += stride, target += tile_.stride) {
    if (!is_regular_) {
      for (int j = 0; j < columns; ++j) target[j] += values[entry(i, j)];
      continue;
    }
    const auto [begin, end, entry] = middle(i);
    // The longer of the two outer parts is added through the row's offset.
    const float offset = offsets ? values[begin > columns - end ? 0 : last] : 0;
    if (offsets) offsets[i] += offset;
    if (begin > 0 && values[0] != offset) add_constant(values[0] - offset, begin, target);
    if (end > begin) add_raised(values + entry, -offset, end - begin, target + begin);
    if (columns > end && values[last] != offset)
      add_constant(values[last] - offset, columns - end, target + end);
  }
}

void ClippedTile::gather(const float* source, const float* row_sums, float* sums,
                         std::ptrdiff_t stride) const {
  const int columns = tile_.columns, last = left_ + right_;
  if (row_sums && entries() == 1) {
    for (int i = 0; i < tile_.rows; ++i) sums[i * stride + first_entry()] += row_sums[i];
    return;
  }
  for (int i = 0; i < tile_.rows; ++i, source += tile_.stride, sums += stride) {
    if (!is_regular_) {
      for (int j = 0; j < columns; ++j) sums[entry(i, j)] += source[j];
      continue;
    }
    const auto [begin, end, entry] = middle(i);
    if (row_sums && (begin == columns || end == 0)) {
      sums[end == 0 ? last : 0] += row_sums[i];
      continue;
    }
    if (begin > 0) sums[0] += sum_of(source, begin);
    if (end > begin) add_to(source + begin, end - begin, sums + entry);
    if (columns > end) sums[last] += sum_of(source + end, columns - end);
  }
}

}  // namespace wf
