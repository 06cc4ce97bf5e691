// Single-precision matrix product over strided operands.
#pragma once

#include <cstddef>

#include "tensor/buffer.h"

namespace wf {

// Packing space of one thread.
struct MatmulScratch {
  Buffer<float> a;
  Buffer<float> b;

  static Result<MatmulScratch> make();
};

// An operand: element (i, j) lies at data[i · row_stride + j · column_stride]. Transposing is
// swapping the strides.
struct Operand {
  const float* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride = 1;

  Operand transposed() const { return {data, column_stride, row_stride}; }
};

enum class Accumulate : bool { kNo, kYes };

// C [m,n] (rows c_stride apart) = alpha · A [m,k] · B [k,n], or += with Accumulate::kYes.
void matmul(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch);

}  // namespace wf
