#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/dot.h"

namespace wf {
namespace {

using contract::random_values;

// More than four vectors with four lanes, or with sixteen.
constexpr int kLongest = 150;
// For kLongest terms of size 1, summed in float32.
constexpr double kSumTolerance = 3e-5;
// For a product and one or two sums of numbers up to 4.
constexpr double kTolerance = 2e-6;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

TEST_CASE("sums are those of plain loops, for every length of the tail") {
  for (int count = 0; count < kLongest; ++count) {
    CAPTURE(count);
    const std::vector<float> a = random_values(count, 1), b = random_values(count, 2);
    double product = 0, sum = 0;
    for (int i = 0; i < count; ++i) {
      product += double(a[i]) * b[i];
      sum += a[i];
    }
    CHECK(std::abs(dot(a.data(), b.data(), count) - product) < kSumTolerance);
    CHECK(std::abs(sum_of(a.data(), count) - sum) < kSumTolerance);
  }
}

TEST_CASE("two rows at once have the sums of each alone, however far apart they lie") {
  for (int count = 0; count < kLongest; ++count)
    for (const int stride : {count, count + 3}) {
      CAPTURE(count);
      CAPTURE(stride);
      const std::vector<float> a = random_values(count, 1), b = random_values(stride + count, 2);
      float sums[2];
      dot_two(a.data(), b.data(), stride, count, sums);
      for (int r = 0; r < 2; ++r) {
        double expected = 0;
        for (int i = 0; i < count; ++i) expected += double(a[i]) * b[r * stride + i];
        CHECK(std::abs(sums[r] - expected) < kSumTolerance);
      }
    }
}

TEST_CASE("one number that is not finite is found wherever it stands") {
  for (int count = 0; count < 70; ++count) {
    CAPTURE(count);
    std::vector<float> x = random_values(count, 1);
    CHECK(all_finite(x.data(), count));
    for (int i = 0; i < count; ++i) {
      const float kept = x[i];
      for (const float wrong : {kNaN, kInfinity, -kInfinity}) {
        x[i] = wrong;
        CHECK_FALSE(all_finite(x.data(), count));
        CHECK(all_finite(x.data(), count, true) == (wrong == -kInfinity));
      }
      x[i] = kept;
    }
  }
}

TEST_CASE("the largest numbers, the smallest and zeros of both signs are finite") {
  const float least = std::numeric_limits<float>::denorm_min();
  for (const float number : {kLargest, -kLargest, least, -least, 0.0f, -0.0f})
    for (const int count : {1, 3, 16, 17, 40}) {
      const std::vector<float> x(count, number);
      CHECK(all_finite(x.data(), count));
      CHECK(all_finite(x.data(), count, true));
    }
  const std::vector<float> hidden(40, -kInfinity);
  CHECK(all_finite(hidden.data(), hidden.size(), true));
}

// Compares y [count] after `add` with `plain`, and checks that the float after it is unchanged.
template <class Add, class Plain>
void adds_as(int count, const std::vector<float>& before, Add add, Plain plain) {
  std::vector<float> y = before;
  add(y.data());
  double most = 0;
  for (int i = 0; i < count; ++i) most = std::max(most, std::abs(y[i] - plain(i)));
  CHECK(most < kTolerance);
  CHECK(y[count] == before[count]);
}

TEST_CASE("what is added to a row is what plain loops add, and nothing beyond it") {
  constexpr float kFactor = 0.75f, kFactors[2] = {0.75f, -1.5f}, kNumber = 0.3f;
  for (int count = 0; count < 70; ++count)
    for (const int stride : {count, count + 3}) {
      CAPTURE(count);
      CAPTURE(stride);
      const std::vector<float> x = random_values(stride + count, 1);
      const std::vector<float> y = random_values(count + 1, 2);
      adds_as(
          count, y, [&](float* to) { add_scaled(kFactor, x.data(), count, to); },
          [&](int i) { return y[i] + double(kFactor) * x[i]; });
      adds_as(
          count, y, [&](float* to) { add_two_scaled(kFactors, x.data(), stride, count, to); },
          [&](int i) {
            return y[i] + double(kFactors[0]) * x[i] + double(kFactors[1]) * x[stride + i];
          });
      adds_as(
          count, y, [&](float* to) { add_constant(kNumber, count, to); },
          [&](int i) { return y[i] + double(kNumber); });
      adds_as(
          count, y, [&](float* to) { add_to(x.data(), count, to); },
          [&](int i) { return double(y[i]) + x[i]; });
      adds_as(
          count, y, [&](float* to) { add_raised(x.data(), kNumber, count, to); },
          [&](int i) { return double(y[i]) + x[i] + kNumber; });
    }
}

}  // namespace
}  // namespace wf
