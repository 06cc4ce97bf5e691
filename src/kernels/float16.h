// IEEE 754 binary16 and bfloat16, as weight files hold them.
#pragma once

#include <bit>
#include <cstdint>

namespace wf {

// Exact.
inline float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

// Rounds to the nearest, ties to even; values beyond 65504 become infinity, NaN stays NaN.
inline std::uint16_t half_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x47800000u) return sign | 0x7c00u;
  if (magnitude < 0x33000000u) return sign;  // less than half the smallest subnormal
  const std::uint32_t exponent = magnitude >> 23;
  // The significand with its hidden bit, and the number of low bits that half precision drops.
  const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  const std::uint32_t dropped = exponent >= 113 ? 13 : 126 - exponent;
  const std::uint32_t kept = significand >> dropped;
  const std::uint32_t rest = significand & ((1u << dropped) - 1);
  const std::uint32_t middle = 1u << (dropped - 1);
  const std::uint32_t rounded = kept + (rest > middle || (rest == middle && (kept & 1)));
  // A carry out of the significand increments the exponent, as it should.
  const std::uint32_t base = exponent >= 113 ? (exponent - 113) << 10 : 0;
  return static_cast<std::uint16_t>(sign | (base + rounded));
}

// Rounds to the nearest, ties to even; overflow becomes infinity, NaN stays NaN.
inline std::uint16_t bfloat_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

inline float float_from_bfloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

}  // namespace wf
