#include "model/gguf_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "kernels/float16.h"

namespace wf {
namespace {

// Type numbers that ggml has withdrawn have no name.
constexpr DtypeInfo kGguf[] = {{"F32", Dtype::kF32, 1, 4},
                               {"F16", Dtype::kF16, 1, 2},
                               {"Q4_0", Dtype::kQ4_0, 32, 18},
                               {"Q4_1", Dtype::kQ4_1, 32, 20},
                               {},
                               {},
                               {"Q5_0", Dtype::kQ5_0, 32, 22},
                               {"Q5_1", Dtype::kQ5_1, 32, 24},
                               {"Q8_0", Dtype::kQ8_0, 32, 34},
                               {"Q8_1", Dtype::kOther, 32, 36},
                               {"Q2_K", Dtype::kOther, 256, 84},
                               {"Q3_K", Dtype::kOther, 256, 110},
                               {"Q4_K", Dtype::kQ4_K, 256, 144},
                               {"Q5_K", Dtype::kQ5_K, 256, 176},
                               {"Q6_K", Dtype::kQ6_K, 256, 210},
                               {"Q8_K", Dtype::kOther, 256, 292},
                               {"IQ2_XXS", Dtype::kOther, 256, 66},
                               {"IQ2_XS", Dtype::kOther, 256, 74},
                               {"IQ3_XXS", Dtype::kOther, 256, 98},
                               {"IQ1_S", Dtype::kOther, 256, 50},
                               {"IQ4_NL", Dtype::kIQ4_NL, 32, 18},
                               {"IQ3_S", Dtype::kOther, 256, 110},
                               {"IQ2_S", Dtype::kOther, 256, 82},
                               {"IQ4_XS", Dtype::kOther, 256, 136},
                               {"I8", Dtype::kOther, 1, 1},
                               {"I16", Dtype::kOther, 1, 2},
                               {"I32", Dtype::kOther, 1, 4},
                               {"I64", Dtype::kOther, 1, 8},
                               {"F64", Dtype::kOther, 1, 8},
                               {"IQ1_M", Dtype::kOther, 256, 56},
                               {"BF16", Dtype::kBF16, 1, 2},
                               {},
                               {},
                               {},
                               {"TQ1_0", Dtype::kOther, 256, 54},
                               {"TQ2_0", Dtype::kOther, 256, 66},
                               {},
                               {},
                               {},
                               {"MXFP4", Dtype::kMXFP4, 32, 17},
                               {"NVFP4", Dtype::kOther, 64, 36},
                               {"Q1_0", Dtype::kOther, 128, 18}};

std::uint16_t word_at(const std::uint8_t* bytes) {
  std::uint16_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

float half_at(const std::uint8_t* bytes) { return float_from_half(word_at(bytes)); }

constexpr std::int8_t kNonLinear[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                        1,    13,   25,  38,  53,  69,  89,  113};

// 32 numbers of 4 or 5 bits: a scale, a minimum for types whose name ends in _1, the fifth bits for
// 5-bit types, and 16 bytes of nibbles, the low ones first.
void widen_nibbles(Dtype dtype, const std::uint8_t* block, float* values) {
  const bool has_min = dtype == Dtype::kQ4_1 || dtype == Dtype::kQ5_1;
  const bool has_fifth = dtype == Dtype::kQ5_0 || dtype == Dtype::kQ5_1;
  const float scale = half_at(block);
  block += 2;
  float min = 0;
  if (has_min) {
    min = half_at(block);
    block += 2;
  }
  std::uint32_t fifth = 0;
  if (has_fifth) {
    fifth = word_at(block) | static_cast<std::uint32_t>(word_at(block + 2)) << 16;
    block += 4;
  }
  const int offset = has_min ? 0 : has_fifth ? 16 : 8;
  for (int i = 0; i < 32; ++i) {
    const int nibble = block[i % 16] >> (i / 16 * 4) & 15;
    const int whole = nibble | static_cast<int>(fifth >> i & 1) << 4;
    const int level = dtype == Dtype::kIQ4_NL ? kNonLinear[nibble] : whole - offset;
    values[i] = scale * static_cast<float>(level) + min;
  }
}

// The six bits of the scale (first 0) or minimum (first 4) of a part of a K block. Those of four
// parts are stored whole, the others in low nibbles here and in the top bits of the first four.
int six_bits(const std::uint8_t* scales, int part, int first) {
  if (part < 4) return scales[part + first] & 63;
  const std::uint8_t low = scales[part + 4];
  return (first ? low >> 4 : low & 15) | scales[part - 4 + first] >> 6 << 4;
}

// 256 numbers in 8 parts of 32, each with a scale and a minimum.
void widen_k(Dtype dtype, const std::uint8_t* block, float* values) {
  const float scale = half_at(block), min = half_at(block + 2);
  const std::uint8_t* scales = block + 4;
  const bool has_fifth = dtype == Dtype::kQ5_K;
  const std::uint8_t* fifth = block + 16;
  const std::uint8_t* nibbles = fifth + (has_fifth ? 32 : 0);
  for (int part = 0; part < 8; ++part) {
    const float d = scale * static_cast<float>(six_bits(scales, part, 0));
    const float m = min * static_cast<float>(six_bits(scales, part, 4));
    for (int i = 0; i < 32; ++i) {
      int level = nibbles[part / 2 * 32 + i] >> (part % 2 * 4) & 15;
      if (has_fifth) level |= (fifth[i] >> part & 1) << 4;
      values[part * 32 + i] = d * static_cast<float>(level) - m;
    }
  }
}

// 256 numbers of 6 bits in 16 parts with 8-bit scales: low nibbles, two high bits, scales, and the
// scale of the scales.
void widen_6k(const std::uint8_t* block, float* values) {
  const std::uint8_t* high = block + 128;
  const std::uint8_t* scales = block + 192;
  const float scale = half_at(block + 208);
  for (int i = 0; i < 256; ++i) {
    const int half = i / 128, quarter = i % 128 / 32, at = i % 32;
    const int low = block[half * 64 + quarter % 2 * 32 + at] >> (quarter / 2 * 4) & 15;
    const int level = low | (high[half * 32 + at] >> (quarter * 2) & 3) << 4;
    const float d = scale * static_cast<float>(static_cast<std::int8_t>(scales[i / 16]));
    values[i] = d * static_cast<float>(level - 32);
  }
}

// 32 numbers of 4 bits (a sign, two bits of exponent, one of fraction), of which the table has the
// doubles, and the exponent of their common power of two (OCP Microscaling Formats 1.0, section 5).
void widen_mxfp4(const std::uint8_t* block, float* values) {
  constexpr std::int8_t kDoubles[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
  // Half of 2^(e − 127); the two smallest are subnormal.
  const std::uint32_t exponent = block[0];
  const std::uint32_t bits = exponent < 2 ? 0x200000u << exponent : (exponent - 1) << 23;
  const float scale = std::bit_cast<float>(bits);
  for (int i = 0; i < 32; ++i)
    values[i] = scale * static_cast<float>(kDoubles[block[1 + i % 16] >> (i / 16 * 4) & 15]);
}

void widen_block(Dtype dtype, const std::uint8_t* block, float* values) {
  if (dtype == Dtype::kQ4_K || dtype == Dtype::kQ5_K) return widen_k(dtype, block, values);
  if (dtype == Dtype::kQ6_K) return widen_6k(block, values);
  if (dtype == Dtype::kMXFP4) return widen_mxfp4(block, values);
  if (dtype != Dtype::kQ8_0) return widen_nibbles(dtype, block, values);
  const float scale = half_at(block);
  for (int i = 0; i < 32; ++i)
    values[i] = scale * static_cast<float>(static_cast<std::int8_t>(block[2 + i]));
}

}  // namespace

const DtypeInfo* gguf_dtype(std::uint32_t number) {
  if (number >= std::size(kGguf) || kGguf[number].text.empty()) return nullptr;
  return &kGguf[number];
}

void widen_blocks(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values) {
  const DtypeInfo* info =
      std::find_if(std::begin(kGguf), std::end(kGguf),
                   [&](const DtypeInfo& known) { return known.dtype == dtype; });
  if (info->block == 1) return widen(dtype, source, count, values);
  const auto block = static_cast<std::size_t>(info->block);
  for (std::size_t i = 0; i < count; i += block, source += info->block_bytes)
    widen_block(dtype, source, values + i);
}

}  // namespace wf
