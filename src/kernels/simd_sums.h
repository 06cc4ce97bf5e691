// The part of the vocabulary (kernels/simd.h) that is about sums of integers: products of quantised
// weights with quantised activations, the same on every machine by what each kind of SIMD has.
#pragma once

#include "kernels/simd_bytes.h"

namespace wf::simd {

// For sums that do not want their weights' own.
struct NotNeeded {
  template <class Weights>
  WF_INLINE void add(const Weights&) {}
};

// Σ of weights times activations of one block for four rows. RowSums: weights of eight bits, and
// activations of seven, whose integers are -zero to 127 - zero. NibbleSums: weights from 0 to 15,
// eight channels at a time, less 8, and activations of eight bits, -127 to 127.
#if defined(__wasm_relaxed_simd__)
// The operand of seven bits of the relaxed product is the activations, raised by zero. What that
// adds is zero times the sum of the weights. Two products are at most 2 · 128 · 127, so a lane of
// 16 bits holds them, and no more.
class RowSums {
 public:
  struct Activations {
    std::int16_t zero;
    std::uint8_t bytes[32];
    WF_INLINE void set_eight(int i, v128_t eight) {
      const v128_t raised = wasm_i16x8_add(eight, wasm_i16x8_splat(zero));
      wasm_v128_store64_lane(bytes + i, wasm_i8x16_narrow_i16x8(raised, raised), 0);  // 127 at most
    }
  };
  struct Weights {
    Bytes all;
    WF_INLINE explicit Weights(const std::uint8_t* p) : all(load_bytes(p)) {}
  };
  // The sums of the weights themselves, two channels in 16 bits.
  class OfWeights {
   public:
    WF_INLINE void add(const Weights& weights) {
      pairs_ = wasm_i16x8_add(pairs_,
                              wasm_i16x8_relaxed_dot_i8x16_i7x16(weights.all, wasm_i8x16_splat(1)));
    }
    WF_INLINE Sums4 times(std::int16_t number) const {
      return wasm_i32x4_dot_i16x8(pairs_, wasm_i16x8_splat(number));
    }

   private:
    Bytes pairs_ = wasm_i16x8_splat(0);
  };
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    const Bytes values = wasm_v128_load32_splat(a.bytes + 4 * word);
    const Bytes pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(weights.all, values);
    // Not extadd_pairwise: Clang makes one instruction of it and the rest, the one that Node 20
    // computes wrongly (docs/quantisation.md).
    sums_ = wasm_i32x4_add(sums_, wasm_i32x4_dot_i16x8(pairs, wasm_i16x8_splat(1)));
  }
  WF_INLINE Sums4 total(const Activations& a, const OfWeights& weights) const {
    return wasm_i32x4_sub(sums_, weights.times(a.zero));
  }

 private:
  Sums4 sums_ = wasm_i32x4_splat(0);
};

// The operand of seven bits is the weights. Two products are at most 2 · 127 · 15, so 16 bits hold
// what the eight words of a block add to a lane.
class NibbleSums {
 public:
  struct Activations {
    std::int32_t eightfold;  // 8 · the sum of the integers
    std::int8_t bytes[32];
    WF_INLINE void set_eight(int i, v128_t eight) {
      wasm_v128_store64_lane(bytes + i, wasm_i8x16_narrow_i16x8(eight, eight), 0);
    }
  };
  struct Weights {
    Bytes low, high;
    WF_INLINE explicit Weights(const std::uint8_t* p)
        : low(low_nibbles(load_bytes(p))), high(high_nibbles(load_bytes(p))) {}
  };
  using OfWeights = NotNeeded;
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    add(weights.low, a.bytes + 8 * word);
    add(weights.high, a.bytes + 8 * word + 4);
  }
  WF_INLINE Sums4 total(const Activations& a, OfWeights) const {
    return wasm_i32x4_sub(wasm_i32x4_extadd_pairwise_i16x8(sums_), wasm_i32x4_splat(a.eightfold));
  }

 private:
  WF_INLINE void add(Bytes weights, const std::int8_t* four) {
    sums_ = wasm_i16x8_add(
        sums_, wasm_i16x8_relaxed_dot_i8x16_i7x16(wasm_v128_load32_splat(four), weights));
  }
  Bytes sums_ = wasm_i16x8_splat(0);
};
#elif defined(WF_SIMD_WASM)
// By products of 16 bits.
class RowSums {
 public:
  struct Activations {
    std::int16_t zero;
    std::int16_t values[32];
    WF_INLINE void set_eight(int i, v128_t eight) {
      wasm_v128_store(values + i, wasm_i16x8_min(eight, wasm_i16x8_splat(127 - zero)));
    }
  };
  struct Weights {
    Bytes low, high;
    WF_INLINE explicit Weights(const std::uint8_t* p)
        : low(wasm_i16x8_extend_low_i8x16(load_bytes(p))),
          high(wasm_i16x8_extend_high_i8x16(load_bytes(p))) {}
  };
  using OfWeights = NotNeeded;
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    const Bytes values = wasm_v128_load64_splat(a.values + 4 * word);
    low_ = wasm_i32x4_add(low_, wasm_i32x4_dot_i16x8(weights.low, values));
    high_ = wasm_i32x4_add(high_, wasm_i32x4_dot_i16x8(weights.high, values));
  }
  WF_INLINE Sums4 total(const Activations&, OfWeights) const {
    return wasm_i32x4_add(wasm_i32x4_shuffle(low_, high_, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(low_, high_, 1, 3, 5, 7));
  }

 private:
  // Two halves of each of two rows.
  Sums4 low_ = wasm_i32x4_splat(0), high_ = wasm_i32x4_splat(0);
};

// The four digits of 16 bits, two channels of a row in each lane, are multiplied where they stand,
// so that 256 times the sum is what all of them add to.
class NibbleSums {
 public:
  struct Activations {
    std::int32_t eightfold;
    std::int16_t raised[32];
    // Of each four the first and the third, then those between, where a digit's place wants them.
    WF_INLINE void set_eight(int i, v128_t eight) {
      const v128_t digits = wasm_i16x8_shuffle(eight, eight, 0, 2, 4, 6, 1, 3, 5, 7);
      const v128_t raise = wasm_i16x8_const(256, 256, 16, 16, 1, 1, 256, 256);
      wasm_v128_store(raised + i, wasm_i16x8_mul(digits, raise));
    }
  };
  struct Weights {
    Bytes digits[4];
    WF_INLINE explicit Weights(const std::uint8_t* p) {
      const Bytes all = load_bytes(p);
      digits[0] = wasm_v128_and(all, wasm_i16x8_splat(0xf));
      digits[1] = wasm_v128_and(all, wasm_i16x8_splat(0xf0));
      digits[2] = wasm_v128_and(all, wasm_i16x8_splat(0xf00));
      digits[3] = wasm_u16x8_shr(all, 12);
    }
  };
  using OfWeights = NotNeeded;
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const Bytes two = wasm_v128_load32_splat(a.raised + 8 * word + 2 * i);
      sums_ = wasm_i32x4_add(sums_, wasm_i32x4_dot_i16x8(weights.digits[i], two));
    }
  }
  WF_INLINE Sums4 total(const Activations& a, OfWeights) const {
    return wasm_i32x4_sub(wasm_i32x4_shr(sums_, 8), wasm_i32x4_splat(a.eightfold));
  }

 private:
  Sums4 sums_ = wasm_i32x4_splat(0);
};
#else
// Four channels of four rows times four activations, added to sums.
WF_INLINE Sums4 sum_of_words(Sums4 sums, Bytes weights, const std::int16_t* four) {
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) sums[r] += weights[4 * r + c] * four[c];
  return sums;
}

class RowSums {
 public:
  struct Activations {
    std::int32_t zero;
    std::int16_t values[32];
    void set(int i, std::int32_t integer) {
      values[i] = static_cast<std::int16_t>(std::min(integer, 127 - zero));
    }
  };
  struct Weights {
    Bytes all;
    WF_INLINE explicit Weights(const std::uint8_t* p) : all(load_bytes(p)) {}
  };
  using OfWeights = NotNeeded;
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    sums_ = sum_of_words(sums_, weights.all, a.values + 4 * word);
  }
  WF_INLINE Sums4 total(const Activations&, OfWeights) const { return sums_; }

 private:
  Sums4 sums_ = {};
};

class NibbleSums {
 public:
  struct Activations {
    std::int32_t eightfold;
    std::int16_t values[32];
    void set(int i, std::int32_t integer) { values[i] = static_cast<std::int16_t>(integer); }
  };
  using Weights = RowSums::Weights;
  using OfWeights = NotNeeded;
  WF_INLINE void add(const Weights& weights, const Activations& a, int word) {
    sums_ = sum_of_words(sums_, low_nibbles(weights.all), a.values + 8 * word);
    sums_ = sum_of_words(sums_, high_nibbles(weights.all), a.values + 8 * word + 4);
  }
  WF_INLINE Sums4 total(const Activations& a, OfWeights) const { return sums_ - a.eightfold; }

 private:
  Sums4 sums_ = {};
};
#endif

}  // namespace wf::simd
