// Common misconceptions about rotary positions: decay, the sign of the offset, the cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

constexpr int kHeadDim = 64, kPairs = kHeadDim / 2;

SchemeInstance rope_of(int head_dim, double base) {
  const SchemeEntry& entry = *find_scheme("rope").value();
  OptionValues options = default_options(*entry.description);
  REQUIRE(set_option(*entry.description, options, "ropeTheta", base, nullptr).ok());
  auto made =
      make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim}, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

std::vector<float> rotated(const SchemeInstance& rope, std::vector<float> x,
                           std::int32_t position) {
  const int width = static_cast<int>(x.size());
  const Positions at = {&position, 1, 1};
  std::vector<float> table(rope.scheme->position_table_floats(1));
  rope.scheme->fill_position_table(at, position + 1, nullptr, table.data());
  rope.scheme->transform_projections({}, Projection::kQuery, 0, {at, table.data()},
                                     {x.data(), 1, width, width});
  return x;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

std::vector<double> frequencies_of(double base) {
  std::vector<double> frequencies(kPairs);
  double factor = 0;
  rope_of(kHeadDim, base).scheme->frequencies(0, frequencies.data(), &factor);
  return frequencies;
}

// Returns Σ_t cos(r·w_t): the product at distance r of a vector with equal pairs with itself.
double similarity(const std::vector<double>& frequencies, double r) {
  double sum = 0;
  for (const double w : frequencies) sum += std::cos(r * w);
  return sum;
}

// Returns the paper's bound: the mean over m of |Σ_{t<m} e^(i r w_t)|.
double bound(const std::vector<double>& frequencies, double r) {
  double real = 0, imaginary = 0, total = 0;
  for (const double w : frequencies) {
    real += std::cos(r * w);
    imaginary += std::sin(r * w);
    total += std::hypot(real, imaginary);
  }
  return total / static_cast<double>(frequencies.size());
}

TEST_CASE("one rotary pair is periodic: the similarity is back after a turn, however far") {
  // One pair rotates by one radian per position: 710 positions are 113 full rotations to within
  // 6e-5.
  const SchemeInstance rope = rope_of(2, 10000);
  const std::vector<float> x = {1, 0};
  CHECK(std::abs(dot(rotated(rope, x, 0), rotated(rope, x, 710)) - 1) < 1e-6);
  CHECK(dot(rotated(rope, x, 0), rotated(rope, x, 355)) < -0.999);
}

TEST_CASE("many pairs of one frequency oscillate together and never decay") {
  const std::vector<double> equal(kPairs, 1.0);
  for (const int r : {710, 7100, 71000}) CHECK(similarity(equal, r) > 0.99 * kPairs);
  for (const int r : {355, 3195}) CHECK(similarity(equal, r) < -0.99 * kPairs);
}

TEST_CASE(
    "with a frequency for each pair only a bound decays: the similarity itself rises again and "
    "again") {
  const std::vector<double> w = frequencies_of(10000);
  CHECK(bound(w, 100) < bound(w, 10));
  CHECK(bound(w, 1000) < bound(w, 100));
  int rises = 0;
  for (int r = 1; r < 1000; ++r) rises += similarity(w, r + 1) > similarity(w, r);
  CHECK(rises > 300);
  for (int r = 1; r < 1000; ++r) CHECK(similarity(w, r) <= kPairs);
}

TEST_CASE(
    "vectors of independent content have no decay at all: at every distance their products are as "
    "large") {
  const SchemeInstance rope = rope_of(kHeadDim, 10000);
  const auto mean_square = [&](std::int32_t distance) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const std::vector<float> q = contract::random_values(kHeadDim, 2 * seed + 1);
      const std::vector<float> k = contract::random_values(kHeadDim, 2 * seed + 2);
      const double product = dot(rotated(rope, q, distance), rotated(rope, k, 0));
      sum += product * product;
    }
    return sum / (400 * kHeadDim);
  };
  // The mean is 1 within the noise of 400 samples, whose standard deviation is 0.07.
  for (const int distance : {0, 10, 1000, 100000}) CHECK(std::abs(mean_square(distance) - 1) < 0.3);
}

TEST_CASE(
    "a larger base weakens the decay of the bound, on average: at single distances it may lie "
    "lower") {
  const auto mean_bound = [](double base, int first) {
    const std::vector<double> w = frequencies_of(base);
    double sum = 0;
    for (int r = first; r < 2 * first; ++r) sum += bound(w, r);
    return sum / first;
  };
  for (const int first : {50, 200, 1000}) {
    CAPTURE(first);
    CHECK(mean_bound(1e5, first) > mean_bound(1e4, first));
    CHECK(mean_bound(1e6, first) > mean_bound(1e5, first));
  }
  CHECK(bound(frequencies_of(1e6), 100) < bound(frequencies_of(1e4), 100));
}

TEST_CASE("the cheap form, two products a channel, equals multiplying by the rotation matrix") {
  const SchemeInstance rope = rope_of(8, 10000);
  const std::vector<float> x = contract::random_values(8, 9);
  for (const std::int32_t position : {0, 1, 7, 300}) {
    // Half-split pairs (t, t + 4): a block [[c, -s], [s, c]] in rows and columns t and t + 4.
    double matrix[8][8] = {};
    for (int t = 0; t < 4; ++t) {
      const double angle = position * std::pow(10000.0, -2.0 * t / 8);
      matrix[t][t] = matrix[t + 4][t + 4] = std::cos(angle);
      matrix[t][t + 4] = -std::sin(angle);
      matrix[t + 4][t] = std::sin(angle);
    }
    const std::vector<float> turned = rotated(rope, x, position);
    for (int r = 0; r < 8; ++r) {
      double sum = 0;
      for (int c = 0; c < 8; ++c) sum += matrix[r][c] * x[c];
      CHECK(std::abs(turned[r] - sum) < 1e-6);
    }
  }
}

TEST_CASE(
    "the sign of the offset is invisible where query and key are equal, and visible elsewhere") {
  const SchemeInstance rope = rope_of(8, 10000);
  const std::vector<float> q = contract::random_values(8, 11), k = contract::random_values(8, 12);
  const auto product = [&](const std::vector<float>& a, int i, const std::vector<float>& b, int j) {
    return dot(rotated(rope, a, i), rotated(rope, b, j));
  };
  CHECK(std::abs(product(q, 3, q, 0) - product(q, 0, q, 3)) < 1e-5);
  CHECK(std::abs(product(q, 3, k, 0) - product(q, 0, k, 3)) > 0.1);
}

}  // namespace
}  // namespace wf
