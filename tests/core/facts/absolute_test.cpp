// Common misconceptions about absolute positions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"

namespace wf {
namespace {

constexpr int kWidth = 16, kCount = 40;

std::vector<std::int32_t> first_positions(int count) {
  std::vector<std::int32_t> positions(count);
  for (int p = 0; p < count; ++p) positions[p] = p;
  return positions;
}

// Returns the published sinusoids of the first positions [kCount, kWidth].
std::vector<float> sinusoids() {
  const SchemeDescription& description = *find_scheme("sinusoidal").value()->description;
  return contract::embedded_positions("sinusoidal", default_options(description), kWidth,
                                      first_positions(kCount));
}

// Returns x_i · W x_j for rows i and j of a table; W [kWidth, kWidth], or empty for the identity.
double product(const std::vector<float>& table, int i, int j,
               const std::vector<float>& weight = {}) {
  double sum = 0;
  for (int a = 0; a < kWidth; ++a) {
    double turned = weight.empty() ? table[j * kWidth + a] : 0;
    for (int b = 0; b < kWidth && !weight.empty(); ++b)
      turned += double(weight[a * kWidth + b]) * table[j * kWidth + b];
    sum += table[i * kWidth + a] * turned;
  }
  return sum;
}

// Returns how much the product of two rows three positions apart varies along the table.
double variation(const std::vector<float>& table, const std::vector<float>& weight = {}) {
  double low = 1e30, high = -1e30;
  for (int i = 0; i + 3 < kCount; ++i) {
    low = std::min(low, product(table, i, i + 3, weight));
    high = std::max(high, product(table, i, i + 3, weight));
  }
  return high - low;
}

TEST_CASE("products of sinusoids depend on the offset alone, and projected products do not") {
  CHECK(variation(sinusoids()) < 1e-5);
  CHECK(variation(sinusoids(), contract::random_values(kWidth * kWidth, 3)) > 1);
}

TEST_CASE("a projection that mixes each pair as a rotation does keeps the offset alone") {
  // Relative information is therefore not lost: a model can learn such a projection.
  std::vector<float> weight(kWidth * kWidth, 0.0f);
  for (int t = 0; t < kWidth; t += 2) {
    const float c = .6f, s = t % 4 ? .8f : -.8f;
    weight[t * kWidth + t] = weight[(t + 1) * kWidth + t + 1] = c;
    weight[t * kWidth + t + 1] = -s;
    weight[(t + 1) * kWidth + t] = s;
  }
  CHECK(variation(sinusoids(), weight) < 1e-5);
}

TEST_CASE(
    "a learned table can represent relative structure: that of sinusoids is one of its values") {
  const SchemeDescription& description = *find_scheme("learned").value()->description;
  OptionValues options = default_options(description);
  REQUIRE(set_option(description, options, "maxPositions", kCount, nullptr).ok());
  const std::vector<float> learned = contract::embedded_positions(
      "learned", options, kWidth, first_positions(kCount), sinusoids());
  CHECK(learned == sinusoids());
  CHECK(variation(learned) < 1e-5);
  // The structure is not guaranteed: a random table does not have it.
  CHECK(variation(contract::random_values(kCount * kWidth, 4)) > 1);
}

TEST_CASE("only a table has an end: sinusoids are defined at a million, and as long as anywhere") {
  const SchemeDescription& description = *find_scheme("sinusoidal").value()->description;
  const std::vector<float> far =
      contract::embedded_positions("sinusoidal", default_options(description), kWidth, {1000000});
  double square = 0;
  for (const float x : far) square += double(x) * x;
  CHECK(std::abs(square - kWidth / 2) < 1e-5);
  const SchemeEntry& entry = *find_scheme("learned").value();
  const SchemeInstance learned =
      make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 8, .width = 8},
                  default_options(*entry.description))
          .take();
  const std::int32_t position = 1000000;
  CHECK(learned.scheme->check_positions({&position, 1, 1}).code() == Code::kInvalidArgument);
}

TEST_CASE("the index of frequencies runs to half the width: eight of them for sixteen channels") {
  const std::vector<float> table = sinusoids();
  for (int t = 0; t < kWidth / 2; ++t) {
    const double w = std::pow(10000.0, -2.0 * t / kWidth);
    CHECK(std::abs(table[7 * kWidth + 2 * t] - std::sin(7 * w)) < 1e-6);
    CHECK(std::abs(table[7 * kWidth + 2 * t + 1] - std::cos(7 * w)) < 1e-6);
  }
}

}  // namespace
}  // namespace wf
