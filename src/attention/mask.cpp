#include "attention/mask.h"

#include <algorithm>
#include <limits>

namespace wf {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

}  // namespace

int Mask::visible_begin(int row0) const {
  return window > 0 ? std::max(0, row0 + query_offset - window + 1) : 0;
}

int Mask::visible_end(int row0, int rows, int keys) const {
  int end = keys;
  if (key_length >= 0) end = std::min(end, key_length);
  const int last_query = row0 + rows - 1 + query_offset;
  if (is_causal) end = std::min(end, last_query + 1);
  if (window > 0) end = std::min(end, last_query + window);
  return std::max(end, 0);
}

bool Mask::leaves_alone(int row0, int rows, int column0, int columns) const {
  if (given.present() || query_segments || key_segments) return false;
  const int first_query = row0 + query_offset, last_query = first_query + rows - 1;
  const int last = column0 + columns - 1;
  if (key_length >= 0 && last >= key_length) return false;
  if (window > 0 && (last_query - column0 >= window || last - first_query >= window)) return false;
  return !is_causal || last <= first_query;
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
    const int index = query + query_offset - column0;  // of the query, counted from column0
    int begin = 0, end = columns;
    if (key_length >= 0) end = std::min(end, key_length - column0);
    if (is_causal) end = std::min(end, index + 1);
    if (window > 0) {
      begin = std::clamp(index - window + 1, 0, columns);
      end = std::min(end, index + window);
    }
    for (int j = 0; j < begin; ++j) row[j] = kForbidden;
    for (int j = std::max(end, 0); j < columns; ++j) row[j] = kForbidden;
  }
}

}  // namespace wf
