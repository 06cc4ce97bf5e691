// The part of the vocabulary (kernels/simd.h) that is about sixteen bytes: four rows times four
// channels of quantised weights, a row in each 32-bit lane (kernels/quantised.h).
#pragma once

#include <algorithm>
#include <bit>

#include "kernels/simd.h"

namespace wf::simd {

// What is added to a float to round it to the nearest integer, as that number raised: 1.5 · 2^23.
constexpr float kNearest = 12582912.0f;
WF_INLINE std::int32_t nearest(float x) {
  return std::bit_cast<std::int32_t>(x + kNearest) - std::bit_cast<std::int32_t>(kNearest);
}

#if defined(WF_SIMD_WASM)
using Bytes = v128_t;
using Sums4 = v128_t;
WF_INLINE Quad splat4(float x) { return wasm_f32x4_splat(x); }
WF_INLINE Quad add4(Quad a, Quad b) { return wasm_f32x4_add(a, b); }
WF_INLINE Quad mul4(Quad a, Quad b) { return wasm_f32x4_mul(a, b); }
WF_INLINE Quad madd4(Quad a, Quad b, Quad c) { return madd(a, b, c); }
WF_INLINE Bytes load_bytes(const std::uint8_t* p) { return wasm_v128_load(p); }
WF_INLINE Bytes low_nibbles(Bytes b) { return wasm_v128_and(b, wasm_i8x16_splat(15)); }
// V8 builds the mask of a shift of bytes anew each time, and keeps this one.
WF_INLINE Bytes high_nibbles(Bytes b) { return low_nibbles(wasm_u16x8_shr(b, 4)); }
// From 0 … 15 to -8 … 7.
WF_INLINE Bytes centred(Bytes nibbles) { return wasm_i8x16_sub(nibbles, wasm_i8x16_splat(8)); }
// Eight bfloat16 or halves: of each 32-bit lane the first and the second, as the floats that they
// are. Halves' exponents are made a float's by a product. Raised ones stand for 2^-10 of themselves
// and are never subnormal; of others infinity and NaN have the largest exponent, as floats' have.
WF_INLINE Quad second_bfloat(Bytes b) { return wasm_v128_and(b, wasm_i32x4_splat(-65536)); }
WF_INLINE Quad first_bfloat(Bytes b) { return wasm_i32x4_shl(b, 16); }
template <bool kIsRaised>
WF_INLINE Quad second_half(Bytes b) {
  constexpr auto kHalfBits = static_cast<std::int32_t>(0x8fffe000);  // where a half's lie now
  const Quad moved = wasm_v128_and(wasm_i32x4_shr(b, 3), wasm_i32x4_splat(kHalfBits));
  const Quad value = wasm_f32x4_mul(moved, wasm_f32x4_splat(kIsRaised ? 0x1p102f : 0x1p112f));
  if constexpr (kIsRaised) return value;
  const Quad is_beyond = wasm_f32x4_ge(wasm_f32x4_abs(value), wasm_f32x4_splat(65536));
  return wasm_v128_or(value, wasm_v128_and(is_beyond, wasm_i32x4_splat(0x7f800000)));
}
template <bool kIsRaised>
WF_INLINE Quad first_half(Bytes b) {
  return second_half<kIsRaised>(wasm_i32x4_shl(b, 16));
}
// One channel of the four rows.
template <int kChannel>
WF_INLINE Quad channel_of(Bytes b) {
  const Bytes first = kChannel < 3 ? wasm_i32x4_shl(b, 24 - 8 * kChannel) : b;
  return wasm_f32x4_convert_i32x4(wasm_i32x4_shr(first, 24));
}
// The largest magnitude of 32 floats, as its bits; those of NaN are larger than infinity's.
WF_INLINE std::uint32_t largest_bits(const float* x) {
  v128_t most = wasm_i32x4_splat(0);
#pragma GCC unroll 8
  for (int i = 0; i < 32; i += 4)
    most = wasm_u32x4_max(most, wasm_f32x4_abs(wasm_v128_load(x + i)));
  most = wasm_u32x4_max(most, wasm_i32x4_shuffle(most, most, 2, 3, 0, 1));
  most = wasm_u32x4_max(most, wasm_i32x4_shuffle(most, most, 1, 0, 3, 2));
  return static_cast<std::uint32_t>(wasm_i32x4_extract_lane(most, 0));
}
// The least and the largest of 32 finite floats and zero.
WF_INLINE void find_range(const float* x, float& least, float& largest) {
  v128_t low = wasm_f32x4_splat(0), high = low;
#pragma GCC unroll 8
  for (int i = 0; i < 32; i += 4) {
    low = wasm_f32x4_pmin(low, wasm_v128_load(x + i));
    high = wasm_f32x4_pmax(high, wasm_v128_load(x + i));
  }
  low = wasm_f32x4_pmin(low, wasm_i32x4_shuffle(low, low, 2, 3, 0, 1));
  high = wasm_f32x4_pmax(high, wasm_i32x4_shuffle(high, high, 2, 3, 0, 1));
  least = std::min(wasm_f32x4_extract_lane(low, 0), wasm_f32x4_extract_lane(low, 1));
  largest = std::max(wasm_f32x4_extract_lane(high, 0), wasm_f32x4_extract_lane(high, 1));
}
// 32 floats times a number, to the nearest integers, in the form that Sums takes; returns their
// sum.
template <class Sums>
WF_INLINE std::int32_t round_block(const float* x, float factor, typename Sums::Activations& a) {
  const v128_t by = wasm_f32x4_splat(factor), nearest = wasm_f32x4_splat(kNearest);
  v128_t sums = wasm_i32x4_splat(0);
#pragma GCC unroll 4
  for (int i = 0; i < 32; i += 8) {
    v128_t integers[2];
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const v128_t scaled = wasm_f32x4_mul(wasm_v128_load(x + i + 4 * half), by);
      integers[half] = wasm_i32x4_sub(wasm_f32x4_add(scaled, nearest), nearest);
      sums = wasm_i32x4_add(sums, integers[half]);
    }
    a.set_eight(i, wasm_i16x8_narrow_i32x4(integers[0], integers[1]));
  }
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
}
WF_INLINE Quad floats_of(Sums4 sums) { return wasm_f32x4_convert_i32x4(sums); }
#else
using Bytes = std::int8_t __attribute__((vector_size(16)));
using Sums4 = std::int32_t __attribute__((vector_size(16)));
inline std::uint32_t largest_bits(const float* x) {
  std::uint32_t most = 0;
  for (int i = 0; i < 32; ++i)
    most = std::max(most, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu);
  return most;
}
inline void find_range(const float* x, float& least, float& largest) {
  least = std::min(0.0f, *std::min_element(x, x + 32));
  largest = std::max(0.0f, *std::max_element(x, x + 32));
}
template <class Sums>
std::int32_t round_block(const float* x, float factor, typename Sums::Activations& a) {
  std::int32_t sum = 0;
  for (int i = 0; i < 32; ++i) {
    const float scaled = x[i] * factor;
    const std::int32_t integer = nearest(scaled);
    a.set(i, integer);
    sum += integer;
  }
  return sum;
}
WF_INLINE Quad splat4(float x) { return Quad{x, x, x, x}; }
WF_INLINE Quad add4(Quad a, Quad b) { return a + b; }
WF_INLINE Quad mul4(Quad a, Quad b) { return a * b; }
WF_INLINE Quad madd4(Quad a, Quad b, Quad c) { return a * b + c; }
WF_INLINE Bytes load_bytes(const std::uint8_t* p) {
  Bytes b;
  std::memcpy(&b, p, sizeof(b));
  return b;
}
WF_INLINE Bytes low_nibbles(Bytes b) { return b & 15; }
WF_INLINE Bytes high_nibbles(Bytes b) { return (b >> 4) & 15; }
WF_INLINE Bytes centred(Bytes nibbles) { return nibbles - 8; }
template <float (*kWiden)(std::uint16_t), int kFirst>
WF_INLINE Quad widened(Bytes b) {
  std::uint16_t words[8];
  std::memcpy(words, &b, sizeof(b));
  Quad values;
  for (int r = 0; r < 4; ++r) values[r] = kWiden(words[2 * r + kFirst]);
  return values;
}
WF_INLINE Quad first_bfloat(Bytes b) { return widened<float_from_bfloat, 0>(b); }
WF_INLINE Quad second_bfloat(Bytes b) { return widened<float_from_bfloat, 1>(b); }
template <bool kIsRaised>
WF_INLINE Quad first_half(Bytes b) {
  return widened<float_from_half, 0>(b) * splat4(kIsRaised ? 0x1p-10f : 1);
}
template <bool kIsRaised>
WF_INLINE Quad second_half(Bytes b) {
  return widened<float_from_half, 1>(b) * splat4(kIsRaised ? 0x1p-10f : 1);
}
template <int kChannel>
WF_INLINE Quad channel_of(Bytes b) {
  Quad channel;
  for (int r = 0; r < 4; ++r) channel[r] = b[4 * r + kChannel];
  return channel;
}
WF_INLINE Quad floats_of(Sums4 sums) {
  Quad floats;
  for (int r = 0; r < 4; ++r) floats[r] = static_cast<float>(sums[r]);
  return floats;
}
#endif

}  // namespace wf::simd
