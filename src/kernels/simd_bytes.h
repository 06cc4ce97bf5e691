// The part of the vocabulary (kernels/simd.h) for sixteen bytes: four channels of four rows of
// quantised weights, one row in each 32-bit lane (kernels/quantised.h). Products are sums of
// integers, the same on every machine.
#pragma once

#include <algorithm>
#include <bit>

#include "kernels/simd.h"

namespace wf::simd {

// Added to a float, rounds it to the nearest integer, stored raised by this number: 1.5 · 2^23.
constexpr float kNearest = 12582912.0f;

// A block of quantised activations, -127 to 127, in the order used by products.
struct Activations {
  std::int16_t
      values[32];  // in WebAssembly, each four values in the order first, third, second, fourth
#if defined(__wasm_relaxed_simd__)
  std::int8_t bytes[32];
#elif defined(WF_SIMD_WASM)
  std::int16_t raised[32];  // values for NibbleSums
#endif

#if defined(WF_SIMD_WASM)
  WF_INLINE void set_eight(int i, v128_t first, v128_t second) {
    const v128_t eight = wasm_i16x8_narrow_i32x4(first, second);
    wasm_v128_store(values + i, wasm_i16x8_shuffle(eight, eight, 0, 2, 1, 3, 4, 6, 5, 7));
#if defined(__wasm_relaxed_simd__)
    wasm_v128_store64_lane(bytes + i, wasm_i8x16_narrow_i16x8(eight, eight), 0);
#else
    // Of each four values the first and third, then the second and fourth, as the products read
    // them.
    const v128_t digits = wasm_i16x8_shuffle(eight, eight, 0, 2, 4, 6, 1, 3, 5, 7);
    const v128_t raise = wasm_i16x8_const(256, 256, 16, 16, 1, 1, 256, 256);
    wasm_v128_store(raised + i, wasm_i16x8_mul(digits, raise));
#endif
  }
#endif
};

#if defined(WF_SIMD_WASM)
using Bytes = v128_t;
using Sums4 = v128_t;
WF_INLINE Quad splat4(float x) { return wasm_f32x4_splat(x); }
WF_INLINE Quad add4(Quad a, Quad b) { return wasm_f32x4_add(a, b); }
WF_INLINE Quad mul4(Quad a, Quad b) { return wasm_f32x4_mul(a, b); }
WF_INLINE Quad madd4(Quad a, Quad b, Quad c) { return madd(a, b, c); }
WF_INLINE Bytes load_bytes(const std::uint8_t* p) { return wasm_v128_load(p); }
WF_INLINE Bytes low_nibbles(Bytes b) { return wasm_v128_and(b, wasm_i8x16_splat(15)); }
// V8 creates the mask of a byte shift again each time, but keeps this constant.
WF_INLINE Bytes high_nibbles(Bytes b) { return low_nibbles(wasm_u16x8_shr(b, 4)); }
// Converts 0 … 15 to -8 … 7.
WF_INLINE Bytes centred(Bytes nibbles) { return wasm_i8x16_sub(nibbles, wasm_i8x16_splat(8)); }
// Converts the first and the second 16-bit number of each 32-bit lane (bfloat16 or half) to floats.
// The exponent of halves is corrected by a multiplication. Raised halves stand for 2^-10 of their
// value and are never subnormal; for others, infinity and NaN get the largest exponent of a float.
WF_INLINE Quad second_bfloat(Bytes b) { return wasm_v128_and(b, wasm_i32x4_splat(-65536)); }
WF_INLINE Quad first_bfloat(Bytes b) { return wasm_i32x4_shl(b, 16); }
template <bool kIsRaised>
WF_INLINE Quad second_half(Bytes b) {
  constexpr auto kHalfBits = static_cast<std::int32_t>(
      0x8fffe000);  // the sign and significand bits of a half at this point
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
// Multiplies one channel of the four rows.
template <int kChannel>
WF_INLINE Quad channel_of(Bytes b) {
  const Bytes first = kChannel < 3 ? wasm_i32x4_shl(b, 24 - 8 * kChannel) : b;
  return wasm_f32x4_convert_i32x4(wasm_i32x4_shr(first, 24));
}
// The bits of the largest magnitude of 32 floats; NaN compares larger than infinity.
WF_INLINE std::uint32_t largest_bits(const float* x) {
  v128_t max = wasm_i32x4_splat(0);
#pragma GCC unroll 8
  for (int i = 0; i < 32; i += 4) max = wasm_u32x4_max(max, wasm_f32x4_abs(wasm_v128_load(x + i)));
  max = wasm_u32x4_max(max, wasm_i32x4_shuffle(max, max, 2, 3, 0, 1));
  max = wasm_u32x4_max(max, wasm_i32x4_shuffle(max, max, 1, 0, 3, 2));
  return static_cast<std::uint32_t>(wasm_i32x4_extract_lane(max, 0));
}
// Multiplies 32 floats by a factor and rounds them to the nearest integers; returns their sum.
WF_INLINE std::int32_t round_block(const float* x, float factor, Activations& rounded) {
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
    rounded.set_eight(i, integers[0], integers[1]);
  }
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
}
// The sums of the four rows minus a number, as floats.
WF_INLINE Quad floats_of(Sums4 sums, std::int32_t less) {
  return wasm_f32x4_convert_i32x4(wasm_i32x4_sub(sums, wasm_i32x4_splat(less)));
}
#else
using Bytes = std::int8_t __attribute__((vector_size(16)));
using Sums4 = std::int32_t __attribute__((vector_size(16)));
inline std::uint32_t largest_bits(const float* x) {
  std::uint32_t max = 0;
  for (int i = 0; i < 32; ++i)
    max = std::max(max, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu);
  return max;
}
inline std::int32_t round_block(const float* x, float factor, Activations& rounded) {
  std::int32_t sum = 0;
  for (int i = 0; i < 32; ++i) {
    const float scaled = x[i] * factor;
    const auto raised = std::bit_cast<std::int32_t>(scaled + kNearest);
    rounded.values[i] = static_cast<std::int16_t>(raised - std::bit_cast<std::int32_t>(kNearest));
    sum += rounded.values[i];
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
WF_INLINE Quad floats_of(Sums4 sums, std::int32_t less) {
  Quad floats;
  for (int r = 0; r < 4; ++r) floats[r] = static_cast<float>(sums[r] - less);
  return floats;
}
#endif

#if defined(WF_SIMD_WASM)
// Σ weight · activation of one block for four rows. 8-bit weights use products of 16 bits, whose
// result is defined for all values. A shift or a mask leaves each byte in the upper half of 16
// bits, where it is multiplied, so the total is 256 times the sum: at most 256 · 32 · 128 · 127,
// which is below 2^27.
class RowSums {
 public:
  struct Weights {
    Bytes even, odd;
    WF_INLINE void load(const std::uint8_t* p) {
      const Bytes all = load_bytes(p);
      even = wasm_i16x8_shl(all, 8);
      odd = wasm_v128_and(all, wasm_i16x8_splat(-256));
    }
  };
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    add(weights.even, a.values + 4 * word);
    add(weights.odd, a.values + 4 * word + 2);
  }
  WF_INLINE Sums4 total() const { return wasm_i32x4_shr(sums_, 8); }

 private:
  WF_INLINE void add(Bytes weights, const std::int16_t* two) {
    sums_ = wasm_i32x4_add(sums_, wasm_i32x4_dot_i16x8(weights, wasm_v128_load32_splat(two)));
  }
  Sums4 sums_ = wasm_i32x4_splat(0);
};

#if defined(__wasm_relaxed_simd__)
// Σ weight · activation for weights from 0 to 15, eight channels at a time: they fit the 7-bit
// operand of the relaxed product. Two products are at most 2 · 127 · 15, so 16 bits hold the eight
// words that a block adds to a lane.
class NibbleSums {
 public:
  struct Weights {
    Bytes low, high;
    WF_INLINE void load(const std::uint8_t* p) {
      low = low_nibbles(load_bytes(p));
      high = high_nibbles(load_bytes(p));
    }
  };
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    add(weights.low, a.bytes + 8 * word);
    add(weights.high, a.bytes + 8 * word + 4);
  }
  WF_INLINE Sums4 total() const { return wasm_i32x4_extadd_pairwise_i16x8(sums_); }

 private:
  WF_INLINE void add(Bytes weights, const std::int8_t* four) {
    sums_ = wasm_i16x8_add(
        sums_, wasm_i16x8_relaxed_dot_i8x16_i7x16(wasm_v128_load32_splat(four), weights));
  }
  Bytes sums_ = wasm_i16x8_splat(0);
};
#else
// Σ weight · activation for weights from 0 to 15, eight channels at a time. The four nibbles of 16
// bits (two channels of a row in each lane) are multiplied without shifting, so the total is 256
// times the sum.
class NibbleSums {
 public:
  struct Weights {
    Bytes digits[4];
    WF_INLINE void load(const std::uint8_t* p) {
      const Bytes all = load_bytes(p);
      digits[0] = wasm_v128_and(all, wasm_i16x8_splat(0xf));
      digits[1] = wasm_v128_and(all, wasm_i16x8_splat(0xf0));
      digits[2] = wasm_v128_and(all, wasm_i16x8_splat(0xf00));
      digits[3] = wasm_u16x8_shr(all, 12);
    }
  };
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const Bytes two = wasm_v128_load32_splat(a.raised + 8 * word + 2 * i);
      sums_ = wasm_i32x4_add(sums_, wasm_i32x4_dot_i16x8(weights.digits[i], two));
    }
  }
  WF_INLINE Sums4 total() const { return wasm_i32x4_shr(sums_, 8); }

 private:
  Sums4 sums_ = wasm_i32x4_splat(0);
};
#endif
#else
// Σ weight · activation of one block for four rows.
class RowSums {
 public:
  struct Weights {
    Bytes all;
    WF_INLINE void load(const std::uint8_t* p) { all = load_bytes(p); }
  };
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    add(weights.all, a.values + 4 * word);
  }
  WF_INLINE Sums4 total() const { return sums_; }

 protected:
  WF_INLINE void add(Bytes weights, const std::int16_t* four) {
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) sums_[r] += weights[4 * r + c] * four[c];
  }

 private:
  Sums4 sums_ = {};
};

// Σ weight · activation of one block for weights from 0 to 15, eight channels at a time.
class NibbleSums : public RowSums {
 public:
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    RowSums::add(low_nibbles(weights.all), a.values + 8 * word);
    RowSums::add(high_nibbles(weights.all), a.values + 8 * word + 4);
  }
};
#endif

}  // namespace wf::simd
