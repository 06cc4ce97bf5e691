#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/matmul.h"

namespace wf {
namespace {

using contract::random_values;

TEST_CASE("a matrix product equals plain loops for every edge of the tiles, transposed or not") {
  MatmulScratch scratch = MatmulScratch::make().take();
  for (const int m : {1, 2, 3, 4, 5, 6, 7, 13, 73, 80})
    for (const int n : {1, 3, 8, 15, 16, 17, 33, 40})
      for (const int k : {1, 2, 7, 64, 259}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        const std::vector<float> a = random_values(m * k, 1), b = random_values(k * n, 2);
        for (const bool a_transposed : {false, true})
          for (const bool b_transposed : {false, true})
            for (const Accumulate accumulate : {Accumulate::kNo, Accumulate::kYes}) {
              const Operand left = a_transposed ? Operand{a.data(), 1, m} : Operand{a.data(), k, 1};
              const Operand right =
                  b_transposed ? Operand{b.data(), 1, k} : Operand{b.data(), n, 1};
              std::vector<float> c(m * (n + 2), 0.25f);
              matmul(m, n, k, 0.5f, left, right, c.data(), n + 2, accumulate, scratch);
              double most = 0;
              bool margin_kept = true;
              for (int i = 0; i < m; ++i) {
                for (int j = 0; j < n; ++j) {
                  double sum = 0;
                  for (int p = 0; p < k; ++p)
                    sum += double(left.data[i * left.row_stride + p * left.column_stride]) *
                           right.data[p * right.row_stride + j * right.column_stride];
                  const double expected = 0.5 * sum + (accumulate == Accumulate::kYes ? 0.25 : 0);
                  const double difference = std::abs(expected - c[i * (n + 2) + j]);
                  most = difference <= most ? most : difference;
                }
                margin_kept &= c[i * (n + 2) + n] == 0.25f && c[i * (n + 2) + n + 1] == 0.25f;
              }
              CHECK(most < 2e-5);  // 259 terms of size 1 in float32
              CHECK(margin_kept);
            }
      }
}

TEST_CASE("with B packed whole a product equals plain loops too") {
  MatmulScratch scratch = MatmulScratch::make().take();
  for (const int m : {1, 3, 4, 80})
    for (const int n : {1, 7, 8, 17, 33, 521})
      for (const int k : {1, 3, 64, 259}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        const std::vector<float> a = random_values(m * k, 1), b = random_values(k * n, 2);
        std::vector<float> panels(panel_floats(k, n)), c(m * n);
        const Panels packed = pack_panels({b.data(), n}, k, n, panels.data());
        matmul(m, n, k, a.data(), packed, c.data(), scratch);
        double most = 0;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int p = 0; p < k; ++p) sum += double(a[i * k + p]) * b[p * n + j];
            const double difference = std::abs(sum - c[i * n + j]);
            most = difference <= most ? most : difference;
          }
        CHECK(most < 4e-5);  // twice the tolerance above
      }
}

TEST_CASE("an empty inner dimension gives zeros, or leaves what was there") {
  MatmulScratch scratch = MatmulScratch::make().take();
  std::vector<float> c(20, 3.0f);
  // Few rows and many, also transposed: nothing is read, and no offset is added to a null pointer.
  for (const int m : {2, 4})
    for (const Operand left : {Operand{nullptr, 0, 1}, Operand{nullptr, 1, m}})
      for (const Operand right : {Operand{nullptr, 5, 1}, Operand{nullptr, 1, 0}}) {
        std::fill(c.begin(), c.end(), 3.0f);
        matmul(m, 5, 0, 1, left, right, c.data(), 5, Accumulate::kYes, scratch);
        for (float x : c) CHECK(x == 3);
        matmul(m, 5, 0, 1, left, right, c.data(), 5, Accumulate::kNo, scratch);
        for (int i = 0; i < 5 * m; ++i) CHECK(c[i] == 0);
      }
}

}  // namespace
}  // namespace wf
