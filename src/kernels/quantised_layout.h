// Where the parts of a quantised matrix lie (quantised.h), for the kernels alone: its vectors are
// those of one kind of SIMD.
#pragma once

#include "kernels/quantised.h"
#include "kernels/simd.h"

namespace wf {

inline constexpr std::size_t kScaleBytes = kQuantisedRows * sizeof(float);
inline constexpr std::size_t kWordBytes = 16;  // four rows times four channels, or eight of int4
inline constexpr int kBlockWords = kQuantisedBlock / 4;

constexpr std::size_t block_bytes(WeightType type) {
  return kScaleBytes + kWordBytes * kBlockWords / (type == WeightType::kInt4 ? 2 : 1);
}
constexpr int blocks_of(int columns) { return (columns - 1) / kQuantisedBlock + 1; }
// Always two and two, so that a product takes them so.
constexpr int groups_of(int rows) { return ((rows - 1) / (2 * kQuantisedRows) + 1) * 2; }

inline const std::uint8_t* group_at(QuantisedMatrix matrix, int group) {
  return matrix.data + static_cast<std::size_t>(group) *
                           static_cast<std::size_t>(blocks_of(matrix.columns)) *
                           block_bytes(matrix.type);
}

WF_INLINE simd::Quad load_scales(const std::uint8_t* block) {
  return simd::load4(reinterpret_cast<const float*>(block));
}

// Four channels of a block, as the integers that weights were rounded to.
template <WeightType kType>
WF_INLINE simd::Bytes centred_word(const std::uint8_t* block, int word) {
  const std::uint8_t* words = block + kScaleBytes;
  if constexpr (kType == WeightType::kInt8) return simd::load_bytes(words + word * kWordBytes);
  const simd::Bytes pair = simd::load_bytes(words + word / 2 * kWordBytes);
  return simd::centred(word % 2 ? simd::high_nibbles(pair) : simd::low_nibbles(pair));
}

}  // namespace wf
