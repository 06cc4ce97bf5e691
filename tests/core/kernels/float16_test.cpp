#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "kernels/float16.h"

namespace wf {

TEST_CASE("Every half survives the way to float and back") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = float_from_half(half);
    if (std::isnan(value))
      wrong += !std::isnan(float_from_half(half_from_float(value)));
    else
      wrong += half_from_float(value) != half;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Between two halves a float goes to the nearer one, in the middle to the even one") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {  // up to the largest finite half
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    // Halves have 11 significant bits, so the middle of two neighbours is exact in float32.
    const float middle = 0.5f * (float_from_half(low) + float_from_half(high));
    const std::uint16_t even = bits % 2 == 0 ? low : high;
    for (const float sign : {1.0f, -1.0f}) {
      const std::uint16_t mark = sign < 0 ? 0x8000 : 0;
      wrong += half_from_float(sign * middle) != (even | mark);
      wrong += half_from_float(sign * std::nextafter(middle, 0.0f)) != (low | mark);
      wrong += half_from_float(sign * std::nextafter(middle, 1e9f)) != (high | mark);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Halves at the edges: overflow, infinity, NaN, the smallest") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(half_from_float(65504.0f) == 0x7bff);
  CHECK(half_from_float(65519.996f) == 0x7bff);
  CHECK(half_from_float(65520.0f) == 0x7c00);
  CHECK(half_from_float(1e30f) == 0x7c00);
  CHECK(half_from_float(-infinity) == 0xfc00);
  CHECK(std::isnan(float_from_half(half_from_float(std::nanf("")))));
  CHECK(float_from_half(0x0001) == std::ldexp(1.0f, -24));
  CHECK(half_from_float(std::ldexp(1.0f, -25)) == 0);
  CHECK(half_from_float(std::ldexp(1.5f, -25)) == 1);
  CHECK(half_from_float(1e-40f) == 0);
  CHECK(half_from_float(-0.0f) == 0x8000);
}

TEST_CASE("A bfloat is the upper half of a float") {
  CHECK(float_from_bfloat(0x3f80) == 1.0f);
  CHECK(float_from_bfloat(0xc049) == -3.140625f);
  CHECK(float_from_bfloat(0x7f80) == std::numeric_limits<float>::infinity());
}

TEST_CASE("A float goes to the nearer bfloat, in the middle to the even one") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7f7f; ++bits) {  // up to the largest finite one
    const std::uint32_t low = bits << 16, even = bits + bits % 2;
    for (const std::uint32_t mark : {0u, 0x8000u}) {
      const auto rounded = [&](std::uint32_t rest) {
        return bfloat_from_float(std::bit_cast<float>(mark << 16 | low | rest));
      };
      wrong += rounded(0) != (mark | bits);
      wrong += rounded(0x7fff) != (mark | bits);
      wrong += rounded(0x8000) != (mark | even);
      wrong += rounded(0x8001) != (mark | (bits + 1));
    }
  }
  CHECK(wrong == 0);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(bfloat_from_float(infinity) == 0x7f80);
  CHECK(bfloat_from_float(-std::numeric_limits<float>::max()) == 0xff80);
  // A NaN whose upper 16 bits alone would be infinity.
  CHECK(std::isnan(float_from_bfloat(bfloat_from_float(std::bit_cast<float>(0x7f800001u)))));
}

}  // namespace wf
