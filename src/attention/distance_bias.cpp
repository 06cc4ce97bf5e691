#include "attention/distance_bias.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf {
namespace {

bool runs_without_gaps(const Positions& positions) {
  return positions.axes == 1 && positions.run_without_gaps(0, positions.count);
}

int relative(const LayerContext& context, int row, int column) {
  return context.key_positions.at(column) - context.query_positions.at(row);
}

// First column after `column` where the relative position does not go up by one.
int end_of_run(const LayerContext& context, int column, int end) {
  const Positions& keys = context.key_positions;
  int next = column + 1;
  while (next < end && keys.at(next) == keys.at(next - 1) + 1) ++next;
  return next;
}

}  // namespace

void add_distance_row(const LayerScheme& item, const LayerContext& context, int head, int row,
                      int column0, int columns, float* run, float* target) {
  const int end = column0 + columns;
  for (int column = column0; column < end;) {
    const int next = end_of_run(context, column, end);
    const int low = relative(context, row, column);
    std::fill_n(run, next - column, 0.0f);
    item.scheme->distance_strip(context, head, low, low + (next - column), run);
    for (int j = column; j < next; ++j) target[j - column0] += run[j - column];
    column = next;
  }
}

Status DistanceBias::prepare(const LayerSchemes& schemes, const LayerContext* contexts,
                             bool with_gradient) {
  schemes_ = &schemes;
  contexts_ = contexts;
  present_ = schemes.any(kHookDistanceStrip);
  if (!present_) return {};
  const Positions& queries = contexts[0].query_positions;
  const Positions& keys = contexts[0].key_positions;
  if (queries.count == 0 || keys.count == 0) {
    present_ = false;
    return {};
  }
  consecutive_ = runs_without_gaps(queries) && runs_without_gaps(keys);
  low_ = keys.at(0) - queries.at(queries.count - 1);
  high_ = keys.at(keys.count - 1) - queries.at(0) + 1;
  const std::size_t size = consecutive_ ? high_ - low_ : keys.count;
  WF_RETURN_IF_ERROR(strip_.reserve(size));
  WF_RETURN_IF_ERROR(one_scheme_.reserve(size));
  if (with_gradient) WF_RETURN_IF_ERROR(d_strip_.reserve(size));
  return {};
}

void DistanceBias::begin_head(int head) {
  if (!present_ || !consecutive_) return;
  const int size = high_ - low_;
  std::fill_n(strip_.data(), size, 0.0f);
  if (d_strip_.size()) std::fill_n(d_strip_.data(), size, 0.0f);
  for (int i = 0; i < schemes_->count; ++i) {
    if (!schemes_->items[i].has(kHookDistanceStrip)) continue;
    std::fill_n(one_scheme_.data(), size, 0.0f);
    schemes_->items[i].scheme->distance_strip(contexts_[i], head, low_, high_, one_scheme_.data());
    add_to(one_scheme_.data(), size, strip_.data());
  }
}

std::ptrdiff_t DistanceBias::strip_offset(int row, int column) const {
  return relative(contexts_[0], row, column) - low_;
}

void DistanceBias::add(const LogitTile& tile) {
  if (!present_) return;
  for (int i = 0; i < tile.rows; ++i) {
    float* logits = tile.logits + i * tile.stride;
    const int row = tile.row0 + i;
    if (consecutive_) {
      add_to(strip_.data() + strip_offset(row, tile.column0), tile.columns, logits);
      continue;
    }
    for (int s = 0; s < schemes_->count; ++s)
      if (schemes_->items[s].has(kHookDistanceStrip))
        add_distance_row(schemes_->items[s], contexts_[s], tile.head, row, tile.column0,
                         tile.columns, one_scheme_.data(), logits);
  }
}

void DistanceBias::add_backward(const LogitTile& tile, const float* d_logits) {
  if (!present_) return;
  for (int i = 0; i < tile.rows; ++i) {
    const float* d_row = d_logits + i * tile.stride;
    const int row = tile.row0 + i;
    if (consecutive_) {
      add_to(d_row, tile.columns, d_strip_.data() + strip_offset(row, tile.column0));
      continue;
    }
    const int end = tile.column0 + tile.columns;
    for (int column = tile.column0; column < end;) {
      const int next = end_of_run(contexts_[0], column, end);
      const int low = relative(contexts_[0], row, column);
      for (int s = 0; s < schemes_->count; ++s)
        if (schemes_->items[s].has(kHookDistanceStrip))
          schemes_->items[s].scheme->distance_strip_backward(
              contexts_[s], tile.head, low, low + (next - column), d_row + (column - tile.column0));
      column = next;
    }
  }
}

void DistanceBias::end_head_backward(int head) {
  if (!present_ || !consecutive_) return;
  for (int s = 0; s < schemes_->count; ++s)
    if (schemes_->items[s].has(kHookDistanceStrip))
      schemes_->items[s].scheme->distance_strip_backward(contexts_[s], head, low_, high_,
                                                         d_strip_.data());
}

}  // namespace wf
