#include "kernels/quantised.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/float16.h"
#include "kernels/quantised_layout.h"

namespace wf {
namespace {

using simd::Quad;

// Finds the value of the largest magnitude, with its sign; returns whether all values are finite.
bool find_extreme(const float* x, int count, float& extreme) {
  std::uint32_t max = 0;
  extreme = 0;
  for (int i = 0; i < count; ++i) {
    const auto magnitude = std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu;
    if (magnitude <= max) continue;
    max = magnitude;
    extreme = x[i];
  }
  return max < 0x7f800000u;
}

int rounded(float x) { return static_cast<int>(std::nearbyint(x)); }

// The largest number of which all weights are multiples (exists for files of integers); 0 if the
// largest weight would be more than `max` times that (Euclid's algorithm, exact in double
// precision).
double common_step(const float* x, int count, double largest, int max) {
  double step = largest;
  for (int i = 0; i < count; ++i) {
    for (double rest = std::fabs(x[i]); rest > 0;) {
      if (rest * max < largest) return 0;
      const double remainder = step - std::floor(step / rest) * rest;
      step = rest;
      rest = remainder;
    }
  }
  return step;
}

float scale_of(const float* x, int count, float extreme, WeightType type) {
  const bool is_int4 = type == WeightType::kInt4;
  const int max = is_int4 ? 8 : 128;
  const float largest = std::fabs(extreme);
  const double step = common_step(x, count, largest, max);
  if (step * max > largest) return static_cast<float>(step);
  // The integer range has one more value below zero than above.
  const bool fits = step > 0 && std::find(x, x + count, -extreme) == x + count;
  return is_int4 || fits ? extreme / static_cast<float>(-max) : largest / 127;
}

// Quantises one row of one block: `count` (up to 32) weights.
bool quantise_block(const float* x, int count, WeightType type, int row, std::uint8_t* block) {
  float extreme;
  const bool is_finite = find_extreme(x, count, extreme);
  const bool is_int4 = type == WeightType::kInt4;
  const float scale = is_finite ? scale_of(x, count, extreme, type) : 0;
  // For a smaller scale the inverse would be infinite.
  const float inverse = std::fabs(scale) >= 1e-37f ? 1 / scale : 0;
  const float kept = inverse == 0 ? 0 : scale;
  std::memcpy(block + row * sizeof(float), &kept, sizeof(kept));
  std::uint8_t* bytes = block + kScaleBytes + row * 4;
  for (int i = 0; i < kQuantisedBlock; ++i) {
    const int q = is_finite && i < count ? rounded(x[i] * inverse) : 0;
    const int word = i / 4, channel = i % 4;
    if (!is_int4) {
      bytes[word * kWordBytes + channel] = static_cast<std::uint8_t>(std::clamp(q, -128, 127));
      continue;
    }
    std::uint8_t& pair = bytes[word / 2 * kWordBytes + channel];
    const int nibble = std::clamp(q + 8, 0, 15);
    pair = static_cast<std::uint8_t>(word % 2 ? pair | nibble << 4 : nibble);
  }
  return is_finite;
}

// Offset of a 16-bit number in a block of its group.
std::size_t word_offset(int row, int i) { return i / 2 * 2 * kWordBytes + row * 4 + i % 2 * 2; }

// If all weights are small enough, f16 stores them multiplied by 2^10: then no half is subnormal,
// and a product need not handle infinity. (An operation on a subnormal float takes a hundred
// cycles.)
constexpr float kRaise = 1024, kTooLargeToRaise = 63;
std::uint16_t raised(std::uint16_t half) { return half_from_float(float_from_half(half) * kRaise); }

bool may_be_raised(const float* x, int count) {
  float extreme;
  return find_extreme(x, count, extreme) && std::fabs(extreme) < kTooLargeToRaise;
}

// Converts all raised halves of the matrix so far to ordinary ones; exact.
void lower(QuantisedMatrix shape, std::uint8_t* target) {
  *target = 1;
  const std::size_t end = quantised_bytes(shape.type, shape.rows, shape.columns);
  for (std::size_t i = header_bytes(shape.type); i < end; i += sizeof(std::uint16_t)) {
    std::uint16_t half;
    std::memcpy(&half, target + i, sizeof(half));
    half = half_from_float(float_from_half(half) / kRaise);
    std::memcpy(target + i, &half, sizeof(half));
  }
}

// Converts one row of one block to 16 bits; returns false if a finite weight became infinite.
bool narrow_block(const float* x, int count, WeightType type, bool raises, int row,
                  std::uint8_t* block) {
  const bool is_half = type == WeightType::kF16;
  bool is_held = true;
  for (int i = 0; i < count; ++i) {
    std::uint16_t word = is_half ? half_from_float(x[i]) : bfloat_from_float(x[i]);
    is_held &= (word & 0x7fff) != (is_half ? 0x7c00 : 0x7f80) || std::isinf(x[i]);
    if (raises) word = raised(word);
    std::memcpy(block + word_offset(row, i), &word, sizeof(word));
  }
  return is_held;
}

float widened_at(const std::uint8_t* block, QuantisedMatrix matrix, int row, int i) {
  std::uint16_t word;
  std::memcpy(&word, block + word_offset(row, i), sizeof(word));
  if (matrix.type == WeightType::kBF16) return float_from_bfloat(word);
  return float_from_half(word) / (is_raised(matrix.data) ? kRaise : 1);
}

// The integer to which a weight was rounded.
int quantised_at(const std::uint8_t* block, WeightType type, int row, int i) {
  const std::uint8_t* bytes = block + kScaleBytes + row * 4 + i % 4;
  const int word = i / 4;
  if (type == WeightType::kInt8) return static_cast<std::int8_t>(bytes[word * kWordBytes]);
  return (bytes[word / 2 * kWordBytes] >> (word % 2 * 4) & 15) - 8;
}

template <WeightType kType, bool kIsRaised>
void unpack_group(const std::uint8_t* block, int depth, float* packed) {
  for (int p = 0; p < depth; block += block_stride(kType)) {
    for (int word = 0; word < kBlockWords && p < depth; ++word, p += 4) {
      Quad channels[4];
      load_channels<kType, kIsRaised>(block, word, channels);
      float* target = packed + std::ptrdiff_t{p} * kPanelColumns;
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        if constexpr (is_integer(kType)) channels[i] = simd::mul4(channels[i], load_scales(block));
        if (i < depth - p) simd::store4(target + i * kPanelColumns, channels[i]);
      }
    }
  }
}

}  // namespace

std::size_t quantised_bytes(WeightType type, int rows, int columns) {
  return added(header_bytes(type),
               elements_of(groups_of(rows), blocks_of(columns), block_bytes(type)));
}

bool quantise_rows(const float* values, int first, int count, QuantisedMatrix shape,
                   std::uint8_t* target) {
  const std::size_t stride = block_stride(shape.type);
  bool is_held = true;
  for (int r = first; r < first + count; ++r) {
    const bool is_half = shape.type == WeightType::kF16;
    if (is_half && is_raised(target) && !may_be_raised(values, shape.columns)) lower(shape, target);
    const bool raises = is_half && is_raised(target);
    std::uint8_t* block = target + group_offset(shape, r / kQuantisedRows);
    for (int left = shape.columns; left > 0; left -= kQuantisedBlock, block += stride) {
      const int width = std::min(kQuantisedBlock, left), row = r % kQuantisedRows;
      is_held &= is_integer(shape.type)
                     ? quantise_block(values, width, shape.type, row, block)
                     : narrow_block(values, width, shape.type, raises, row, block);
      values += width;
    }
  }
  return is_held;
}

void dequantise_rows(QuantisedMatrix matrix, int first, int count, float* values) {
  for (int r = first; r < first + count; ++r) {
    const std::uint8_t* block = group_at(matrix, r / kQuantisedRows);
    for (int c = 0; c < matrix.columns; ++c) {
      const int i = c % kQuantisedBlock, row = r % kQuantisedRows;
      if (is_integer(matrix.type)) {
        float scale;
        std::memcpy(&scale, block + row * sizeof(float), sizeof(scale));
        *values++ = scale * static_cast<float>(quantised_at(block, matrix.type, row, i));
      } else {
        *values++ = widened_at(block, matrix, row, i);
      }
      if (i == kQuantisedBlock - 1) block += block_stride(matrix.type);
    }
  }
}

Panels unpack_panels(QuantisedMatrix matrix, int p0, int depth, int j0, int columns,
                     float* packed) {
  const std::ptrdiff_t stride = std::ptrdiff_t{depth} * kPanelColumns;
  const std::size_t skipped =
      static_cast<std::size_t>(p0 / kQuantisedBlock) * block_stride(matrix.type);
  for (int j = 0; j < rounded_up(columns, kPanelColumns); j += kQuantisedRows) {
    float* target = packed + j / kPanelColumns * stride + j % kPanelColumns;
    if (j >= columns) {
      for (int p = 0; p < depth; ++p)
        simd::store4(target + std::ptrdiff_t{p} * kPanelColumns, simd::splat4(0));
      continue;
    }
    const std::uint8_t* group = group_at(matrix, (j0 + j) / kQuantisedRows) + skipped;
    with_type(matrix, [&]<WeightType kType, bool kIsRaised>() {
      unpack_group<kType, kIsRaised>(group, depth, target);
    });
  }
  return {packed, stride};
}

}  // namespace wf
