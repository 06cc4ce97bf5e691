#include "kernels/quantised.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/quantised_layout.h"

namespace wf {
namespace {

using simd::Quad;

// Of the largest magnitude, with its sign; and whether all of them are finite.
bool find_extreme(const float* x, int count, float& extreme) {
  std::uint32_t most = 0;
  extreme = 0;
  for (int i = 0; i < count; ++i) {
    const auto magnitude = std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu;
    if (magnitude <= most) continue;
    most = magnitude;
    extreme = x[i];
  }
  return most < 0x7f800000u;
}

int rounded(float x) { return static_cast<int>(std::nearbyint(x)); }

// One row of one block: `count` (up to 32) weights.
bool quantise_block(const float* x, int count, WeightType type, int row, std::uint8_t* block) {
  float extreme;
  const bool is_finite = find_extreme(x, count, extreme);
  if (!is_finite) extreme = 0;
  const bool is_int4 = type == WeightType::kInt4;
  const float scale = is_int4 ? extreme / -8 : std::fabs(extreme) / 127;
  // The inverse of a scale that is as good as nothing would be infinite.
  const float inverse = std::fabs(scale) >= 1e-37f ? 1 / scale : 0;
  const float kept = inverse == 0 ? 0 : scale;
  std::memcpy(block + row * sizeof(float), &kept, sizeof(kept));
  std::uint8_t* bytes = block + kScaleBytes + row * 4;
  for (int i = 0; i < kQuantisedBlock; ++i) {
    const int q = is_finite && i < count ? rounded(x[i] * inverse) : 0;
    const int word = i / 4, channel = i % 4;
    if (!is_int4) {
      bytes[word * kWordBytes + channel] = static_cast<std::uint8_t>(std::clamp(q, -127, 127));
      continue;
    }
    std::uint8_t& pair = bytes[word / 2 * kWordBytes + channel];
    const int nibble = std::clamp(q + 8, 0, 15);
    pair = static_cast<std::uint8_t>(word % 2 ? pair | nibble << 4 : nibble);
  }
  return is_finite;
}

// The integer that a weight was rounded to.
int quantised_at(const std::uint8_t* block, WeightType type, int row, int i) {
  const std::uint8_t* bytes = block + kScaleBytes + row * 4 + i % 4;
  const int word = i / 4;
  if (type == WeightType::kInt8) return static_cast<std::int8_t>(bytes[word * kWordBytes]);
  return (bytes[word / 2 * kWordBytes] >> (word % 2 * 4) & 15) - 8;
}

// Four channels of four rows as columns of panels, `count` of them wanted.
WF_INLINE void store_channels(simd::Bytes weights, Quad scales, int count, float* packed) {
  if (count > 0) simd::store4(packed, simd::mul4(simd::channel_of<0>(weights), scales));
  packed += kPanelColumns;
  if (count > 1) simd::store4(packed, simd::mul4(simd::channel_of<1>(weights), scales));
  packed += kPanelColumns;
  if (count > 2) simd::store4(packed, simd::mul4(simd::channel_of<2>(weights), scales));
  packed += kPanelColumns;
  if (count > 3) simd::store4(packed, simd::mul4(simd::channel_of<3>(weights), scales));
}

template <WeightType kType>
void unpack_group(const std::uint8_t* block, int depth, float* packed) {
  for (int p = 0; p < depth; block += block_bytes(kType)) {
    const Quad scales = load_scales(block);
    for (int word = 0; word < kBlockWords && p < depth; ++word, p += 4)
      store_channels(centred_word<kType>(block, word), scales, depth - p,
                     packed + std::ptrdiff_t{p} * kPanelColumns);
  }
}

}  // namespace

const char* weight_type_name(WeightType type) {
  static const char* const names[kWeightTypes] = {"f32", "int8", "int4"};
  return names[static_cast<int>(type)];
}

std::size_t quantised_bytes(WeightType type, int rows, int columns) {
  return elements_of(groups_of(rows), blocks_of(columns), block_bytes(type));
}

bool quantise_rows(const float* values, int first, int count, QuantisedMatrix shape,
                   std::uint8_t* target) {
  const std::size_t block_size = block_bytes(shape.type);
  const int blocks = blocks_of(shape.columns);
  bool is_finite = true;
  for (int r = first; r < first + count; ++r) {
    std::uint8_t* block = target + static_cast<std::size_t>(r / kQuantisedRows) *
                                       static_cast<std::size_t>(blocks) * block_size;
    for (int left = shape.columns; left > 0; left -= kQuantisedBlock, block += block_size) {
      const int width = std::min(kQuantisedBlock, left);
      is_finite &= quantise_block(values, width, shape.type, r % kQuantisedRows, block);
      values += width;
    }
  }
  return is_finite;
}

void dequantise_rows(QuantisedMatrix matrix, int first, int count, float* values) {
  for (int r = first; r < first + count; ++r) {
    const std::uint8_t* block = group_at(matrix, r / kQuantisedRows);
    for (int c = 0; c < matrix.columns; ++c) {
      float scale;
      std::memcpy(&scale, block + r % kQuantisedRows * sizeof(float), sizeof(scale));
      const int i = c % kQuantisedBlock;
      *values++ =
          scale * static_cast<float>(quantised_at(block, matrix.type, r % kQuantisedRows, i));
      if (i == kQuantisedBlock - 1) block += block_bytes(matrix.type);
    }
  }
}

Panels unpack_panels(QuantisedMatrix matrix, int p0, int depth, int j0, int columns,
                     float* packed) {
  const std::ptrdiff_t stride = std::ptrdiff_t{depth} * kPanelColumns;
  const std::size_t skipped =
      static_cast<std::size_t>(p0 / kQuantisedBlock) * block_bytes(matrix.type);
  for (int j = 0; j < rounded_up(columns, kPanelColumns); j += kQuantisedRows) {
    float* target = packed + j / kPanelColumns * stride + j % kPanelColumns;
    if (j >= columns) {
      for (int p = 0; p < depth; ++p)
        simd::store4(target + std::ptrdiff_t{p} * kPanelColumns, simd::splat4(0));
      continue;
    }
    const std::uint8_t* group = group_at(matrix, (j0 + j) / kQuantisedRows) + skipped;
    if (matrix.type == WeightType::kInt8)
      unpack_group<WeightType::kInt8>(group, depth, target);
    else
      unpack_group<WeightType::kInt4>(group, depth, target);
  }
  return {packed, stride};
}

}  // namespace wf
