// Number of elements of an array, checked for overflow.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

namespace wf {

// Result of an overflow; larger than any Buffer can be.
inline constexpr std::size_t kTooMany = std::numeric_limits<std::size_t>::max();

// The product of extents; kTooMany on overflow or for an extent below 0, so that a Buffer refuses
// it: on a 32-bit machine 65536 · 65536 would otherwise be 0.
template <class... Extents>
constexpr std::size_t elements_of(Extents... extents) {
  if (((extents == 0) || ...)) return 0;
  if ((std::cmp_less(extents, 0) || ...)) return kTooMany;
  std::size_t product = 1;
  const bool fits =
      (!__builtin_mul_overflow(product, static_cast<std::size_t>(extents), &product) && ...);
  return fits ? product : kTooMany;
}

// The sum; kTooMany on overflow.
constexpr std::size_t added(std::size_t a, std::size_t b) {
  return a > kTooMany - b ? kTooMany : a + b;
}

}  // namespace wf
