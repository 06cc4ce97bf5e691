#include "attention/mask.h"

#include <algorithm>
#include <limits>

namespace wf {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

}  // namespace

int Mask::visible_end(int row0, int rows, int keys) const {
  int end = keys;
  if (key_length >= 0) end = std::min(end, key_length);
  if (is_causal) end = std::min(end, row0 + rows + query_offset);
  return std::max(end, 0);
}

bool Mask::leaves_alone(int row0, int, int column0, int columns) const {
  if (given.present() || query_segments || key_segments) return false;
  const int last = column0 + columns - 1;
  if (key_length >= 0 && last >= key_length) return false;
  return !is_causal || last <= row0 + query_offset;
}

void Mask::apply(int head, int row0, int rows, int column0, int columns, float* logits,
                 std::ptrdiff_t stride) const {
  for (int i = 0; i < rows; ++i) {
    float* row = logits + i * stride;
    const int query = row0 + i;
    if (given.present()) {
      const std::ptrdiff_t start = head * given.head_stride + query * given.row_stride;
      for (int j = 0; j < columns; ++j) {
        const std::ptrdiff_t at = start + (column0 + j) * given.column_stride;
        if (given.additive) row[j] += given.additive[at];
        if (given.allowed && !given.allowed[at]) row[j] = kForbidden;
      }
    }
    if (query_segments && key_segments)
      for (int j = 0; j < columns; ++j)
        if (query_segments[query] != key_segments[column0 + j]) row[j] = kForbidden;
    int visible = columns;
    if (key_length >= 0) visible = std::min(visible, key_length - column0);
    if (is_causal) visible = std::min(visible, query + query_offset - column0 + 1);
    for (int j = std::max(visible, 0); j < columns; ++j) row[j] = kForbidden;
  }
}

}  // namespace wf
