#include "schemes/distance_table.h"

#include <algorithm>

#include "kernels/dot.h"
#include "schemes/tile_work.h"

namespace wf {
namespace {

// No side of a tile is longer than kTileStride.
constexpr int kMaxDistances = 2 * kTileStride;
// Number of vectors that are multiplied together; few, so that they need little more than the
// distances of one of them.
constexpr int kGroupRows = 8;
// Products fill whole panels; the first panel may begin before the first distance.
constexpr int kStripStride = kMaxDistances + 2 * kPanelColumns;

}  // namespace

// A tile seen from one side: vectors x, each combined with all vectors of the other side.
struct DistanceTable::Side {
  const LayerContext& context;
  const LogitTile& tile;
  bool is_query;

  ConstMatrix x() const { return is_query ? tile.q : tile.k; }
  int others() const { return is_query ? tile.columns : tile.rows; }
  int distances() const { return tile.rows + tile.columns - 1; }
  // Index of the logit of x number a and the first other vector, and the step to the next one.
  std::ptrdiff_t at(int a) const { return is_query ? a * tile.stride : a; }
  std::ptrdiff_t step() const { return is_query ? 1 : tile.stride; }
  int distance(int a, int b) const {
    const int i = is_query ? a : b, j = is_query ? b : a;
    return context.key_positions.at(tile.column0 + j) - context.query_positions.at(tile.row0 + i);
  }
  // Not for few queries, which are not packed, nor for a recorder, which has no scratch memory.
  bool can_multiply() const { return tile.work && tile.work->q_strips; }
  bool is_regular() const {
    return context.query_positions.run_without_gaps(tile.row0, tile.rows) &&
           context.key_positions.run_without_gaps(tile.column0, tile.columns);
  }
};

// The table rows that a tile without gaps uses, as columns in non-decreasing order: x number a and
// other number b use column of[x.rows - 1 - a + b].
struct DistanceTable::Band {
  int* of;
  int columns;
  int first;  // table row of column 0; the next column is the next row, or the previous one
  int direction;
  // Limits of clipping: up to distance number `rises` the first column is used, from `stays` on the
  // last. `is_plain`: in between, each distance uses the next column, so no bucket is skipped or
  // shared.
  int rises, stays;
  bool is_plain;

  Band(const DistanceTable& table, const Side& side, int* memory) : of(memory) {
    const int distances = side.distances();
    const int nearest = side.is_query ? side.distance(side.tile.rows - 1, 0)
                                      : side.distance(side.tile.columns - 1, 0);
    const int step = side.is_query ? 1 : -1;
    first = table.row_of(nearest);
    const int last = table.row_of(nearest + step * (distances - 1));
    direction = last < first ? -1 : 1;
    for (int u = 0; u < distances; ++u)
      of[u] = direction * (table.row_of(nearest + step * u) - first);
    columns = of[distances - 1] + 1;
    rises = stays = 0;
    while (rises + 1 < distances && of[rises + 1] == 0) ++rises;
    while (of[stays] != columns - 1) ++stays;
    is_plain = true;
    for (int u = rises; u < stays; ++u) is_plain &= of[u + 1] == of[u] + 1;
  }
  // Whether `count` distances from number `start` on each use the next column.
  bool is_run(int start, int count) const {
    return is_plain && (count == 1 || (start >= rises && start + count - 1 <= stays));
  }
  // out[b · step] += product[of[start + b]] for `count` others.
  void pick(const float* product, int start, int count, std::ptrdiff_t step, float* out) const {
    if (step != 1 || !is_plain) {
      for (int b = 0; b < count; ++b) out[b * step] += product[of[start + b]];
      return;
    }
    const int first = std::clamp(rises - start, 0, count),
              last = std::clamp(stays - start, first, count);
    if (first > 0) add_constant(product[0], first, out);
    if (last > first) add_to(product + of[start + first], last - first, out + first);
    if (count > last) add_constant(product[columns - 1], count - last, out + last);
  }
  Operand rows(const DistanceTable& table) const {
    return {table.row(first), direction * table.stride_};
  }
};

int DistanceTable::work_floats(int width) {
  return kMaxDistances + static_cast<int>(strip_floats(kTileStride, width)) +
         static_cast<int>(panel_floats(width, kMaxDistances)) +
         std::max(kGroupRows * kStripStride, kTileStride * kMaxDistances);
}

void DistanceTable::add_products(const LogitTile& tile, const Side& side, float factor,
                                 float* target) const {
  if (!side.can_multiply() || !side.is_regular()) return add_single_products(side, factor, target);
  const ConstMatrix x = side.x();
  const int width = x.columns, others = side.others();
  const Band band(*this, side, reinterpret_cast<int*>(tile.work->memory));
  float* strips = tile.work->memory + kMaxDistances;
  float* packed = strips + strip_floats(kTileStride, width);
  float* products = packed + panel_floats(width, kMaxDistances);
  if (!side.is_query) pack_strips({x.data, x.stride}, x.rows, width, strips);
  const float* strip = side.is_query ? tile.work->q_strips : strips;
  const Panels panels = pack_panels(band.rows(*this).transposed(), width, band.columns, packed);

  for (int a0 = 0; a0 < x.rows; a0 += kGroupRows, strip += std::ptrdiff_t{kGroupRows} * width) {
    const int used = std::min(kGroupRows, x.rows - a0);
    const int low = band.of[x.rows - a0 - used] / kPanelColumns * kPanelColumns;
    const int high = band.of[x.rows - 1 - a0 + others - 1];
    multiply_panels(rounded_up(used, kStripRows), rounded_up(high - low + 1, kPanelColumns), width,
                    factor, Strips::kPacked, strip, panels.right_of(low), products, kStripStride,
                    Accumulate::kNo);
    for (int r = 0; r < used; ++r)
      band.pick(products + r * kStripStride - low, x.rows - 1 - (a0 + r), others, side.step(),
                target + side.at(a0 + r));
  }
}

void DistanceTable::add_single_products(const Side& side, float factor, float* target) const {
  const ConstMatrix x = side.x();
  for (int a = 0; a < x.rows; ++a) {
    int held = -1;  // table row of the current product
    float product = 0;
    for (int b = 0; b < side.others(); ++b) {
      const int at = row_of(side.distance(a, b));
      if (at != held) product = factor * dot(x.row(a), row(at), x.columns);
      held = at;
      target[side.at(a) + b * side.step()] += product;
    }
  }
}

void DistanceTable::backward(const LogitTile& tile, const Side& side, float factor,
                             const float* d_logits, Matrix d_x) const {
  if (!side.can_multiply() || !side.is_regular())
    return single_products_backward(side, factor, d_logits, d_x);
  const ConstMatrix x = side.x();
  const int width = x.columns, others = side.others();
  const Band band(*this, side, reinterpret_cast<int*>(tile.work->memory));
  // The gradients of all products of x and rows: [x, columns].
  float* d_products = tile.work->memory + kMaxDistances;
  std::fill_n(d_products, std::ptrdiff_t{x.rows} * band.columns, 0.0f);
  for (int a = 0; a < x.rows; ++a) {
    const int* of = band.of + x.rows - 1 - a;
    const float* d = d_logits + side.at(a);
    float* d_product = d_products + std::ptrdiff_t{a} * band.columns;
    if (side.is_query && band.is_run(x.rows - 1 - a, others)) {
      add_to(d, others, d_product + of[0]);
    } else {
      for (int b = 0; b < others; ++b) d_product[of[b]] += d[b * side.step()];
    }
  }
  matmul(x.rows, width, band.columns, factor, {d_products, band.columns}, band.rows(*this),
         d_x.data, d_x.stride, Accumulate::kYes, *tile.work->matmul);
  if (d_rows_)
    matmul(band.columns, width, x.rows, factor, Operand{d_products, band.columns}.transposed(),
           {x.data, x.stride}, d_rows_ + band.first * stride_, band.direction * stride_,
           Accumulate::kYes, *tile.work->matmul);
}

void DistanceTable::single_products_backward(const Side& side, float factor, const float* d_logits,
                                             Matrix d_x) const {
  const ConstMatrix x = side.x();
  for (int a = 0; a < x.rows; ++a)
    for (int b = 0; b < side.others(); ++b) {
      const float d = factor * d_logits[side.at(a) + b * side.step()];
      if (d == 0) continue;
      const int at = row_of(side.distance(a, b));
      add_scaled(d, row(at), x.columns, d_x.row(a));
      if (d_rows_) add_scaled(d, x.row(a), x.columns, d_rows_ + at * stride_);
    }
}

void DistanceTable::add_query_products(const LayerContext& context, const LogitTile& tile,
                                       float factor, float* target) const {
  add_products(tile, {context, tile, true}, factor, target);
}
void DistanceTable::add_key_products(const LayerContext& context, const LogitTile& tile,
                                     float factor, float* target) const {
  add_products(tile, {context, tile, false}, factor, target);
}
void DistanceTable::query_products_backward(const LayerContext& context, const LogitTile& tile,
                                            float factor, const float* d_logits, Matrix d_q) const {
  backward(tile, {context, tile, true}, factor, d_logits, d_q);
}
void DistanceTable::key_products_backward(const LayerContext& context, const LogitTile& tile,
                                          float factor, const float* d_logits, Matrix d_k) const {
  backward(tile, {context, tile, false}, factor, d_logits, d_k);
}

}  // namespace wf
