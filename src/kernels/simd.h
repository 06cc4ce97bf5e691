// The vector vocabulary that all kernels are written in, and the only file with intrinsics or
// target-dependent code. Three bodies for one set of names:
//   wasm     four lanes of wasm SIMD, with the relaxed fused multiply-add where it is compiled in;
//   SIMDe    the same intrinsics natively (WF_SIMD_SIMDE), so that sanitizers see the wasm code;
//   native   compiler vectors as wide as the machine's (4, 8 or 16 lanes), for training.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/float16.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define WF_SIMD_WASM 1
#elif defined(WF_SIMD_SIMDE)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#define WF_SIMD_WASM 1
#elif defined(__AVX2__)
#include <immintrin.h>
#endif

#define WF_INLINE inline __attribute__((always_inline))

namespace wf::simd {

// Adding it rounds a small number to an integer, which then stands in the last bits, raised by the
// bias of an exponent: 1.5 · 2^23 + 127.
constexpr float kRounder = 12583039.0f;

#if defined(WF_SIMD_WASM)

constexpr int kLanes = 4;
using Vec = v128_t;

WF_INLINE Vec load(const float* p) { return wasm_v128_load(p); }
WF_INLINE void store(float* p, Vec v) { wasm_v128_store(p, v); }
WF_INLINE Vec splat(float x) { return wasm_f32x4_splat(x); }
WF_INLINE Vec splat_from(const float* p) { return wasm_v128_load32_splat(p); }
WF_INLINE Vec add(Vec a, Vec b) { return wasm_f32x4_add(a, b); }
WF_INLINE Vec sub(Vec a, Vec b) { return wasm_f32x4_sub(a, b); }
WF_INLINE Vec mul(Vec a, Vec b) { return wasm_f32x4_mul(a, b); }
WF_INLINE Vec div(Vec a, Vec b) { return wasm_f32x4_div(a, b); }
WF_INLINE Vec larger(Vec a, Vec b) { return wasm_f32x4_pmax(a, b); }
WF_INLINE Vec smaller(Vec a, Vec b) { return wasm_f32x4_pmin(a, b); }
WF_INLINE Vec square_root(Vec a) { return wasm_f32x4_sqrt(a); }
// a · b + c, fused where the machine does so.
WF_INLINE Vec madd(Vec a, Vec b, Vec c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}
// v where x >= limit, else 0.
WF_INLINE Vec zero_below(Vec v, Vec x, Vec limit) {
  return wasm_v128_and(v, wasm_f32x4_ge(x, limit));
}
// 2^n for an integer n in [-126, 127], from kRounder + n.
WF_INLINE Vec power_of_two(Vec rounded) { return wasm_i32x4_shl(rounded, 23); }
WF_INLINE float sum(Vec v) {
  const Vec pairs = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}
WF_INLINE float largest(Vec v) {
  const Vec pairs = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  const float a = wasm_f32x4_extract_lane(pairs, 0);
  const float b = wasm_f32x4_extract_lane(pairs, 1);
  return a > b ? a : b;
}
// (a, b, c, d) -> (b, a, d, c)
WF_INLINE Vec swap_neighbours(Vec v) { return wasm_i32x4_shuffle(v, v, 1, 0, 3, 2); }

#else

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
using Vec = float __attribute__((vector_size(kLanes * 4)));
using Integers = std::int32_t __attribute__((vector_size(kLanes * 4)));

WF_INLINE Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
WF_INLINE void store(float* p, Vec v) { std::memcpy(p, &v, sizeof(v)); }
// Not Vec{} + x: the addition would stay, since it turns -0 into 0.
WF_INLINE Vec splat(float x) {
#if defined(__AVX512F__)
  return _mm512_set1_ps(x);
#elif defined(__AVX2__)
  return _mm256_set1_ps(x);
#else
  return Vec{x, x, x, x};
#endif
}
WF_INLINE Vec splat_from(const float* p) { return splat(*p); }
WF_INLINE Vec add(Vec a, Vec b) { return a + b; }
WF_INLINE Vec sub(Vec a, Vec b) { return a - b; }
WF_INLINE Vec mul(Vec a, Vec b) { return a * b; }
WF_INLINE Vec div(Vec a, Vec b) { return a / b; }
WF_INLINE Vec larger(Vec a, Vec b) { return a < b ? b : a; }
WF_INLINE Vec smaller(Vec a, Vec b) { return b < a ? b : a; }
WF_INLINE Vec square_root(Vec a) {
#if defined(__AVX512F__)
  return _mm512_sqrt_ps(a);
#elif defined(__AVX2__)
  return _mm256_sqrt_ps(a);
#else
  Vec r;
  for (int i = 0; i < kLanes; ++i) r[i] = std::sqrt(a[i]);
  return r;
#endif
}
WF_INLINE Vec madd(Vec a, Vec b, Vec c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}
WF_INLINE Vec zero_below(Vec v, Vec x, Vec limit) {
  const auto keep = x >= limit;
  Integers bits;
  std::memcpy(&bits, &v, sizeof(bits));
  bits &= keep;
  std::memcpy(&v, &bits, sizeof(bits));
  return v;
}
WF_INLINE Vec power_of_two(Vec rounded) {
  Integers bits;
  std::memcpy(&bits, &rounded, sizeof(bits));
  bits <<= 23;
  Vec power;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}
WF_INLINE float sum(Vec v) {
  float total = 0;
  for (int i = 0; i < kLanes; ++i) total += v[i];
  return total;
}
WF_INLINE float largest(Vec v) {
  float most = v[0];
  for (int i = 1; i < kLanes; ++i) most = v[i] > most ? v[i] : most;
  return most;
}
WF_INLINE Vec swap_neighbours(Vec v) {
  Vec r;
  for (int i = 0; i < kLanes; ++i) r[i] = v[i ^ 1];
  return r;
}

#endif

// The first `count` (< kLanes) floats, the rest filled with `fill`: how every kernel reads a tail.
WF_INLINE Vec load_first(const float* p, int count, float fill = 0) {
  float lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = i < count ? p[i] : fill;
  return load(lanes);
}
WF_INLINE void store_first(float* p, Vec v, int count) {
  float lanes[kLanes];
  store(lanes, v);
  for (int i = 0; i < count; ++i) p[i] = lanes[i];
}

constexpr float kLeastExponent = -80.0f;

// What `exponential` computes with. A loop fetches it once, before it begins: a literal inside
// would be built anew in every round (V8), and the compiler would put it there if it saw the
// numbers.
struct ExponentialTerms {
  Vec least, log2_e, rounder, ln2_high, ln2_low, series[6], one;

  WF_INLINE ExponentialTerms() {
    static const float table[] = {
        kLeastExponent, 1.44269504088896341f, kRounder,
        // ln 2 in two parts (Cody & Waite), so that the reduction is exact.
        -0.693359375f, 2.12194440e-4f, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
        4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f, 1.0f};
    const float* terms = table;
    asm("" : "+r"(terms));
    least = splat(terms[0]);
    log2_e = splat(terms[1]);
    rounder = splat(terms[2]);
    ln2_high = splat(terms[3]);
    ln2_low = splat(terms[4]);
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) series[i] = splat(terms[5 + i]);
    one = splat(terms[11]);
  }
};

// e^x for x <= 88, about 1 ulp; exactly 0 below kLeastExponent, so that a far weight, and its
// product with a value, does not turn into a denormal, which costs dearly where there is no flush
// to zero (wasm).
WF_INLINE Vec exponential(Vec x, const ExponentialTerms& terms) {
  const Vec bounded = larger(x, terms.least);
  const Vec rounded = madd(bounded, terms.log2_e, terms.rounder);
  const Vec n = sub(rounded, terms.rounder);
  Vec r = madd(n, terms.ln2_high, bounded);
  r = madd(n, terms.ln2_low, r);
  Vec p = terms.series[0];
#pragma GCC unroll 5
  for (int i = 1; i < 6; ++i) p = madd(p, r, terms.series[i]);
  p = madd(madd(p, r, terms.one), r, terms.one);
  return zero_below(mul(p, power_of_two(rounded)), x, terms.least);
}

// Four floats, however wide the machine: what packing turns around in 4 × 4 blocks.
#if defined(WF_SIMD_WASM)
using Quad = v128_t;
WF_INLINE Quad load4(const float* p) { return wasm_v128_load(p); }
WF_INLINE void store4(float* p, Quad v) { wasm_v128_store(p, v); }
#define WF_PICK4(a, b, i, j, k, l) wasm_i32x4_shuffle(a, b, i, j, k, l)
#else
using Quad = float __attribute__((vector_size(16)));
WF_INLINE Quad load4(const float* p) {
  Quad v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
WF_INLINE void store4(float* p, Quad v) { std::memcpy(p, &v, sizeof(v)); }
#define WF_PICK4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif
WF_INLINE Quad low_halves(Quad a, Quad b) { return WF_PICK4(a, b, 0, 1, 4, 5); }
WF_INLINE Quad high_halves(Quad a, Quad b) { return WF_PICK4(a, b, 2, 3, 6, 7); }
// (a0, b0, a1, b1) and (a2, b2, a3, b3)
WF_INLINE Quad zip_low(Quad a, Quad b) { return WF_PICK4(a, b, 0, 4, 1, 5); }
WF_INLINE Quad zip_high(Quad a, Quad b) { return WF_PICK4(a, b, 2, 6, 3, 7); }
#undef WF_PICK4
// Row i of the block becomes column i.
WF_INLINE void transpose4(Quad (&block)[4]) {
  const Quad a = zip_low(block[0], block[1]), b = zip_low(block[2], block[3]);
  const Quad c = zip_high(block[0], block[1]), d = zip_high(block[2], block[3]);
  block[0] = low_halves(a, b);
  block[1] = high_halves(a, b);
  block[2] = low_halves(c, d);
  block[3] = high_halves(c, d);
}

// Sixteen bytes: four rows times four channels of quantised weights, a row in each 32-bit lane
// (kernels/quantised.h). Products with them are sums of integers, the same on every machine.

// A block of quantised activations, -127 to 127, as products want them, four at a time.
struct Activations {
  std::int16_t values[32];
#if defined(__wasm_relaxed_simd__)
  std::int8_t bytes[32];
#endif

  WF_INLINE void set(int i, int value) {
    values[i] = static_cast<std::int16_t>(value);
#if defined(__wasm_relaxed_simd__)
    bytes[i] = static_cast<std::int8_t>(value);
#endif
  }
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
WF_INLINE Bytes high_nibbles(Bytes b) { return wasm_u8x16_shr(b, 4); }
// From 0 … 15 to -8 … 7.
WF_INLINE Bytes centred(Bytes nibbles) { return wasm_i8x16_sub(nibbles, wasm_i8x16_splat(8)); }
// Eight halves or bfloat16: of each 32-bit lane the first and the second, as the floats that they
// are. Halves' exponents are made a float's by a product, which is exact for subnormal ones too;
// infinity and NaN have the largest exponent in both.
WF_INLINE Quad second_bfloat(Bytes b) { return wasm_v128_and(b, wasm_i32x4_splat(-65536)); }
WF_INLINE Quad first_bfloat(Bytes b) { return wasm_i32x4_shl(b, 16); }
WF_INLINE Quad second_half(Bytes b) {
  constexpr auto kHalfBits = static_cast<std::int32_t>(0x8fffe000);  // where a half's lie now
  const Quad moved = wasm_v128_and(wasm_i32x4_shr(b, 3), wasm_i32x4_splat(kHalfBits));
  const Quad value = wasm_f32x4_mul(moved, wasm_f32x4_splat(0x1p112f));
  const Quad is_beyond = wasm_f32x4_ge(wasm_f32x4_abs(value), wasm_f32x4_splat(65536));
  return wasm_v128_or(value, wasm_v128_and(is_beyond, wasm_i32x4_splat(0x7f800000)));
}
WF_INLINE Quad first_half(Bytes b) { return second_half(wasm_i32x4_shl(b, 16)); }
// One channel of the four rows.
template <int kChannel>
WF_INLINE Quad channel_of(Bytes b) {
  const Bytes first = kChannel < 3 ? wasm_i32x4_shl(b, 24 - 8 * kChannel) : b;
  return wasm_f32x4_convert_i32x4(wasm_i32x4_shr(first, 24));
}
// The four rows' sums, less a number, as floats.
WF_INLINE Quad floats_of(Sums4 sums, std::int32_t less) {
  return wasm_f32x4_convert_i32x4(wasm_i32x4_sub(sums, wasm_i32x4_splat(less)));
}
#else
using Bytes = std::int8_t __attribute__((vector_size(16)));
using Sums4 = std::int32_t __attribute__((vector_size(16)));
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
WF_INLINE Quad first_half(Bytes b) { return widened<float_from_half, 0>(b); }
WF_INLINE Quad second_half(Bytes b) { return widened<float_from_half, 1>(b); }
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
// Σ of weights times activations of one block for four rows: weights of eight bits go by products
// of 16 bits, which are defined for all of them.
class RowSums {
 public:
  WF_INLINE void add(Bytes weights, const Activations& a, int word) {
    const Bytes values = wasm_v128_load64_splat(a.values + 4 * word);
    low_ = wasm_i32x4_add(low_, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(weights), values));
    high_ =
        wasm_i32x4_add(high_, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(weights), values));
  }
  WF_INLINE Sums4 total() const {
    return wasm_i32x4_add(wasm_i32x4_shuffle(low_, high_, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(low_, high_, 1, 3, 5, 7));
  }

 private:
  // Two halves of each of two rows.
  Sums4 low_ = wasm_i32x4_splat(0), high_ = wasm_i32x4_splat(0);
};
#else
class RowSums {
 public:
  WF_INLINE void add(Bytes weights, const Activations& a, int word) {
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) sums_[r] += weights[4 * r + c] * a.values[4 * word + c];
  }
  WF_INLINE Sums4 total() const { return sums_; }

 private:
  Sums4 sums_ = {};
};
#endif

#if defined(__wasm_relaxed_simd__)
// The same for weights from 0 to 15, the operand of seven bits of the relaxed product. Two products
// are at most 2 · 127 · 15, so 16 bits hold what the eight words of a block add to a lane.
class NibbleSums {
 public:
  WF_INLINE void add(Bytes weights, const Activations& a, int word) {
    sums_ = wasm_i16x8_add(sums_, wasm_i16x8_relaxed_dot_i8x16_i7x16(
                                      wasm_v128_load32_splat(a.bytes + 4 * word), weights));
  }
  WF_INLINE Sums4 total() const { return wasm_i32x4_extadd_pairwise_i16x8(sums_); }

 private:
  Bytes sums_ = wasm_i16x8_splat(0);
};
#else
using NibbleSums = RowSums;
#endif

}  // namespace wf::simd
