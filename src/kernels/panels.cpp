#include "kernels/panels.h"

#include <algorithm>

namespace wf {
namespace {

using simd::Quad;
using simd::Vec;

// Packs four columns at a time; each column is contiguous.
void pack_columns(const float* source, std::ptrdiff_t stride, int depth, float* packed) {
  for (int c = 0; c < kPanelColumns; c += 4, source += 4 * stride) {
    int p = 0;
    for (; p + 4 <= depth; p += 4) {
      Quad block[4] = {simd::load4(source + p), simd::load4(source + stride + p),
                       simd::load4(source + 2 * stride + p), simd::load4(source + 3 * stride + p)};
      simd::transpose4(block);
      for (int t = 0; t < 4; ++t) simd::store4(packed + (p + t) * kPanelColumns + c, block[t]);
    }
    for (; p < depth; ++p)
      for (int t = 0; t < 4; ++t) packed[p * kPanelColumns + c + t] = source[t * stride + p];
  }
}

void pack_panel(Operand b, int depth, int columns, float* packed) {
  if (columns == kPanelColumns && b.column_stride == 1) {
    for (int p = 0; p < depth; ++p, packed += kPanelColumns)
      for (int v = 0; v < kPanelVectors; ++v)
        simd::store(packed + v * simd::kLanes,
                    simd::load(b.data + p * b.row_stride + v * simd::kLanes));
  } else if (columns == kPanelColumns && b.row_stride == 1) {
    pack_columns(b.data, b.column_stride, depth, packed);
  } else {
    for (int p = 0; p < depth; ++p)
      for (int c = 0; c < kPanelColumns; ++c)
        *packed++ = c < columns ? b.data[p * b.row_stride + c * b.column_stride] : 0;
  }
}

// Packs four columns of contiguous rows at a time.
void pack_rows(const float* source, std::ptrdiff_t stride, int depth, float* packed) {
  static_assert(kStripRows == 4);
  int p = 0;
  for (; p + 4 <= depth; p += 4, packed += 4 * kStripRows) {
    Quad block[4] = {simd::load4(source + p), simd::load4(source + stride + p),
                     simd::load4(source + 2 * stride + p), simd::load4(source + 3 * stride + p)};
    simd::transpose4(block);
    for (int t = 0; t < 4; ++t) simd::store4(packed + t * kStripRows, block[t]);
  }
  for (; p < depth; ++p)
    for (int r = 0; r < kStripRows; ++r) *packed++ = source[r * stride + p];
}

void pack_strip(Operand a, int rows, int depth, float* packed) {
  if (rows == kStripRows && a.column_stride == 1) {
    pack_rows(a.data, a.row_stride, depth, packed);
  } else if (rows == kStripRows && a.row_stride == 1) {
    for (int p = 0; p < depth; ++p, packed += kStripRows)
      simd::store4(packed, simd::load4(a.data + p * a.column_stride));
  } else {
    for (int p = 0; p < depth; ++p)
      for (int r = 0; r < kStripRows; ++r)
        *packed++ = r < rows ? a.data[r * a.row_stride + p * a.column_stride] : 0;
  }
}

struct Tile {
  Vec sums[kStripRows][kPanelVectors];
};

// The product of one strip of A and one panel of B. Elements of A are kRow apart along a column of
// the strip and `step` apart along the depth.
template <int kRow>
WF_INLINE Tile multiply_tile(const float* a, std::ptrdiff_t step, const float* b, int depth) {
  Tile tile;
#pragma GCC unroll 4
  for (int r = 0; r < kStripRows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kPanelVectors; ++v) tile.sums[r][v] = simd::splat(0);
  // One step of the depth in each iteration: with several V8 would load the operands of all of them
  // first and run out of registers.
#pragma GCC unroll 1
  for (int p = 0; p < depth; ++p) {
    const Vec b0 = simd::load(b);
    const Vec b1 = simd::load(b + simd::kLanes);
#pragma GCC unroll 4
    for (int r = 0; r < kStripRows; ++r) {
      const Vec ar = simd::splat_from(a + r * kRow);
      tile.sums[r][0] = simd::madd(ar, b0, tile.sums[r][0]);
      tile.sums[r][1] = simd::madd(ar, b1, tile.sums[r][1]);
    }
    a += step;
    b += kPanelColumns;
  }
  return tile;
}

WF_INLINE void write_whole(const Tile& tile, float alpha, float* c, std::ptrdiff_t c_stride,
                           bool accumulate) {
  const Vec factor = simd::splat(alpha);
#pragma GCC unroll 4
  for (int r = 0; r < kStripRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kPanelVectors; ++v) {
      float* target = c + r * c_stride + v * simd::kLanes;
      const Vec scaled = simd::mul(tile.sums[r][v], factor);
      simd::store(target, accumulate ? simd::add(simd::load(target), scaled) : scaled);
    }
  }
}

void write_corner(const Tile& tile, float alpha, float* c, std::ptrdiff_t c_stride, int rows,
                  int columns, bool accumulate) {
  float lanes[kPanelColumns];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < kPanelVectors; ++v)
      simd::store(lanes + v * simd::kLanes, simd::mul(tile.sums[r][v], simd::splat(alpha)));
    float* target = c + r * c_stride;
    for (int j = 0; j < columns; ++j) target[j] = accumulate ? target[j] + lanes[j] : lanes[j];
  }
}

// `strip`: distance from one strip to the next.
template <int kRow>
void multiply(int rows, int columns, int depth, float alpha, const float* a, std::ptrdiff_t step,
              std::ptrdiff_t strip, Panels b, float* c, std::ptrdiff_t c_stride, bool accumulate) {
  for (int j = 0; j < columns; j += kPanelColumns) {
    const float* panel = b.data + j / kPanelColumns * b.stride;
    for (int i = 0; i < rows; i += kStripRows) {
      const Tile tile = multiply_tile<kRow>(a + i / kStripRows * strip, step, panel, depth);
      float* target = c + i * c_stride + j;
      if (rows - i >= kStripRows && columns - j >= kPanelColumns)
        write_whole(tile, alpha, target, c_stride, accumulate);
      else
        write_corner(tile, alpha, target, c_stride, std::min(kStripRows, rows - i),
                     std::min(kPanelColumns, columns - j), accumulate);
    }
  }
}

}  // namespace

Panels pack_panels(Operand b, int depth, int columns, float* packed) {
  const std::ptrdiff_t stride = std::ptrdiff_t{depth} * kPanelColumns;
  if (depth == 0) return {packed, stride};  // an empty operand may have a null address
  for (int j = 0; j < columns; j += kPanelColumns)
    pack_panel({b.data + j * b.column_stride, b.row_stride, b.column_stride}, depth,
               std::min(kPanelColumns, columns - j), packed + j / kPanelColumns * stride);
  return {packed, stride};
}

void pack_strips(Operand a, int rows, int depth, float* packed) {
  if (depth == 0) return;
  for (int i = 0; i < rows; i += kStripRows, packed += std::ptrdiff_t{depth} * kStripRows)
    pack_strip({a.data + i * a.row_stride, a.row_stride, a.column_stride},
               std::min(kStripRows, rows - i), depth, packed);
}

void multiply_panels(int rows, int columns, int depth, float alpha, Strips layout, const float* a,
                     Panels b, float* c, std::ptrdiff_t c_stride, Accumulate accumulate) {
  const bool add = accumulate == Accumulate::kYes;
  if (layout == Strips::kTileRows)
    return multiply<kTileStride>(rows, columns, depth, alpha, a, 1,
                                 std::ptrdiff_t{kTileStride} * kStripRows, b, c, c_stride, add);
  const bool is_packed = layout == Strips::kPacked;
  multiply<1>(rows, columns, depth, alpha, a, is_packed ? kStripRows : kTileStride,
              is_packed ? std::ptrdiff_t{depth} * kStripRows : kStripRows, b, c, c_stride, add);
}

void multiply_row(int columns, int depth, const float* a, Panels b, float* c) {
  constexpr int kAtOnce =
      2;  // steps of the depth; with more, registers run out (see multiply_tile)
  for (int j = 0; j < columns; j += kPanelColumns) {
    const float* panel = b.data + j / kPanelColumns * b.stride;
    Vec sums[kAtOnce][kPanelVectors];
#pragma GCC unroll 2
    for (int r = 0; r < kAtOnce; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < kPanelVectors; ++v) sums[r][v] = simd::splat(0);
    int p = 0;
    for (; p + kAtOnce <= depth; p += kAtOnce, panel += kAtOnce * kPanelColumns)
#pragma GCC unroll 2
      for (int r = 0; r < kAtOnce; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < kPanelVectors; ++v)
          sums[r][v] =
              simd::madd(simd::splat_from(a + p + r),
                         simd::load(panel + r * kPanelColumns + v * simd::kLanes), sums[r][v]);
    for (; p < depth; ++p, panel += kPanelColumns)
#pragma GCC unroll 2
      for (int v = 0; v < kPanelVectors; ++v)
        sums[0][v] =
            simd::madd(simd::splat_from(a + p), simd::load(panel + v * simd::kLanes), sums[0][v]);
    float lanes[kPanelColumns];
#pragma GCC unroll 2
    for (int v = 0; v < kPanelVectors; ++v)
      simd::store(lanes + v * simd::kLanes, simd::add(sums[0][v], sums[1][v]));
    std::copy_n(lanes, std::min(kPanelColumns, columns - j), c + j);
  }
}

}  // namespace wf
