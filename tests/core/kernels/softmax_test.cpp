#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/softmax.h"

namespace wf {
namespace {

using contract::random_values;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_CASE("row operations agree with plain loops for every length of the tail") {
  for (int count = 1; count < 40; ++count) {
    std::vector<float> row = random_values(count, count, 3);
    float most = row[0];
    double total = 0;
    for (float x : row) most = std::max(most, x);
    for (float x : row) total += std::exp(double(x) - most);
    CHECK(row_maximum(row.data(), count) == most);
    CHECK(std::abs(sum_of_exponentials(row.data(), count, most) - total) < 1e-5);
    std::vector<float> weights = row;
    CHECK(std::abs(exponentials(weights.data(), count, most) - total) < 1e-5);
    for (int i = 0; i < count; ++i)
      CHECK(std::abs(weights[i] - std::exp(double(row[i]) - most)) < 1e-6);
  }
  float hidden[3] = {-kInfinity, 0, -kInfinity};
  CHECK(exponentials(hidden, 3, 0) == 1);
  CHECK(hidden[0] == 0);
}

}  // namespace
}  // namespace wf
