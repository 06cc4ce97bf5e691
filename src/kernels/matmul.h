// Single-precision matrix product of strided operands.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/panels.h"
#include "kernels/quantised.h"
#include "tensor/buffer.h"

namespace wf {

// Packing memory of one thread.
struct MatmulScratch {
  Buffer<float> a;
  Buffer<float> b;
  Buffer<std::uint8_t> quick;  // activations rounded to int8

  static Result<MatmulScratch> make();

  // Enables int8 activations for quantised products of up to `columns` columns. Errors:
  // kOutOfMemory.
  Status reserve_quick(int columns);
};

// With fewer rows, packing B would cost more than the product.
constexpr int kFewRows = 4;

// C [m,n] (rows c_stride apart) = alpha · A [m,k] · B [k,n], or += with Accumulate::kYes.
void matmul(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch);

// C [m,n] = A [m,k] · B [k,n], dense, with B packed whole by pack_panels.
void matmul(int m, int n, int k, const float* a, Panels b, float* c, MatmulScratch& scratch);

// C [m,n] = alpha · A [m,k] · Wᵀ, or +=, with W [n,k] quantised. Uses the floats of A, unless
// `scratch` has memory for int8 activations (reserve_quick): that is several times faster and less
// exact.
void matmul(int m, int n, int k, float alpha, Operand a, QuantisedMatrix w, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch);

// One of several products with the same A (for example queries, keys and values): destination C and
// W [n,k].
struct QuantisedProduct {
  QuantisedMatrix w;
  float* c;
  std::ptrdiff_t c_stride;
};

// Computes all products as above. A is rounded once, and the threads share the rows of all W.
void matmul(int m, int k, float alpha, Operand a, std::span<const QuantisedProduct> products,
            Accumulate accumulate, MatmulScratch& scratch);

// Allocates packing memory so that up to `lanes` threads share a product (executor.h); without it
// `matmul` uses the calling thread only. Errors: kOutOfMemory.
Status reserve_matmul_lanes(int lanes);

}  // namespace wf
