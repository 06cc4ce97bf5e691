// Matrices in half precision and in bfloat16 (kernels/quantised.h).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/float16.h"
#include "kernels/matmul.h"

namespace wf {
namespace {

using contract::random_values;

constexpr WeightType kTypes[] = {WeightType::kF16, WeightType::kBF16};
constexpr int kPatterns = 1 << 16;

float widened(WeightType type, int bits) {
  const auto word = static_cast<std::uint16_t>(bits);
  return type == WeightType::kF16 ? float_from_half(word) : float_from_bfloat(word);
}

float rounded(WeightType type, float value) {
  return widened(type,
                 type == WeightType::kF16 ? half_from_float(value) : bfloat_from_float(value));
}

struct Packed {
  Buffer<std::uint8_t> bytes;
  QuantisedMatrix matrix;
  bool is_held;

  Packed(const std::vector<float>& w, int rows, int columns, WeightType type) {
    bytes = Buffer<std::uint8_t>::make(quantised_bytes(type, rows, columns)).take();
    matrix = {bytes.data(), type, rows, columns};
    // In parts and in any order, as files provide them.
    const int half = rows / 2;
    is_held = quantise_rows(w.data() + half * columns, half, rows - half, matrix, bytes.data());
    is_held &= quantise_rows(w.data(), 0, half, matrix, bytes.data());
  }
};

int count_other(const std::vector<float>& values, const float* found) {
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    wrong += std::isnan(values[i]) ? !std::isnan(found[i]) : values[i] != found[i];
  return wrong;
}

// Checks that matrices with one row for each number keep the numbers exactly.
void check_kept(const std::vector<float>& all, WeightType type) {
  MatmulScratch scratch = MatmulScratch::make().take();
  const int rows = static_cast<int>(all.size());
  for (const int columns : {1, 2}) {
    // With two columns every number is in the upper half of its lane. The number in the lower half
    // is finite, because it is multiplied by zero.
    std::vector<float> w(rows * columns, 1.5f), one(columns, 0.0f);
    for (int r = 0; r < rows; ++r) w[r * columns + columns - 1] = all[r];
    one.back() = 1;
    const Packed packed(w, rows, columns, type);
    CHECK(packed.is_held);
    std::vector<float> back(w.size());
    dequantise_rows(packed.matrix, 0, rows, back.data());
    CHECK(count_other(w, back.data()) == 0);
    for (const int m : {1, kFewRows}) {
      std::vector<float> a, c(m * rows);
      for (int i = 0; i < m; ++i) a.insert(a.end(), one.begin(), one.end());
      matmul(m, rows, columns, 1, {a.data(), columns}, packed.matrix, c.data(), rows,
             Accumulate::kNo, scratch);
      for (int i = 0; i < m; ++i) CHECK(count_other(all, c.data() + i * rows) == 0);
    }
  }
}

TEST_CASE("every number of 16 bits is kept, and is itself in each kind of product") {
  for (const WeightType type : kTypes) {
    std::vector<float> all(kPatterns), small;
    for (int bits = 0; bits < kPatterns; ++bits) all[bits] = widened(type, bits);
    check_kept(all, type);
    // Halves are stored multiplied by 2^10 only if all numbers are as small as these.
    std::copy_if(all.begin(), all.end(), std::back_inserter(small),
                 [](float value) { return std::abs(value) < 63; });
    REQUIRE(small.size() > kPatterns / 2);
    check_kept(small, type);
  }
}

TEST_CASE("floats are rounded to the nearest number of 16 bits, ties to even") {
  for (const WeightType type : kTypes) {
    const std::vector<float> w = random_values(7 * 33, 3);
    const Packed packed(w, 7, 33, type);
    CHECK(packed.is_held);
    std::vector<float> back(w.size()), right;
    dequantise_rows(packed.matrix, 0, 7, back.data());
    for (const float value : w) right.push_back(rounded(type, value));
    CHECK(back == right);
    CHECK(back != w);
  }
}

TEST_CASE("what is finite does not become infinite unseen") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kMax = std::numeric_limits<float>::max();
  const auto is_held = [](WeightType type, float value) {
    std::vector<float> w(4 * 40, 0.5f);
    w[87] = value;
    return Packed(w, 4, 40, type).is_held;
  };
  for (const float sign : {1.0f, -1.0f}) {
    CHECK(is_held(WeightType::kF16, sign * 65519));
    CHECK_FALSE(is_held(WeightType::kF16, sign * 65520));
    CHECK(is_held(WeightType::kBF16, sign * 65520));
    CHECK(is_held(WeightType::kBF16, sign * 3.389e38f));
    CHECK_FALSE(is_held(WeightType::kBF16, sign * kMax));
    for (const WeightType type : kTypes) CHECK(is_held(type, sign * kInfinity));
  }
  for (const WeightType type : kTypes) CHECK(is_held(type, std::nanf("")));
}

TEST_CASE("a matrix of 16 bits takes two bytes for each weight, and f16 16 more") {
  for (const WeightType type : kTypes) {
    const std::size_t head = type == WeightType::kF16 ? 16 : 0;
    CHECK(quantised_bytes(type, 576, 1536) == head + std::size_t{2} * 576 * 1536);
    CHECK(quantised_bytes(type, 9, 33) == head + std::size_t{2} * 16 * 64);
  }
}

TEST_CASE("products with 16 bits equal plain sums in double precision, for every edge") {
  MatmulScratch scratch = MatmulScratch::make().take();
  for (const WeightType type : kTypes)
    for (const int m : {1, 3, 4, 80})
      for (const int n : {1, 5, 8, 13, 520})
        for (const int k : {1, 31, 32, 33, 259, 300})
          for (const Accumulate accumulate : {Accumulate::kNo, Accumulate::kYes}) {
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(k);
            const std::vector<float> a = random_values(m * k, 1), w = random_values(n * k, 2);
            const Packed packed(w, n, k, type);
            std::vector<float> c(m * (n + 1), 0.25f);
            matmul(m, n, k, 0.5f, {a.data(), k}, packed.matrix, c.data(), n + 1, accumulate,
                   scratch);
            double most = 0;
            bool margin_kept = true;
            for (int i = 0; i < m; i += m > 7 && i < m - 2 ? 19 : 1) {
              for (int j = 0; j < n; j += n > 33 && j < n - 9 ? 17 : 1) {
                double sum = accumulate == Accumulate::kYes ? 0.25 : 0;
                for (int p = 0; p < k; ++p)
                  sum += 0.5 * a[i * k + p] * double(rounded(type, w[j * k + p]));
                const double difference = std::abs(sum - c[i * (n + 1) + j]);
                most = difference <= most ? most : difference;
              }
              margin_kept &= c[i * (n + 1) + n] == 0.25f;
            }
            CHECK(most < 2e-5);  // 300 terms of size 1 in float32
            CHECK(margin_kept);
          }
}

}  // namespace
}  // namespace wf
