#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "executor.h"
#include "kernels/matmul.h"

namespace wf {
namespace {

using contract::random_values;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A second implementation of the format, without lanes.
struct PlainBlock {
  float scale = 0;
  int q[kQuantisedBlock] = {};
};

struct PlainWeights {
  int rows, columns, blocks;
  std::vector<PlainBlock> all;

  const PlainBlock& at(int row, int block) const { return all[row * blocks + block]; }
  double value(int row, int column) const {
    const PlainBlock& block = at(row, column / kQuantisedBlock);
    return double(block.scale) * block.q[column % kQuantisedBlock];
  }
};

// Returns the smallest number of steps, up to `most`, such that all weights are multiples of
// extreme / steps; 0 if there is none. A product with a small integer is exact in double precision.
int steps_of(const float* w, int count, float extreme, int most) {
  for (int steps = 1; extreme != 0 && steps <= most; ++steps)
    if (std::all_of(w, w + count,
                    [&](float x) { return std::fmod(1.0 * x * steps, extreme) == 0; }))
      return steps;
  return 0;
}

float scale_of(const float* w, int count, float extreme, WeightType type) {
  const int most = type == WeightType::kInt4 ? 8 : 128;
  const int steps = steps_of(w, count, extreme, most);
  if (steps && steps < most) return std::fabs(extreme) / static_cast<float>(steps);
  if (type == WeightType::kInt4) return extreme / -8;
  const bool has_opposite = std::find(w, w + count, -extreme) != w + count;
  return steps && !has_opposite ? extreme / -128 : std::fabs(extreme) / 127;
}

PlainWeights plain_weights(const std::vector<float>& w, int rows, int columns, WeightType type) {
  PlainWeights plain{rows, columns, (columns + kQuantisedBlock - 1) / kQuantisedBlock, {}};
  for (int r = 0; r < rows; ++r)
    for (int b = 0; b < plain.blocks; ++b) {
      const int begin = b * kQuantisedBlock, end = std::min(columns, begin + kQuantisedBlock);
      float extreme = 0;
      for (int c = begin; c < end; ++c)
        if (std::fabs(w[r * columns + c]) > std::fabs(extreme)) extreme = w[r * columns + c];
      PlainBlock block;
      block.scale = scale_of(&w[r * columns + begin], end - begin, extreme, type);
      const float inverse = block.scale != 0 ? 1 / block.scale : 0;
      for (int c = begin; c < end; ++c) {
        const int q = static_cast<int>(std::nearbyint(w[r * columns + c] * inverse));
        block.q[c - begin] =
            type == WeightType::kInt4 ? std::clamp(q, -8, 7) : std::clamp(q, -128, 127);
      }
      plain.all.push_back(block);
    }
  return plain;
}

struct Packed {
  Buffer<std::uint8_t> bytes;
  QuantisedMatrix matrix;
  bool is_finite;

  Packed(const std::vector<float>& w, int rows, int columns, WeightType type) {
    bytes = Buffer<std::uint8_t>::make(quantised_bytes(type, rows, columns)).take();
    matrix = {bytes.data(), type, rows, columns};
    // In parts and in any order, as files provide them.
    const int half = rows / 2;
    is_finite = quantise_rows(w.data() + half * columns, half, rows - half, matrix, bytes.data());
    is_finite &= quantise_rows(w.data(), 0, half, matrix, bytes.data());
  }
};

// The definition of the quick product, step by step.
float quick_product(const PlainWeights& w, int row, const float* x, float alpha) {
  volatile float total = 0;
  for (int b = 0; b < w.blocks; ++b) {
    const int begin = b * kQuantisedBlock, end = std::min(w.columns, begin + kQuantisedBlock);
    float largest = 0;
    for (int c = begin; c < end; ++c) largest = std::max(largest, std::fabs(x[c]));
    if (largest == 0) continue;
    const float inverse = 127 / largest;
    std::int64_t sum = 0;
    for (int c = begin; c < end; ++c) {
      const float scaled = x[c] * inverse;
      sum += w.at(row, b).q[c - begin] * static_cast<int>(std::nearbyint(scaled));
    }
    const float of_activations = largest / 127;
    volatile float scale = w.at(row, b).scale * of_activations;
    volatile float part = static_cast<float>(sum) * scale;
    total = total + part;
  }
  return total * alpha;
}

constexpr WeightType kTypes[] = {WeightType::kInt8, WeightType::kInt4};

// A compiler for a machine with fused multiply-add may use it in native builds.
#if defined(__FMA__)
bool is_the_same(float a, float b) { return std::fabs(a - b) <= 1e-5f * (1 + std::fabs(b)); }
#else
bool is_the_same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}
#endif

TEST_CASE("quantised rows stand for the nearest multiples of their block's scale") {
  for (const WeightType type : kTypes)
    for (const int rows : {1, 4, 7, 12})
      for (const int columns : {1, 31, 32, 33, 100}) {
        CAPTURE(rows);
        CAPTURE(columns);
        const std::vector<float> w = random_values(rows * columns, 3);
        const PlainWeights plain = plain_weights(w, rows, columns, type);
        const Packed packed(w, rows, columns, type);
        CHECK(packed.is_finite);
        std::vector<float> back(w.size());
        dequantise_rows(packed.matrix, 0, rows, back.data());
        bool are_equal = true, are_near = true;
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c) {
            are_equal &= back[r * columns + c] == static_cast<float>(plain.value(r, c));
            // Half a step; a whole step at the end of int4 without -8.
            const float step = std::fabs(plain.at(r, c / kQuantisedBlock).scale);
            are_near &= std::fabs(back[r * columns + c] - w[r * columns + c]) <=
                        (type == WeightType::kInt4 ? 1.001f : 0.501f) * step;
          }
        CHECK(are_equal);
        CHECK(are_near);
        std::vector<float> one(columns);
        dequantise_rows(packed.matrix, rows - 1, 1, one.data());
        CHECK(std::equal(one.begin(), one.end(), back.end() - columns));
      }
}

TEST_CASE("quantising what was quantised changes nothing but the scale's last bits") {
  for (const WeightType type : kTypes) {
    const std::vector<float> w = random_values(8 * 64, 5);
    const Packed packed(w, 8, 64, type);
    std::vector<float> once(w.size()), twice(w.size());
    dequantise_rows(packed.matrix, 0, 8, once.data());
    const Packed again(once, 8, 64, type);
    dequantise_rows(again.matrix, 0, 8, twice.data());
    for (std::size_t i = 0; i < w.size(); ++i)
      CHECK(std::fabs(once[i] - twice[i]) <= 2e-7f * std::fabs(once[i]));
  }
}

TEST_CASE("weights that are zero, tiny or not finite") {
  for (const WeightType type : kTypes) {
    std::vector<float> w(4 * 40, 0.0f), back(4 * 40, 1.0f);
    w[40] = 1e-42f;
    const Packed zero(w, 4, 40, type);
    CHECK(zero.is_finite);
    dequantise_rows(zero.matrix, 0, 4, back.data());
    CHECK(std::all_of(back.begin(), back.end(), [](float x) { return x == 0; }));
    for (const float bad : {kInfinity, -kInfinity, std::nanf("")}) {
      w[159] = bad;
      CHECK_FALSE(Packed(w, 4, 40, type).is_finite);
    }
  }
}

TEST_CASE("bytes of a matrix are counted without running over") {
  CHECK(quantised_bytes(WeightType::kInt8, 8, 32) == 2 * 144);
  CHECK(quantised_bytes(WeightType::kInt8, 1, 32) == 2 * 144);
  CHECK(quantised_bytes(WeightType::kInt4, 9, 33) == 8 * 80);
  const std::size_t most = quantised_bytes(WeightType::kInt8, 2147483647, 2147483647);
  CHECK((most == kTooMany || sizeof(std::size_t) == 8));
}

TEST_CASE("the exact product equals plain sums in double precision, for every edge") {
  MatmulScratch scratch = MatmulScratch::make().take();
  for (const WeightType type : kTypes)
    for (const int m : {1, 3, 4, 7, 80})
      for (const int n : {1, 4, 5, 8, 13, 33, 520})
        for (const int k : {1, 31, 32, 33, 64, 259, 300}) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          const std::vector<float> a = random_values(m * k, 1), w = random_values(n * k, 2);
          const PlainWeights plain = plain_weights(w, n, k, type);
          const Packed packed(w, n, k, type);
          for (const Accumulate accumulate : {Accumulate::kNo, Accumulate::kYes}) {
            std::vector<float> c(m * (n + 1), 0.25f);
            matmul(m, n, k, 0.5f, {a.data(), k}, packed.matrix, c.data(), n + 1, accumulate,
                   scratch);
            double most = 0;
            bool margin_kept = true;
            // Of large sizes all edges, and a few of the other rows and columns.
            for (int i = 0; i < m; i += m > 7 && i < m - 2 ? 19 : 1) {
              for (int j = 0; j < n; j += n > 33 && j < n - 9 ? 17 : 1) {
                double sum = 0;
                for (int p = 0; p < k; ++p) sum += double(a[i * k + p]) * plain.value(j, p);
                const double expected = 0.5 * sum + (accumulate == Accumulate::kYes ? 0.25 : 0);
                const double difference = std::abs(expected - c[i * (n + 1) + j]);
                most = difference <= most ? most : difference;
              }
              margin_kept &= c[i * (n + 1) + n] == 0.25f;
            }
            CHECK(most < 2e-5);  // 300 terms of size 1 in float32
            CHECK(margin_kept);
          }
        }
}

TEST_CASE("the quick product has the bits of its definition, for every edge") {
  MatmulScratch scratch = MatmulScratch::make().take();
  REQUIRE(scratch.reserve_quick(300).ok());
  for (const WeightType type : kTypes)
    for (const int m : {1, 3, 4, 17, 37})
      for (const int n : {1, 4, 5, 8, 13, 33})
        for (const int k : {1, 31, 32, 33, 64, 259, 300}) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          const std::vector<float> a = random_values(m * k, 1), w = random_values(n * k, 2);
          const PlainWeights plain = plain_weights(w, n, k, type);
          const Packed packed(w, n, k, type);
          std::vector<float> c(m * (n + 1), 0.25f);
          matmul(m, n, k, 0.5f, {a.data(), k}, packed.matrix, c.data(), n + 1, Accumulate::kNo,
                 scratch);
          int wrong = 0;
          for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j)
              wrong +=
                  !is_the_same(c[i * (n + 1) + j], quick_product(plain, j, a.data() + i * k, 0.5f));
            wrong += c[i * (n + 1) + n] != 0.25f;
          }
          CHECK(wrong == 0);
          matmul(m, n, k, 0.5f, {a.data(), k}, packed.matrix, c.data(), n + 1, Accumulate::kYes,
                 scratch);
          CHECK(is_the_same(c[0], 2 * quick_product(plain, 0, a.data(), 0.5f)));
        }
}

TEST_CASE("the quick product is right where integers are largest, and near the exact one") {
  MatmulScratch exact = MatmulScratch::make().take(), quick = MatmulScratch::make().take();
  REQUIRE(quick.reserve_quick(576).ok());
  for (const WeightType type : kTypes)
    for (const float sign : {-1.0f, 1.0f}) {
      std::vector<float> w(8 * 576, 2.0f), x(576, sign), back(w.size()), y(8);
      // One weight of each block is no multiple of a step; the others are 127 or -8 steps.
      for (std::size_t i = 0; i < w.size(); i += kQuantisedBlock) w[i] = 0.7f;
      // Weights down to -128.
      for (int i = 0; i < 576; ++i) w[i] = i % kQuantisedBlock ? -128 : -1;
      const Packed packed(w, 8, 576, type);
      dequantise_rows(packed.matrix, 0, 8, back.data());
      for (int i = 0; type == WeightType::kInt8 && i < 576; ++i) CHECK(back[i] == w[i]);
      matmul(1, 8, 576, 1, {x.data(), 576}, packed.matrix, y.data(), 8, Accumulate::kNo, quick);
      for (int r = 0; r < 8; ++r) {
        double sum = 0;
        for (int c = 0; c < 576; ++c) sum += back[r * 576 + c];
        CHECK(y[r] == doctest::Approx(sign * sum).epsilon(1e-6));
      }
    }
  const std::vector<float> w = random_values(64 * 576, 7), x = random_values(576, 8);
  const Packed packed(w, 64, 576, WeightType::kInt8);
  std::vector<float> near(64), right(64);
  matmul(1, 64, 576, 1, {x.data(), 576}, packed.matrix, right.data(), 64, Accumulate::kNo, exact);
  matmul(1, 64, 576, 1, {x.data(), 576}, packed.matrix, near.data(), 64, Accumulate::kNo, quick);
  double difference = 0, size = 0;
  for (int j = 0; j < 64; ++j) {
    difference += std::pow(double(near[j]) - right[j], 2);
    size += std::pow(double(right[j]), 2);
  }
  // Rounding to 1/127 of the largest of 32 numbers: a random error of about 0.3 %.
  CHECK(std::sqrt(difference / size) < 0.01);
  CHECK(difference > 0);
}

TEST_CASE("activations that are not finite show in every result of the quick way") {
  MatmulScratch scratch = MatmulScratch::make().take();
  REQUIRE(scratch.reserve_quick(64).ok());
  const std::vector<float> w = random_values(5 * 64, 7);
  for (const WeightType type : kTypes)
    for (const float bad : {kInfinity, -kInfinity, std::nanf("")}) {
      std::vector<float> x = random_values(64, 8), y(5);
      x[40] = bad;
      const Packed packed(w, 5, 64, type);
      matmul(1, 5, 64, 1, {x.data(), 64}, packed.matrix, y.data(), 5, Accumulate::kNo, scratch);
      for (const float value : y) CHECK(std::isnan(value));
    }
}

// Three threads that run in reverse order; counts the calls.
class LastFirst final : public Executor {
 public:
  void run(int count, void (*task)(void*, int), void* context) override {
    ++rounds;
    for (int i = count - 1; i >= 0; --i) task(context, i);
  }
  int threads() const override { return 3; }
  int rounds = 0;
};

TEST_CASE("products that are joined and shared have the bits of each alone") {
  MatmulScratch exact = MatmulScratch::make().take(), quick = MatmulScratch::make().take();
  REQUIRE(quick.reserve_quick(300).ok());
  for (const WeightType type :
       {WeightType::kInt8, WeightType::kInt4, WeightType::kF16, WeightType::kBF16})
    for (MatmulScratch* scratch : {&exact, &quick})
      for (const int m : {1, 3, 35, 70}) {
        CAPTURE(m);
        const int k = 300, rows[] = {403, 9, 118};
        const std::vector<float> a = random_values(m * k, 1);
        std::vector<Packed> packed;
        std::vector<std::vector<float>> alone, joined;
        for (const int n : rows) {
          packed.emplace_back(random_values(n * k, n), n, k, type);
          alone.emplace_back(m * n, 0.5f);
          joined.emplace_back(m * n, 0.5f);
          matmul(m, n, k, 2, {a.data(), k}, packed.back().matrix, alone.back().data(), n,
                 Accumulate::kYes, *scratch);
        }
        QuantisedProduct products[3];
        for (int i = 0; i < 3; ++i) products[i] = {packed[i].matrix, joined[i].data(), rows[i]};
        LastFirst threads;
        shared_threads() = &threads;
        matmul(m, k, 2, {a.data(), k}, products, Accumulate::kYes, *scratch);
        shared_threads() = nullptr;
        CHECK(joined == alone);
        const bool is_quick = is_integer(type) && scratch == &quick;
        if (kMayHaveThreads && (m < kFewRows || is_quick)) CHECK(threads.rounds >= 1);
      }
}

}  // namespace
}  // namespace wf
