// Memory layout of the parts of a quantised matrix (quantised.h). For kernels only, since its
// vectors depend on the kind of SIMD.
#pragma once

#include "kernels/quantised.h"
#include "kernels/simd_bytes.h"

namespace wf {

inline constexpr std::size_t kScaleBytes = kQuantisedRows * sizeof(float);
// Four channels of four rows; of int4 eight, of 16-bit types two.
inline constexpr std::size_t kWordBytes = 16;
inline constexpr int kBlockWords = kQuantisedBlock / 4;

constexpr std::size_t block_bytes(WeightType type) {
  if (!is_integer(type)) return 2 * kWordBytes * kBlockWords;
  return kScaleBytes + kWordBytes * kBlockWords / (type == WeightType::kInt4 ? 2 : 1);
}
constexpr int blocks_of(int columns) { return (columns - 1) / kQuantisedBlock + 1; }
// Always even, so that a product reads pairs of groups.
constexpr int groups_of(int rows) { return ((rows - 1) / (2 * kQuantisedRows) + 1) * 2; }

// Distance from a block of a group to the group's next block.
constexpr std::size_t block_stride(WeightType type) { return 2 * block_bytes(type); }

// Distance from a group to the second group of its pair.
constexpr std::size_t group_stride(WeightType type) {
  return is_integer(type) ? block_bytes(type) : kWordBytes;
}

// Bytes before the first block; for f16 one byte, 0 if its halves are stored times a power of two.
constexpr std::size_t header_bytes(WeightType type) {
  return type == WeightType::kF16 ? kWordBytes : 0;
}
inline bool is_raised(const std::uint8_t* data) { return *data == 0; }

inline std::size_t group_offset(QuantisedMatrix matrix, int group) {
  const auto pair = static_cast<std::size_t>(group / 2) * blocks_of(matrix.columns);
  return header_bytes(matrix.type) + pair * block_stride(matrix.type) +
         group % 2 * group_stride(matrix.type);
}

inline const std::uint8_t* group_at(QuantisedMatrix matrix, int group) {
  return matrix.data + group_offset(matrix, group);
}

WF_INLINE simd::Quad load_scales(const std::uint8_t* block) {
  return simd::load4(reinterpret_cast<const float*>(block));
}

// Four channels of a block, as the integers to which the weights were rounded.
template <WeightType kType>
WF_INLINE simd::Bytes centred_word(const std::uint8_t* block, int word) {
  const std::uint8_t* words = block + kScaleBytes;
  if constexpr (kType == WeightType::kInt8) return simd::load_bytes(words + word * kWordBytes);
  const simd::Bytes pair = simd::load_bytes(words + word / 2 * kWordBytes);
  return simd::centred(word % 2 ? simd::high_nibbles(pair) : simd::low_nibbles(pair));
}

// Four channels of four rows, to be multiplied by the block's scales if it has any.
template <WeightType kType, bool kIsRaised>
WF_INLINE void load_channels(const std::uint8_t* block, int word, simd::Quad (&channels)[4]) {
  if constexpr (is_integer(kType)) {
    const simd::Bytes weights = centred_word<kType>(block, word);
    channels[0] = simd::channel_of<0>(weights);
    channels[1] = simd::channel_of<1>(weights);
    channels[2] = simd::channel_of<2>(weights);
    channels[3] = simd::channel_of<3>(weights);
  } else {
#pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
      const simd::Bytes two = simd::load_bytes(block + (4 * word + i) * kWordBytes);
      constexpr bool kIsHalf = kType == WeightType::kF16;
      channels[i] = kIsHalf ? simd::first_half<kIsRaised>(two) : simd::first_bfloat(two);
      channels[i + 1] = kIsHalf ? simd::second_half<kIsRaised>(two) : simd::second_bfloat(two);
    }
  }
}

// Calls body.operator()<kType, kIsRaised>() for a matrix whose type is known at run time only.
template <class Body>
auto with_type(QuantisedMatrix matrix, Body&& body) {
  switch (matrix.type) {
    case WeightType::kInt4:
      return body.template operator()<WeightType::kInt4, false>();
    case WeightType::kF16:
      if (is_raised(matrix.data)) return body.template operator()<WeightType::kF16, true>();
      return body.template operator()<WeightType::kF16, false>();
    case WeightType::kBF16:
      return body.template operator()<WeightType::kBF16, false>();
    default:
      return body.template operator()<WeightType::kInt8, false>();
  }
}

}  // namespace wf
