// Single-precision matrix product over strided operands.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/panels.h"
#include "kernels/quantised.h"
#include "tensor/buffer.h"

namespace wf {

// Packing space of one thread.
struct MatmulScratch {
  Buffer<float> a;
  Buffer<float> b;
  Buffer<std::uint8_t> quick;  // activations in bytes

  static Result<MatmulScratch> make();

  // From now on products with matrices of integers of up to so many columns round activations to
  // bytes. Errors: kOutOfMemory.
  Status reserve_quick(int columns);
};

// Below this many rows packing B would cost more than the product.
constexpr int kFewRows = 4;

// C [m,n] (rows c_stride apart) = alpha · A [m,k] · B [k,n], or += with Accumulate::kYes.
void matmul(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch);

// C [m,n] = A [m,k] · B [k,n], dense, with B as pack_panels leaves the whole of it.
void matmul(int m, int n, int k, const float* a, Panels b, float* c, MatmulScratch& scratch);

// C [m,n] = alpha · A [m,k] · Wᵀ, or +=, with W [n,k] quantised. The floats of A are used as they
// are, unless `scratch` has room for them as bytes (reserve_quick): several times faster, and less
// exact.
void matmul(int m, int n, int k, float alpha, Operand a, QuantisedMatrix w, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch);

// One of several products with the same A (queries, keys and values, say): where C goes, and W
// [n,k].
struct QuantisedProduct {
  QuantisedMatrix w;
  float* c;
  std::ptrdiff_t c_stride;
};

// All of them, each as above: A is rounded once, and threads share the rows of all W together.
void matmul(int m, int k, float alpha, Operand a, std::span<const QuantisedProduct> products,
            Accumulate accumulate, MatmulScratch& scratch);

// Makes packing space for as many threads to share a product (executor.h); without it `matmul`
// stays on its own. Errors: kOutOfMemory.
Status reserve_matmul_lanes(int lanes);

}  // namespace wf
