// Operands of a matrix product in the order in which the inner tile reads them. `matmul` packs both
// for each call; callers that multiply with one operand many times pack it once.
// Goto & van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication".
#pragma once

#include <cstddef>

#include "kernels/simd.h"
#include "tensor/extent.h"

namespace wf {

// An operand: element (i, j) is data[i · row_stride + j · column_stride]. Swap the strides to
// transpose it.
struct Operand {
  const float* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride = 1;

  Operand transposed() const { return {data, column_stride, row_stride}; }
};

enum class Accumulate : bool { kNo, kYes };

// Four rows times two vectors of columns: V8 loads all six operands of a step before it multiplies,
// and with the 8 sums they fit in its 15 registers. More sums would be spilled to memory.
constexpr int kStripRows = 4;
constexpr int kPanelVectors = 2;
constexpr int kPanelColumns = kPanelVectors * simd::kLanes;

constexpr int rounded_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// B [depth, columns] as panels [⌈columns / kPanelColumns⌉][depth][kPanelColumns], zero-filled.
struct Panels {
  const float* data;
  std::ptrdiff_t stride;  // between panels

  // Without the first `rows` rows of the depth.
  Panels below(int rows) const { return {data + std::ptrdiff_t{rows} * kPanelColumns, stride}; }
  // Without the first `columns` columns, a multiple of kPanelColumns.
  Panels right_of(int columns) const { return {data + columns / kPanelColumns * stride, stride}; }
};
constexpr std::size_t panel_floats(int depth, int columns) {
  return elements_of(depth, rounded_up(columns, kPanelColumns));
}
Panels pack_panels(Operand b, int depth, int columns, float* packed);

// Memory layout of the rows of A. A tile of kTileStride floats a row needs no packing, transposed
// or not.
enum class Strips : unsigned char {
  kPacked,  // [⌈rows / kStripRows⌉][depth][kStripRows], as written by pack_strips
  kTileRows,  // [rows][kTileStride]
  kTileColumns,  // [depth][kTileStride]: the tile transposed
};
constexpr int kTileStride = 256;
constexpr std::size_t strip_floats(int rows, int depth) {
  return elements_of(rounded_up(rows, kStripRows), depth);
}
void pack_strips(Operand a, int rows, int depth, float* packed);

// C [rows, columns] (rows c_stride apart) = alpha · A [rows, depth] · B [depth, columns], or +=. A
// must be readable up to a multiple of kStripRows rows.
void multiply_panels(int rows, int columns, int depth, float alpha, Strips layout, const float* a,
                     Panels b, float* c, std::ptrdiff_t c_stride, Accumulate accumulate);

// One row: c [columns] = a [depth] · B; limited by the memory bandwidth of B.
void multiply_row(int columns, int depth, const float* a, Panels b, float* c);

}  // namespace wf
