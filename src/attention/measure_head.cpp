#include "attention/measure_head.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention/key_tiles.h"
#include "attention/running_softmax.h"
#include "attention/tile_logits.h"
#include "kernels/dot.h"

namespace wf::detail {
namespace {

// Of long texts, only every eighth block of queries is asked what its content alone would score,
// which takes a product as large as that of the logits.
constexpr int kAllBlocks = 11;
constexpr int kBlocksApart = 8;

// Stands for the logit of a hidden key in a product with its weight, 0.
constexpr float kHiddenLogit = -1e30f;

double mean_length(ConstMatrix x, int a, int b) {
  double sum = 0;
  for (int i = 0; i < x.rows; ++i)
    sum += std::sqrt(x.row(i)[a] * x.row(i)[a] + x.row(i)[b] * x.row(i)[b]);
  return x.rows ? sum / x.rows : 0;
}

}  // namespace

HeadMeasurement::HeadMeasurement(const AttentionCall& call, AttentionScratch& scratch, int head,
                                 HeadMeasures& measures)
    : call_(call),
      scratch_(scratch),
      head_(call.head_logits(head)),
      measures_(measures),
      sums_(measures.begin()) {
  int position_channels = 0;
  for (const LayerScheme& item : call.schemes)
    position_channels = std::max(position_channels, item.scheme->position_channels());
  content_channels_ = head_.raw_q.columns - position_channels;
}

Status HeadMeasurement::begin() {
  if (measures_.pairs())
    WF_RETURN_IF_ERROR(
        scratch_.pair_sums.reserve(elements_of(2 * kBlockRows + 1, head_.k.columns)));
  const int tiles = (call_.k.rows - 1) / kBlockColumns + 1;
  WF_RETURN_IF_ERROR(scratch_.block_logits.reserve(elements_of(tiles, kTileFloats)));
  const int kv_head = head_.head / call_.group;
  const bool is_first_of_group = kv_head != scratch_.content_kv_head;
  scratch_.content_kv_head = kv_head;
  return scratch_.content.begin_head(content_of(head_.raw_k, 0, head_.raw_k.rows), head_.k,
                                     is_first_of_group);
}

void HeadMeasurement::keep(int index, const LogitTile& tile) {
  std::memcpy(block_tile(index), tile.logits, sizeof(float) * kTileFloats);
}

Status HeadMeasurement::add_block(int row0, int rows, const float* log_sum_exp) {
  const int block = row0 / kBlockRows, blocks = (call_.q.rows - 1) / kBlockRows + 1;
  splits_ = blocks <= kAllBlocks || block % kBlocksApart == 0;
  if (splits_) WF_RETURN_IF_ERROR(begin_split(row0, rows));
  std::fill_n(rows_, rows, RowSums());
  const KeyTiles tiles(call_, row0, rows);
  for (int t = 0; t < tiles.count; ++t)
    add_tile(call_.tile(head_.head, row0, rows, tiles.column0(t), tiles.columns(t), block_tile(t)),
             log_sum_exp);
  for (int i = 0; i < rows; ++i)
    if (rows_[i].visible) add_row(row0 + i, rows_[i]);
  for (int i = 0; i < rows && has_pairs(); ++i)
    if (rows_[i].visible > 1) add_row_pairs(row0 + i, i);
  return {};
}

// Prepares the block's tiles to be computed again: a split needs logits before softcap and mask.
Status HeadMeasurement::begin_split(int row0, int rows) {
  const ConstMatrix q = call_.scored_part(call_.q.head(head_.head));
  WF_RETURN_IF_ERROR(begin_block(scratch_, {q.row(row0), rows, q.columns, q.stride}));
  WF_RETURN_IF_ERROR(scratch_.content.begin_block(content_of(head_.raw_q, row0, rows)));
  std::fill_n(scratch_.carry.data(), std::ptrdiff_t{kBlockRows} * carry_floats(call_.schemes),
              0.0f);
  if (has_pairs()) scratch_.pair_sums.fill_zero();
  return {};
}

void HeadMeasurement::split_tile(const LogitTile& tile, float* uncapped, float* content) {
  TileWork work;
  compute_logits(call_, scratch_, tile, work, scratch_.carry.data());
  std::memcpy(uncapped, tile.logits, sizeof(float) * kTileFloats);
  LogitTile content_tile = tile;
  content_tile.logits = content;
  content_tile.q = content_of(head_.raw_q, tile.row0, tile.rows);
  scratch_.content.logits(content_tile, head_.scale, scratch_.matmul);
  cap_and_mask(call_, tile);
}

void HeadMeasurement::add_tile(const LogitTile& tile, const float* log_sum_exp) {
  float* uncapped = scratch_.tiles.data() + kTileFloats;
  float* content = scratch_.tiles.data() + 2 * kTileFloats;
  if (splits_) split_tile(tile, uncapped, content);
  const bool is_whole =
      call_.mask.leaves_alone(tile.row0, tile.rows, tile.column0, tile.columns, call_.k.rows);
  const auto row_of = [&](int i) -> TileRow {
    const std::ptrdiff_t at = i * tile.stride;
    return {tile.logits + at, uncapped + at, content + at, tile.column0, tile.columns};
  };
  for (int i = 0; i < tile.rows; ++i) rows_[i].visible += hide(tile.row0 + i, row_of(i), is_whole);
  if (has_pairs()) add_pairs(tile, uncapped, is_whole);
  for (int i = 0; i < tile.rows; ++i) {
    const float log_sum = log_sum_exp[tile.row0 + i];
    if (log_sum != kNothing) add_tile_row(tile.row0 + i, rows_[i], row_of(i), log_sum);
  }
}

// Adds keys to the sums of each row: multiplied by the logits in `uncapped`, and as they are.
void HeadMeasurement::add_pairs(const LogitTile& tile, const float* uncapped, bool is_whole) {
  LogitTile logits = tile;
  logits.logits = const_cast<float*>(uncapped);
  scratch_.content.add_values(logits, by_logit(0, tile.rows), scratch_.matmul);
  const int channels = tile.k.columns;
  float* whole = key_sum(kBlockRows);
  std::fill_n(whole, channels, 0.0f);
  for (int j = 0; is_whole && j < tile.columns; ++j) add_to(tile.k.row(j), channels, whole);
  for (int i = 0; i < tile.rows; ++i) {
    if (is_whole) add_to(whole, channels, key_sum(i));
    for (int j = 0; !is_whole && j < tile.columns; ++j)
      if (tile.logits[i * tile.stride + j] != kHiddenLogit)
        add_to(tile.k.row(j), channels, key_sum(i));
  }
}

// Counts the visible keys, and sets the logits of others to zero.
int HeadMeasurement::hide(int query, const TileRow& row, bool is_whole) const {
  float* steps = at_distance(sums_.visible_steps, query, row.column0);
  if (is_whole) {
    steps[0] += 1;
    steps[row.columns] -= 1;
    return row.columns;
  }
  int count = 0;
  for (int j = 0; j < row.columns; ++j) {
    if (row.logits[j] > kNothing) {
      steps[j] += 1;
      steps[j + 1] -= 1;
      ++count;
    } else {
      if (splits_) row.uncapped[j] = row.content[j] = 0;
      row.logits[j] = kHiddenLogit;
    }
  }
  return count;
}

void HeadMeasurement::add_tile_row(int query, RowSums& sums, const TileRow& row, float log_sum) {
  const int count = row.columns;
  if (splits_) {
    sums.logit += sum_of(row.uncapped, count);
    sums.logit_squares += dot(row.uncapped, row.uncapped, count);
    sums.content += sum_of(row.content, count);
    sums.logit_content += dot(row.uncapped, row.content, count);
  }
  // The weights, in place of the uncapped logits.
  float* weights = row.uncapped;
  std::memcpy(weights, row.logits, sizeof(float) * count);
  const double total = recompute_weights(weights, count, log_sum, 0);
  sums.entropy += log_sum * total - dot(weights, row.logits, count);
  sums_.squares += dot(weights, weights, count);
  add_to(weights, count, at_distance(sums_.by_distance, query, row.column0));
  add_distances(query, sums, weights, row, total);
  add_tokens(query, sums, weights, row);
  find_median(query, sums, weights, row, total, log_sum);
  sums.weight += total;
}

void HeadMeasurement::add_distances(int query, RowSums& sums, const float* weights,
                                    const TileRow& row, double total) const {
  const float* ramp = measures_.ramp() + row.column0;
  sums.distance += query * total - dot(weights, ramp, row.columns);
  // Keys after the query, for which that was negative.
  const int back = std::clamp(query + 1 - row.column0, 0, row.columns), ahead = row.columns - back;
  if (ahead && !call_.config.is_causal)
    sums.distance += 2 * (dot(weights + back, ramp + back, ahead) -
                          double(query) * sum_of(weights + back, ahead));
}

void HeadMeasurement::add_tokens(int query, RowSums& sums, const float* weights,
                                 const TileRow& row) const {
  const auto weight = [&](int column) -> double {
    return row.has(column) ? weights[column - row.column0] : 0;
  };
  sums.self += weight(query);
  sums.previous += weight(query - 1);
  sums.first += weight(0);
  const auto earlier = measures_.earlier(query);
  // From one before the tile on, since the token that follows may be in it.
  auto it = std::lower_bound(earlier.begin(), earlier.end(), row.column0 - 1);
  for (; it != earlier.end() && *it < row.column0 + row.columns; ++it) {
    sums.same += weight(*it);
    sums.induction += weight(*it + 1);
  }
}

// Tiles come in order, from the left or from the right, and the sum of the weights is known: all
// but the sink's.
void HeadMeasurement::find_median(int query, RowSums& sums, const float* weights,
                                  const TileRow& row, double total, float log_sum) const {
  if (sums.median >= 0) return;
  const double whole = head_.sink ? 1 - std::exp(double(*head_.sink) - log_sum) : 1;
  if (sums.before + total < whole / 2) {
    sums.before += total;
    return;
  }
  double passed = sums.before;
  for (int n = 0; n < row.columns && sums.median < 0; ++n) {
    const int j = call_.right_to_left ? row.columns - 1 - n : n;
    passed += weights[j];
    if (passed >= whole / 2 || n == row.columns - 1)
      sums.median = std::abs(query - (row.column0 + j));
  }
}

void HeadMeasurement::add_row(int query, const RowSums& row) {
  sums_.weight += row.weight;
  sums_.visible_cells += row.visible;
  sums_.add(kMeasureSelf, row.self);
  sums_.add(kMeasureNobody, 1 - row.weight);
  sums_.add(kMeasureEntropy, row.entropy / std::log(2.0));
  sums_.add(kMeasureDistance, row.weight > 0 ? row.distance / row.weight : 0);
  sums_.add(kMeasureMedian, std::max(row.median, 0));
  const int begin = call_.mask.visible(query, call_.k.rows).begin;
  if (query > begin) sums_.add(kMeasurePrevious, row.previous);
  if (query > 0 && begin == 0) sums_.add(kMeasureFirst, row.first);
  const auto earlier = measures_.earlier(query);
  if (!earlier.empty() && earlier.back() >= begin) sums_.add(kMeasureSame, row.same);
  if (!earlier.empty() && earlier.back() + 1 >= begin) sums_.add(kMeasureInduction, row.induction);
  const double covariance =
      row.logit_squares - row.logit_content - (row.logit - row.content) * row.logit / row.visible;
  const double variance = row.logit_squares - row.logit * row.logit / row.visible;
  if (splits_ && row.visible > 1) sums_.add(kMeasurePositional, covariance, variance);
}

// Adds the covariance of each pair's part of a query's logits with the logits.
void HeadMeasurement::add_row_pairs(int query, int i) {
  const RowSums& row = rows_[i];
  const float *q = head_.q.row(query), *products = by_logit(i, 1).row(0), *keys = key_sum(i);
  const double mean = row.logit / row.visible;
  const std::int32_t* channels = measures_.channels();
  for (int p = 0; p < measures_.pairs(); ++p) {
    const int a = channels[2 * p], b = channels[2 * p + 1];
    sums_.pair_covariance[p] += double(head_.scale) * (q[a] * (products[a] - keys[a] * mean) +
                                                       q[b] * (products[b] - keys[b] * mean));
  }
}

void HeadMeasurement::finish(int slot) {
  measures_.finish(slot, sums_);
  const std::int32_t* channels = measures_.channels();
  for (int p = 0; p < measures_.pairs(); ++p) {
    const int a = channels[2 * p], b = channels[2 * p + 1];
    measures_.pair_lengths(slot)[p] =
        static_cast<float>(head_.scale * mean_length(head_.q, a, b) * mean_length(head_.k, a, b));
  }
}

}  // namespace wf::detail
