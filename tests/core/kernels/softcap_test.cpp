#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "core/kernels/slope.h"
#include "kernels/softcap.h"

namespace wf {
namespace {

using contract::random_values;
using testing::slope;

constexpr float kCaps[] = {0.5f, 1, 30, 50};
constexpr int kLongest = 40;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_CASE("rows are capped as plain loops cap them, for every length of the tail") {
  for (const float cap : kCaps)
    for (int count = 0; count < kLongest; ++count) {
      CAPTURE(cap);
      CAPTURE(count);
      std::vector<float> row = random_values(count, count + 1, 2 * cap);
      const std::vector<float> before = row;
      softcap_row(row.data(), count, cap);
      for (int i = 0; i < count; ++i) {
        const double expected = cap * std::tanh(double(before[i]) / cap);
        CHECK(std::abs(row[i] - expected) < 5e-7 * cap);  // twice the exponential's error
        CHECK(std::abs(row[i]) <= cap);
      }
    }
}

TEST_CASE("a row is capped in place, and what stands after it stays") {
  for (int count = 0; count < kLongest; ++count) {
    std::vector<float> row = random_values(count, 1), longer = row;
    longer.push_back(7);
    softcap_row(row.data(), count, 2);
    softcap_row(longer.data(), count, 2);
    CHECK(longer.back() == 7);
    longer.pop_back();
    CHECK(row == longer);
  }
}

TEST_CASE("zero stays, and what is far out or infinite is the cap itself") {
  for (const float cap : kCaps)
    for (int count = 1; count < 10; ++count)
      for (const float far : {25 * cap, 1e30f, std::numeric_limits<float>::max(), kInfinity}) {
        std::vector<float> row(count, far), negative(count, -far), zero(count, 0);
        softcap_row(row.data(), count, cap);
        softcap_row(negative.data(), count, cap);
        softcap_row(zero.data(), count, cap);
        for (int i = 0; i < count; ++i) {
          CHECK(row[i] == cap);
          CHECK(negative[i] == -cap);
          CHECK(zero[i] == 0);
        }
      }
}

TEST_CASE("the gradient of a capped row is the slope") {
  for (const float cap : kCaps)
    for (const int count : {1, 3, 4, 7, 8, 21}) {
      std::vector<float> x = random_values(count, 3, cap), capped = x;
      const std::vector<float> probe = random_values(count, 4);
      const auto loss = [&] {
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += probe[i] * cap * std::tanh(double(x[i]) / cap);
        return sum;
      };
      softcap_row(capped.data(), count, cap);
      std::vector<float> d = probe;
      softcap_row_backward(capped.data(), count, cap, d.data());
      // The slope's step is 1/256, and the cap at least 1/2.
      for (int i = 0; i < count; ++i) CHECK(std::abs(d[i] - slope(x, i, loss)) < 2e-4);
    }
}

TEST_CASE("the gradient is as plain loops give it, and zero at the cap") {
  for (const float cap : kCaps)
    for (int count = 0; count < kLongest; ++count) {
      std::vector<float> d = random_values(count + 1, 5), capped = random_values(count, 6, cap / 4);
      const std::vector<float> before = d;
      softcap_row_backward(capped.data(), count, cap, d.data());
      for (int i = 0; i < count; ++i) {
        const double ratio = double(capped[i]) / cap;
        CHECK(std::abs(d[i] - before[i] * (1 - ratio * ratio)) < 1e-6);
      }
      CHECK(d[count] == before[count]);
      std::vector<float> whole(count, cap);
      softcap_row_backward(whole.data(), count, cap, d.data());
      for (int i = 0; i < count; ++i) CHECK(d[i] == 0);
    }
}

}  // namespace
}  // namespace wf
