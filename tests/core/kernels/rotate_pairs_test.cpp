#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/rotate_pairs.h"

namespace wf {
namespace {

using contract::random_values;

constexpr int kPairs[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 33};
constexpr int kMargin = 2;  // floats between two rows
// For the sum of two products in float32, of numbers up to 4.
constexpr double kTolerance = 2e-6;

// Rows of 2 · pairs + rest channels, with margins between them that must not change.
struct Rows {
  int pairs, rows, columns, stride;
  std::vector<float> x, cosines, sines;

  Rows(int pairs, int rows, int rest)
      : pairs(pairs),
        rows(rows),
        columns(2 * pairs + rest),
        stride(columns + kMargin),
        x(random_values(static_cast<std::size_t>(rows) * stride, 1)),
        cosines(static_cast<std::size_t>(rows) * pairs),
        sines(cosines.size()) {
    const std::vector<float> angles = random_values(cosines.size(), 2, 3);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      cosines[i] = std::cos(angles[i]);
      sines[i] = std::sin(angles[i]);
    }
  }

  void turn(bool interleaved) {
    rotate_pairs(cosines.data(), sines.data(), pairs, interleaved,
                 {x.data(), rows, columns, stride});
  }
  void turn_back(bool interleaved) {
    rotate_pairs_back(cosines.data(), sines.data(), pairs, interleaved,
                      {x.data(), rows, columns, stride});
  }
  // Indices of the two channels of a pair.
  int first_of(int row, int pair, bool interleaved) const {
    return row * stride + (interleaved ? 2 * pair : pair);
  }
  int second_of(int row, int pair, bool interleaved) const {
    return first_of(row, pair, interleaved) + (interleaved ? 1 : pairs);
  }
};

// Calls `body` for all sizes of rows, interleaved and not.
template <class Body>
void for_each_size(Body body) {
  for (const int pairs : kPairs)
    for (const int rows : {0, 1, 3})
      for (const int rest : {0, 1, 5})
        for (const bool interleaved : {false, true}) {
          CAPTURE(pairs);
          CAPTURE(rows);
          CAPTURE(rest);
          CAPTURE(interleaved);
          body(Rows(pairs, rows, rest), interleaved);
        }
}

double most_apart(const std::vector<float>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST_CASE("pairs turn counter-clockwise as plain loops turn them, and nothing else changes") {
  for_each_size([](Rows given, bool interleaved) {
    std::vector<double> expected(given.x.begin(), given.x.end());
    for (int r = 0; r < given.rows; ++r)
      for (int t = 0; t < given.pairs; ++t) {
        const double c = given.cosines[r * given.pairs + t], s = given.sines[r * given.pairs + t];
        double& first = expected[given.first_of(r, t, interleaved)];
        double& second = expected[given.second_of(r, t, interleaved)];
        const double a = first, b = second;
        first = a * c - b * s;
        second = a * s + b * c;
      }
    const std::vector<float> before = given.x;
    given.turn(interleaved);
    CHECK(most_apart(given.x, expected) < kTolerance);
    bool is_rest_kept = true;
    for (int r = 0; r < given.rows; ++r)
      for (int i = r * given.stride + 2 * given.pairs; i < (r + 1) * given.stride; ++i)
        is_rest_kept &= given.x[i] == before[i];
    CHECK(is_rest_kept);
  });
}

TEST_CASE("turned back, pairs are what they were") {
  for_each_size([](Rows given, bool interleaved) {
    const std::vector<double> before(given.x.begin(), given.x.end());
    given.turn(interleaved);
    given.turn_back(interleaved);
    CHECK(most_apart(given.x, before) < 2 * kTolerance);
  });
}

TEST_CASE("turning back is the transpose, whatever stands in the tables") {
  for_each_size([](Rows one, bool interleaved) {
    // Numbers that are not the cosines and sines of any angle.
    one.cosines = random_values(one.cosines.size(), 3);
    one.sines = random_values(one.sines.size(), 4);
    Rows other = one;
    other.x = random_values(one.x.size(), 5);
    const std::vector<float> x = one.x, y = other.x;
    one.turn(interleaved);
    other.turn_back(interleaved);
    double turned = 0, back = 0, size = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      turned += double(one.x[i]) * y[i];
      back += double(x[i]) * other.x[i];
      size += std::abs(double(one.x[i]) * y[i]);
    }
    CHECK(std::abs(turned - back) < kTolerance * size);
  });
}

TEST_CASE("what is not finite stays in its own pair") {
  for (const bool interleaved : {false, true})
    for (int spoilt = 0; spoilt < 9; ++spoilt)
      for (const float wrong :
           {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        Rows given(9, 2, 1);
        given.x[given.first_of(1, spoilt, interleaved)] = wrong;
        given.turn(interleaved);
        for (int r = 0; r < 2; ++r)
          for (int t = 0; t < 9; ++t) {
            const bool is_spoilt = r == 1 && t == spoilt;
            CHECK(std::isfinite(given.x[given.first_of(r, t, interleaved)]) == !is_spoilt);
            CHECK(std::isfinite(given.x[given.second_of(r, t, interleaved)]) == !is_spoilt);
          }
      }
}

}  // namespace
}  // namespace wf
