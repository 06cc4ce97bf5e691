#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simd.h"

namespace wf {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_CASE("the exponential is right to 2 units in the last place and exactly zero far below") {
  const simd::ExponentialTerms terms;
  double worst = 0;
  for (float x = -79.9f; x < 88; x += 0.0137f) {
    float lane[simd::kLanes];
    simd::store(lane, simd::exponential(simd::splat(x), terms));
    const double exact = std::exp(double(x));
    worst = std::max(worst, std::abs(lane[0] - exact) / exact);
  }
  CHECK(worst < 2.4e-7);
  for (const float x : {-80.5f, -87.5f, -100.0f, -1e30f, -kInfinity}) {
    float lane[simd::kLanes];
    simd::store(lane, simd::exponential(simd::splat(x), terms));
    CHECK(lane[0] == 0);
  }
}

}  // namespace
}  // namespace wf
