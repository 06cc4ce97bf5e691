#include "attention/mask.h"

#include <algorithm>
#include <limits>

#include "kernels/dot.h"

namespace wf {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

}  // namespace

// Every rule but segments and explicit masks lets a query see one range of keys, and both ends of
// the range never decrease from query to query.
Mask::Range Mask::visible(int row, int keys) const {
  const int query = row + query_offset;
  Range seen = {0, keys};
  if (key_length >= 0) seen.end = std::min(seen.end, key_length);
  if (is_causal) seen.end = std::min(seen.end, std::max(query + 1, prefix_length));
  if (window > 0) {
    // Compares first, so that the sum does not overflow: a window may be as large as an int.
    if (window <= query) seen.begin = std::max(seen.begin, query - window + 1);
    if (window < seen.end - query) seen.end = query + window;
  }
  if (chunk > 0) {
    // Chunks continue to the left of the first key: a query before it sees no keys.
    const std::int64_t before = query >= 0 ? query / chunk : -1 - (-1LL - query) / chunk;
    const std::int64_t first = before * chunk;
    seen.begin = static_cast<int>(std::max<std::int64_t>(seen.begin, first));
    seen.end = static_cast<int>(std::min<std::int64_t>(seen.end, first + chunk));
  }
  // A query after the keys sees none: its empty range is at the end of the keys, not after it.
  seen.begin = std::min(seen.begin, keys);
  seen.end = std::max(seen.end, seen.begin);
  return seen;
}

Mask::Range Mask::visible_to_any(int row0, int rows, int keys) const {
  return {visible(row0, keys).begin, visible(row0 + rows - 1, keys).end};
}

Mask::Range Mask::hole(int row) const {
  const int query = row + query_offset;
  if (reach.window <= 0 || reach.window > query) return {0, 0};
  return {reach.kept, std::max(query - reach.window + 1, reach.kept)};
}

bool Mask::leaves_alone(int row0, int rows, int column0, int columns, int keys) const {
  if (given.present() || query_segments || key_segments) return false;
  // The hole begins at the same key in each row, and ends later from row to row.
  const Range hidden = hole(row0 + rows - 1);
  if (std::max(hidden.begin, column0) < std::min(hidden.end, column0 + columns)) return false;
  return visible(row0 + rows - 1, keys).begin <= column0 &&
         column0 + columns <= visible(row0, keys).end;
}

void Mask::fetch(int head, int row0, int rows, int column0, int columns) const {
  if (!given.additive || given.column_stride != 1) return;
  constexpr int kLine = 16;  // floats in a cache line
  const float* from = given.additive + head * given.head_stride + column0;
  for (int i = row0; i < row0 + rows; ++i)
    for (int j = 0; j < columns; j += kLine)
      static_cast<void>(*static_cast<const volatile float*>(from + i * given.row_stride + j));
}

void Mask::apply(int head, int row0, int rows, int column0, int columns, float* logits,
                 std::ptrdiff_t stride) const {
  for (int i = 0; i < rows; ++i) {
    float* row = logits + i * stride;
    const int query = row0 + i;
    if (given.present()) {
      const std::ptrdiff_t start =
          head * given.head_stride + query * given.row_stride + column0 * given.column_stride;
      if (given.additive && given.column_stride == 1)
        add_to(given.additive + start, columns, row);
      else if (given.additive)
        for (int j = 0; j < columns; ++j) row[j] += given.additive[start + j * given.column_stride];
      if (given.allowed)
        for (int j = 0; j < columns; ++j)
          if (!given.allowed[start + j * given.column_stride]) row[j] = kForbidden;
    }
    if (query_segments && key_segments)
      for (int j = 0; j < columns; ++j)
        if (query_segments[query] != key_segments[column0 + j]) row[j] = kForbidden;
    const Range seen = visible(query, column0 + columns);
    const int begin = std::clamp(seen.begin - column0, 0, columns);
    const int end = std::clamp(seen.end - column0, 0, columns);
    std::fill(row, row + begin, kForbidden);
    std::fill(row + end, row + columns, kForbidden);
    const Range hidden = hole(query);
    std::fill(row + std::clamp(hidden.begin - column0, 0, columns),
              row + std::clamp(hidden.end - column0, 0, columns), kForbidden);
  }
}

}  // namespace wf
