// Weight matrices in two bytes, one byte or half a byte a weight, the last two with a scale for
// each 32 weights of a row, and their products with rows of floats. Here "quantised" means: not
// f32.
//
// W [rows, columns] is stored in groups of four rows, and each group in blocks of 32 channels: four
// scales (floats), then 16 bytes for each four channels of the four rows, with one row in each
// 32-bit lane. For int4 the low nibbles of 16 bytes are four channels and the high nibbles the next
// four. So a product has one row of W in each lane and never adds across lanes. Groups are stored
// in pairs, interleaved block by block for integers and 16 bytes by 16 for 16-bit types, so that a
// product of both reads one stream. Padding at the edges is zero.
//
// int8: w = scale · q, q from -128 to 127. int4: w = scale · (q - 8), q from 0 to 15. If all
// weights of a block are multiples of one number within the integers' range, as in a GGUF file of
// type Q8_0 or Q4_0, that number is the scale and the weights are exact. Otherwise the largest
// magnitude is 127 · scale, or -8 · scale (as in GGML's Q4_0). f16, bf16: no scales; 16 bytes are
// two channels of the four rows; NaN and infinities are kept. 16 bytes before the first block of
// f16 tell whether its halves are raised, that is multiplied by 2^10, so that none is subnormal.
#pragma once

#include <cstdint>

#include "kernels/panels.h"
#include "status.h"
#include "tensor/buffer.h"
#include "words.h"

namespace wf {

#define WF_WEIGHT_TYPES(X) \
  X(kF32, "f32")           \
  X(kInt8, "int8")         \
  X(kInt4, "int4")         \
  X(kF16, "f16")           \
  X(kBF16, "bf16")
WF_ENUM_WITH_WORDS(WeightType, WF_WEIGHT_TYPES)
#undef WF_WEIGHT_TYPES

// Whether products can be computed with sums of integers (multiply_quick).
constexpr bool is_integer(WeightType type) {
  return type == WeightType::kInt8 || type == WeightType::kInt4;
}

inline constexpr int kQuantisedBlock = 32;
inline constexpr int kQuantisedRows = 4;

struct QuantisedMatrix {
  const std::uint8_t* data = nullptr;
  WeightType type = WeightType::kInt8;
  int rows = 0;
  int columns = 0;
};

// Bytes of the matrix; kTooMany (tensor/extent.h) on overflow.
std::size_t quantised_bytes(WeightType type, int rows, int columns);

// Packs `count` rows of floats into `target` (initially zero), starting at row `first` of the
// matrix. Every 16-bit number and every row of integers is rounded independently. The first row
// that is too large to be raised converts the f16 rows before it back. Returns whether the type can
// represent them: false for integers if a number is not finite, and for 16-bit types if a finite
// number rounds to infinity.
bool quantise_rows(const float* values, int first, int count, QuantisedMatrix shape,
                   std::uint8_t* target);

// Rows [first, first + count), converted to floats.
void dequantise_rows(QuantisedMatrix matrix, int first, int count, float* values);

// Rows [j0, j0 + columns) of W as columns of B = Wᵀ, starting at channel p0 (a multiple of 32),
// packed like pack_panels. j0 is a multiple of four.
Panels unpack_panels(QuantisedMatrix matrix, int p0, int depth, int j0, int columns, float* packed);

// y [rows] (+)= alpha · W · x, for rows [first, last) of W, `first` a multiple of eight. Writes
// from the beginning of y. Uses the floats of x unrounded.
void multiply_exact(QuantisedMatrix matrix, int first, int last, const float* x, float alpha,
                    Accumulate accumulate, float* y);

// Rows of int8 activations; each 32 have a scale, max |x| / 127, or NaN if one of them is not
// finite.
// Rows processed at a time; with fewer, threads would have to synchronise more often.
inline constexpr int kQuickRows = 64;
std::size_t quick_bytes(int rows, int columns);  // bytes for `rows` rows
void quantise_activations(const float* x, std::ptrdiff_t stride, int rows, int columns,
                          std::uint8_t* quick);

// y [count, rows] (rows y_stride apart) (+)= alpha · x · Wᵀ for `count` (at most kQuickRows) rows
// of activations and rows [first, last) of W, as above; W is of an integer type. Sums within a
// block are of integers, and the rest is added in one fixed order without fused operations, so that
// every machine gives the same bits.
void multiply_quick(QuantisedMatrix matrix, int first, int last, const std::uint8_t* quick,
                    int count, float alpha, Accumulate accumulate, float* y,
                    std::ptrdiff_t y_stride);

}  // namespace wf
