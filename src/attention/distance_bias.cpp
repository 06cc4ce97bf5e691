#include "attention/distance_bias.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf {
namespace {

// The constant step between positions; 0 if it is not constant, `other` if there is only one
// position.
std::int64_t step_of(const Positions& positions, std::int64_t other) {
  if (positions.axes != 1) return 0;
  if (positions.count < 2) return other;
  const std::int64_t step = std::int64_t{positions.at(1)} - positions.at(0);
  for (int i = 2; i < positions.count; ++i)
    if (std::int64_t{positions.at(i)} - positions.at(i - 1) != step) return 0;
  return step;
}

int relative(const LayerContext& context, int row, int column) {
  return context.key_positions.at(column) - context.query_positions.at(row);
}

// First column after `column` where the relative position does not increase by one.
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
  form_ = Form::kNone;
  if (!schemes.any(kHookDistanceStrip)) return {};
  const Positions& queries = contexts[0].query_positions;
  const Positions& keys = contexts[0].key_positions;
  if (queries.count == 0 || keys.count == 0) return {};
  const std::int64_t step = step_of(keys, step_of(queries, 1));
  std::int64_t size = keys.count;
  form_ = Form::kRuns;
  if (step > 0 && step_of(queries, step) == step) {
    form_ = Form::kPieces;
    step_ = static_cast<int>(step);
    low_ = relative(contexts[0], queries.count - 1, 0);
    size = std::int64_t{queries.count} + keys.count - 1;
  } else if (keys.axes == 1) {
    const RelativeRange range(queries, keys);
    // A strip is worth it if it has few entries compared to the logits.
    const std::int64_t pairs = std::int64_t{queries.count} * keys.count;
    const std::int64_t entries = range.high() - range.low() + 1;
    if (entries <= std::max(pairs / 4, 2 * (std::int64_t{queries.count} + keys.count))) {
      form_ = Form::kPicked;
      step_ = 1;
      low_ = static_cast<int>(range.low());
      size = entries;
      min_key_ = *std::min_element(keys.data, keys.data + keys.count);
    }
  }
  size_ = static_cast<int>(size);
  WF_RETURN_IF_ERROR(strip_.reserve(size_));
  WF_RETURN_IF_ERROR(one_scheme_.reserve(size_));
  if (with_gradient) WF_RETURN_IF_ERROR(d_strip_.reserve(size_));
  return {};
}

template <class Body>
void DistanceBias::for_each_range(Body body) const {
  // Adjacent entries are adjacent distances if the step is 1; otherwise each entry is a separate
  // range.
  const int entries = step_ == 1 ? size_ : 1;
  for (int s = 0; s < schemes_->count; ++s)
    if (schemes_->items[s].has(kHookDistanceStrip))
      for (int entry = 0; entry < size_; entry += entries) {
        // The difference between the smallest and the largest distance may exceed an int.
        const int low = static_cast<int>(low_ + std::int64_t{entry} * step_);
        body(*schemes_->items[s].scheme, contexts_[s], low, low + entries, entry);
      }
}

void DistanceBias::begin_head(int head) {
  if (form_ == Form::kNone || form_ == Form::kRuns) return;
  std::fill_n(strip_.data(), size_, 0.0f);
  if (d_strip_.size()) std::fill_n(d_strip_.data(), size_, 0.0f);
  // The first scheme writes directly to the strip: in a decoding step an additional pass would be
  // noticeable.
  const LayerContext* first = nullptr;
  for_each_range(
      [&](const Scheme& scheme, const LayerContext& context, int low, int high, int entry) {
        if (!first) first = &context;
        if (first == &context)
          return scheme.distance_strip(context, head, low, high, strip_.data() + entry);
        std::fill_n(one_scheme_.data(), high - low, 0.0f);
        scheme.distance_strip(context, head, low, high, one_scheme_.data());
        add_to(one_scheme_.data(), high - low, strip_.data() + entry);
      });
}

const int* DistanceBias::key_offsets(const LogitTile& tile) {
  const Positions& keys = contexts_[0].key_positions;
  bool run = true;
  for (int j = 0; j < tile.columns; ++j) {
    offsets_[j] = keys.at(tile.column0 + j) - min_key_;
    run &= offsets_[j] == offsets_[0] + j;
  }
  return run ? nullptr : offsets_;
}

void DistanceBias::add(const LogitTile& tile) {
  if (form_ == Form::kNone) return;
  const int* offsets = form_ == Form::kPicked ? key_offsets(tile) : nullptr;
  for (int i = 0; i < tile.rows; ++i) {
    float* logits = tile.logits + i * tile.stride;
    const int row = tile.row0 + i;
    if (form_ == Form::kRuns) {
      for (int s = 0; s < schemes_->count; ++s)
        if (schemes_->items[s].has(kHookDistanceStrip))
          add_distance_row(schemes_->items[s], contexts_[s], tile.head, row, tile.column0,
                           tile.columns, one_scheme_.data(), logits);
      continue;
    }
    const float* piece = strip_.data() + strip_offset(row, tile.column0);
    if (!offsets) {
      add_to(piece, tile.columns, logits);
    } else {
      piece -= offsets[0];
      for (int j = 0; j < tile.columns; ++j) logits[j] += piece[offsets[j]];
    }
  }
}

void DistanceBias::add_backward(const LogitTile& tile, const float* d_logits) {
  if (form_ == Form::kNone) return;
  const int* offsets = form_ == Form::kPicked ? key_offsets(tile) : nullptr;
  for (int i = 0; i < tile.rows; ++i) {
    const float* d_row = d_logits + i * tile.stride;
    const int row = tile.row0 + i;
    if (form_ != Form::kRuns) {
      float* piece = d_strip_.data() + strip_offset(row, tile.column0);
      if (!offsets) {
        add_to(d_row, tile.columns, piece);
      } else {
        piece -= offsets[0];
        for (int j = 0; j < tile.columns; ++j) piece[offsets[j]] += d_row[j];
      }
      continue;
    }
    for (int s = 0; s < schemes_->count; ++s)
      for (int j = 0; schemes_->items[s].has(kHookDistanceStrip) && j < tile.columns; ++j) {
        const int r = relative(contexts_[s], row, tile.column0 + j);
        schemes_->items[s].scheme->distance_strip_backward(contexts_[s], tile.head, r, r + 1,
                                                           d_row + j);
      }
  }
}

void DistanceBias::end_head_backward(int head) {
  if (form_ == Form::kNone || form_ == Form::kRuns) return;
  for_each_range(
      [&](const Scheme& scheme, const LayerContext& context, int low, int high, int entry) {
        scheme.distance_strip_backward(context, head, low, high, d_strip_.data() + entry);
      });
}

}  // namespace wf
