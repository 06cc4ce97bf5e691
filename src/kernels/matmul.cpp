// Goto & van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication": both operands are
// packed so that the inner tile reads two contiguous streams.
#include "kernels/matmul.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf {
namespace {

using simd::Vec;

// 6 × 2 vectors of sums, two of B and one of A: 15 of the 16 registers that AVX2 has and V8 uses.
constexpr int kTileRows = 6;
constexpr int kTileVectors = 2;
constexpr int kTileColumns = kTileVectors * simd::kLanes;

constexpr int kBlockRows = 72;       // packed A: 72 × 256 floats stay in L2
constexpr int kBlockDepth = 256;
constexpr int kBlockColumns = 512;   // packed B: 256 × 512 floats

constexpr int rounded_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

// A block [rows, depth] into strips of kTileRows: [strip][depth][kTileRows], zero-filled.
void pack_a(Operand a, int rows, int depth, float* packed) {
  for (int i = 0; i < rows; i += kTileRows) {
    const int used = std::min(kTileRows, rows - i);
    const float* source = a.data + i * a.row_stride;
    if (used == kTileRows) {
      for (int p = 0; p < depth; ++p, source += a.column_stride)
        for (int r = 0; r < kTileRows; ++r) packed[p * kTileRows + r] = source[r * a.row_stride];
    } else {
      for (int p = 0; p < depth; ++p, source += a.column_stride)
        for (int r = 0; r < kTileRows; ++r)
          packed[p * kTileRows + r] = r < used ? source[r * a.row_stride] : 0;
    }
    packed += std::ptrdiff_t{depth} * kTileRows;
  }
}

// B block [depth, columns] into panels of kTileColumns: [panel][depth][kTileColumns], zero-filled.
void pack_b(Operand b, int depth, int columns, float* packed) {
  for (int j = 0; j < columns; j += kTileColumns) {
    const int used = std::min(kTileColumns, columns - j);
    const float* source = b.data + j * b.column_stride;
    if (used == kTileColumns && b.column_stride == 1) {
      for (int p = 0; p < depth; ++p) {
        const float* row = source + p * b.row_stride;
        for (int v = 0; v < kTileVectors; ++v)
          simd::store(packed + p * kTileColumns + v * simd::kLanes,
                      simd::load(row + v * simd::kLanes));
      }
    } else {
      for (int c = 0; c < kTileColumns; ++c) {
        const float* column = source + c * b.column_stride;
        if (c < used)
          for (int p = 0; p < depth; ++p) packed[p * kTileColumns + c] = column[p * b.row_stride];
        else
          for (int p = 0; p < depth; ++p) packed[p * kTileColumns + c] = 0;
      }
    }
    packed += std::ptrdiff_t{depth} * kTileColumns;
  }
}

struct Tile {
  Vec sums[kTileRows][kTileVectors];
};

// Sums of one strip of A times one panel of B.
WF_INLINE Tile multiply_tile(const float* a, const float* b, int depth) {
  Tile tile;
#pragma GCC unroll 6
  for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) tile.sums[r][v] = simd::splat(0);
  for (int p = 0; p < depth; ++p) {
    const Vec b0 = simd::load(b);
    const Vec b1 = simd::load(b + simd::kLanes);
#pragma GCC unroll 6
    for (int r = 0; r < kTileRows; ++r) {
      const Vec ar = simd::splat(a[r]);
      tile.sums[r][0] = simd::madd(ar, b0, tile.sums[r][0]);
      tile.sums[r][1] = simd::madd(ar, b1, tile.sums[r][1]);
    }
    a += kTileRows;
    b += kTileColumns;
  }
  return tile;
}

void write_tile(const Tile& tile, float alpha, float* c, std::ptrdiff_t c_stride, int rows,
                int columns, bool accumulate) {
  const Vec factor = simd::splat(alpha);
  if (rows == kTileRows && columns == kTileColumns) {
#pragma GCC unroll 6
    for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
      for (int v = 0; v < kTileVectors; ++v) {
        float* target = c + r * c_stride + v * simd::kLanes;
        const Vec scaled = simd::mul(tile.sums[r][v], factor);
        simd::store(target, accumulate ? simd::add(simd::load(target), scaled) : scaled);
      }
    }
    return;
  }
  float lanes[kTileColumns];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < kTileVectors; ++v)
      simd::store(lanes + v * simd::kLanes, simd::mul(tile.sums[r][v], factor));
    float* target = c + r * c_stride;
    for (int j = 0; j < columns; ++j) target[j] = accumulate ? target[j] + lanes[j] : lanes[j];
  }
}

// Σ a·b where a's elements are a_stride apart.
float strided_dot(const float* a, std::ptrdiff_t a_stride, const float* b, int count) {
  if (a_stride == 1) return dot(a, b, count);
  float total = 0;
  for (int i = 0; i < count; ++i) total += a[i * a_stride] * b[i];
  return total;
}

// A few rows only (decoding): packing B would cost more than the product.
bool multiply_few_rows(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
                       std::ptrdiff_t c_stride, Accumulate accumulate) {
  if (b.row_stride != 1 && b.column_stride != 1) return false;
  for (int i = 0; i < m; ++i) {
    const float* row = a.data + i * a.row_stride;
    float* target = c + i * c_stride;
    if (accumulate == Accumulate::kNo) std::fill_n(target, n, 0.0f);
    if (b.row_stride == 1) {
      for (int j = 0; j < n; ++j)
        target[j] += alpha * strided_dot(row, a.column_stride, b.data + j * b.column_stride, k);
    } else {
      for (int p = 0; p < k; ++p)
        add_scaled(alpha * row[p * a.column_stride], b.data + p * b.row_stride, n, target);
    }
  }
  return true;
}

}  // namespace

Result<MatmulScratch> MatmulScratch::make() {
  MatmulScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.a,
                      Buffer<float>::make(rounded_up(kBlockRows, kTileRows) * kBlockDepth));
  WF_ASSIGN_OR_RETURN(
      scratch.b,
      Buffer<float>::make(rounded_up(kBlockColumns, kTileColumns) * kBlockDepth));
  return scratch;
}

void matmul(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch) {
  if (m <= 0 || n <= 0) return;
  if (m < 4 && multiply_few_rows(m, n, k, alpha, a, b, c, c_stride, accumulate)) return;
  if (k <= 0) {
    if (accumulate == Accumulate::kNo)
      for (int i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, 0.0f);
    return;
  }
  for (int j0 = 0; j0 < n; j0 += kBlockColumns) {
    const int columns = std::min(kBlockColumns, n - j0);
    for (int p0 = 0; p0 < k; p0 += kBlockDepth) {
      const int depth = std::min(kBlockDepth, k - p0);
      const bool add = accumulate == Accumulate::kYes || p0 > 0;
      pack_b({b.data + p0 * b.row_stride + j0 * b.column_stride, b.row_stride, b.column_stride},
             depth, columns, scratch.b.data());
      for (int i0 = 0; i0 < m; i0 += kBlockRows) {
        const int rows = std::min(kBlockRows, m - i0);
        pack_a({a.data + i0 * a.row_stride + p0 * a.column_stride, a.row_stride, a.column_stride},
               rows, depth, scratch.a.data());
        for (int j = 0; j < columns; j += kTileColumns) {
          const float* panel = scratch.b.data() + std::ptrdiff_t{j} * depth;
          for (int i = 0; i < rows; i += kTileRows) {
            const Tile tile = multiply_tile(scratch.a.data() + std::ptrdiff_t{i} * depth, panel, depth);
            write_tile(tile, alpha, c + (i0 + i) * c_stride + j0 + j, c_stride,
                       std::min(kTileRows, rows - i), std::min(kTileColumns, columns - j), add);
          }
        }
      }
    }
  }
}

}  // namespace wf
