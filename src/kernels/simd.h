// The vector operations of all kernels; with simd_bytes.h the only file with intrinsics or
// target-dependent code. The same names have three implementations:
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

// Added to a small number, rounds it to an integer that is then stored in the last bits, plus the
// exponent bias: 1.5 · 2^23 + 127.
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
// Not Vec{} + x: that addition is not optimised away, since it changes -0 to 0.
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
  float max = v[0];
  for (int i = 1; i < kLanes; ++i) max = v[i] > max ? v[i] : max;
  return max;
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

constexpr float kMinExponent = -80.0f;

// The constants of `exponential`. Load them once before a loop: V8 would build literals inside the
// loop again in every iteration, and the compiler would move them there if it saw the values.
struct ExponentialTerms {
  Vec min, log2_e, rounder, ln2_high, ln2_low, series[6], one;

  WF_INLINE ExponentialTerms() {
    static const float table[] = {
        kMinExponent, 1.44269504088896341f, kRounder,
        // ln 2 in two parts (Cody & Waite), so that the reduction is exact.
        -0.693359375f, 2.12194440e-4f, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
        4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f, 1.0f};
    const float* terms = table;
    asm("" : "+r"(terms));
    min = splat(terms[0]);
    log2_e = splat(terms[1]);
    rounder = splat(terms[2]);
    ln2_high = splat(terms[3]);
    ln2_low = splat(terms[4]);
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) series[i] = splat(terms[5 + i]);
    one = splat(terms[11]);
  }
};

// e^x for x <= 88, about 1 ulp; exactly 0 below kMinExponent, so that a small weight and its
// product with a value are not subnormal, which is slow without flush-to-zero (wasm).
WF_INLINE Vec exponential(Vec x, const ExponentialTerms& terms) {
  const Vec bounded = larger(x, terms.min);
  const Vec rounded = madd(bounded, terms.log2_e, terms.rounder);
  const Vec n = sub(rounded, terms.rounder);
  Vec r = madd(n, terms.ln2_high, bounded);
  r = madd(n, terms.ln2_low, r);
  Vec p = terms.series[0];
#pragma GCC unroll 5
  for (int i = 1; i < 6; ++i) p = madd(p, r, terms.series[i]);
  p = madd(madd(p, r, terms.one), r, terms.one);
  return zero_below(mul(p, power_of_two(rounded)), x, terms.min);
}

// Four floats on any machine; for packing in 4 × 4 blocks.
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

}  // namespace wf::simd
