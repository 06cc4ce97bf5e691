// Matrices of weights in two bytes, or in one or half a one with a scale for each 32 weights of a
// row, and their products with rows of floats. "Quantised" is here what is not f32.
//
// W [rows, columns] lies in groups of four rows, a group in blocks of 32 channels: four scales
// (floats), then 16 bytes for each four channels of the four rows, a row in each 32-bit lane. Of
// int4 the low halves of 16 bytes are four channels, the high halves the next four. So a product
// has a row of W in each lane, and never adds across lanes. Groups come in pairs beside each other,
// those of integers block by block, those of 16 bits 16 bytes by 16, so that a product of both
// reads one stream; what is missing at the edges is zero.
//
// int8: w = scale · q, q from -128 to 127. int4: w = scale · (q - 8), q from 0 to 15. Where all of
// a block's weights are multiples of one number that the integers have room for, as those of Q8_0
// and Q4_0 in a GGUF file are, that is the scale, and they are kept exactly. Else the largest
// magnitude is 127 · scale, or -8 · scale (as in GGML's Q4_0). f16, bf16: no scales, and 16 bytes
// are two channels of the four rows; NaN and infinities are numbers like others. Before the first
// block of f16 16 bytes say whether its halves are raised: times 2^10, so that none is subnormal.
#pragma once

#include <cstdint>

#include "kernels/panels.h"
#include "status.h"
#include "tensor/buffer.h"

namespace wf {

enum class WeightType : std::uint8_t { kF32, kInt8, kInt4, kF16, kBF16 };
inline constexpr int kWeightTypes = 5;

// Whether its products can be sums of integers (multiply_quick).
constexpr bool is_integer(WeightType type) {
  return type == WeightType::kInt8 || type == WeightType::kInt4;
}

// "f32", "int8", "int4", "f16", "bf16".
const char* weight_type_name(WeightType type);

inline constexpr int kQuantisedBlock = 32;
inline constexpr int kQuantisedRows = 4;

struct QuantisedMatrix {
  const std::uint8_t* data = nullptr;
  WeightType type = WeightType::kInt8;
  int rows = 0;
  int columns = 0;
};

// Bytes of the matrix: kTooMany (tensor/extent.h) where they cannot be counted.
std::size_t quantised_bytes(WeightType type, int rows, int columns);

// Packs `count` rows of floats into `target`, which begins as zeros, from row `first` of the matrix
// on. Each number of 16 bits, and each row of integers, is rounded alone; the first row that cannot
// be raised lowers what is there of f16. Returns whether the type
// has them: integers nothing that is not finite, 16 bits no finite number that rounds to infinity.
bool quantise_rows(const float* values, int first, int count, QuantisedMatrix shape,
                   std::uint8_t* target);

// Rows [first, first + count) as the floats that they stand for.
void dequantise_rows(QuantisedMatrix matrix, int first, int count, float* values);

// Rows [j0, j0 + columns) of W, as columns of B = Wᵀ from channel p0 (a multiple of 32) on, packed
// as pack_panels does it. j0 is a multiple of four.
Panels unpack_panels(QuantisedMatrix matrix, int p0, int depth, int j0, int columns, float* packed);

// y [rows] (+)= alpha · W · x, for rows [first, last) of W, `first` a multiple of eight; y is
// written from its beginning. The floats of x are used as they are.
void multiply_exact(QuantisedMatrix matrix, int first, int last, const float* x, float alpha,
                    Accumulate accumulate, float* y);

// Rows of activations in bytes, each 32 with a scale of their own: max |x| / 127, and NaN where one
// of them is not finite.
// So many at a time: with fewer, threads would have to meet more often.
inline constexpr int kQuickRows = 64;
std::size_t quick_bytes(int rows, int columns);  // what so many rows take
void quantise_activations(const float* x, std::ptrdiff_t stride, int rows, int columns,
                          std::uint8_t* quick);

// y [count, rows] (rows y_stride apart) (+)= alpha · x · Wᵀ for `count` (at most kQuickRows) rows
// of activations, and rows [first, last) of W, as above, W being of integers. Sums of a block are
// too, and what follows is done in one order without fused steps: every machine gives the same
// bits.
void multiply_quick(QuantisedMatrix matrix, int first, int last, const std::uint8_t* quick,
                    int count, float alpha, Accumulate accumulate, float* y,
                    std::ptrdiff_t y_stride);

}  // namespace wf
