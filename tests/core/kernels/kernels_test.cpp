#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/activation.h"
#include "kernels/adamw.h"
#include "kernels/cross_entropy.h"
#include "kernels/matmul.h"
#include "kernels/norm.h"
#include "kernels/simd.h"
#include "kernels/softmax.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using contract::random_values;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

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
        CHECK(most < 4e-5);  // twice the bound above, where sums are halved
      }
}

TEST_CASE("an empty inner dimension gives zeros, or leaves what was there") {
  MatmulScratch scratch = MatmulScratch::make().take();
  std::vector<float> c(20, 3.0f);
  matmul(4, 5, 0, 1, {nullptr, 0, 1}, {nullptr, 0, 1}, c.data(), 5, Accumulate::kYes, scratch);
  CHECK(c[7] == 3);
  matmul(4, 5, 0, 1, {nullptr, 0, 1}, {nullptr, 0, 1}, c.data(), 5, Accumulate::kNo, scratch);
  for (float x : c) CHECK(x == 0);
}

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

// Central difference of `loss` by values[i].
template <class Loss>
double slope(std::vector<float>& values, std::size_t i, Loss loss) {
  const float kept = values[i], step = 0x1p-8f;
  values[i] = kept + step;
  const double up = loss();
  values[i] = kept - step;
  const double down = loss();
  values[i] = kept;
  return (up - down) / (2.0 * step);
}

TEST_CASE("rms norm has unit mean square, and its gradient is the slope") {
  for (const int width : {3, 8, 21}) {
    std::vector<float> x = random_values(2 * width, 3), weight = random_values(width, 4);
    const std::vector<float> probe = random_values(2 * width, 5);
    std::vector<float> y(2 * width), inverse(2), dx(2 * width, 0), dw(width, 0);
    const Matrix out = {y.data(), 2, width, width};
    const auto view = [&](const std::vector<float>& m) {
      return ConstMatrix{m.data(), 2, width, width};
    };
    const auto loss = [&] {
      double sum = 0;
      for (int t = 0; t < 2; ++t) {
        double square = 0;
        for (int c = 0; c < width; ++c) square += double(x[t * width + c]) * x[t * width + c];
        const double r = 1 / std::sqrt(square / width + 1e-5);
        for (int c = 0; c < width; ++c)
          sum += probe[t * width + c] * x[t * width + c] * r * weight[c];
      }
      return sum;
    };
    rms_norm(view(x), weight.data(), 1e-5f, out, inverse.data());
    double direct = 0;
    for (int i = 0; i < 2 * width; ++i) direct += double(y[i]) * probe[i];
    CHECK(std::abs(direct - loss()) < 1e-5);
    rms_norm_backward(view(x), weight.data(), inverse.data(), view(probe),
                      {dx.data(), 2, width, width}, dw.data());
    for (int i = 0; i < 2 * width; ++i) CHECK(std::abs(dx[i] - slope(x, i, loss)) < 2e-4);
    for (int i = 0; i < width; ++i) CHECK(std::abs(dw[i] - slope(weight, i, loss)) < 2e-4);
  }
}

TEST_CASE("swiglu is gate · sigmoid(gate) · up, and its gradient is the slope") {
  for (const std::size_t count : {1, 7, 16, 29}) {
    std::vector<float> gate = random_values(count, 6, 2), up = random_values(count, 7);
    const std::vector<float> probe = random_values(count, 8);
    std::vector<float> y(count), dg(count), du(count);
    swiglu(gate.data(), up.data(), count, y.data());
    swiglu_backward(gate.data(), up.data(), probe.data(), count, dg.data(), du.data());
    for (std::size_t i = 0; i < count; ++i) {
      const auto loss = [&] {
        return probe[i] * double(gate[i]) / (1 + std::exp(-double(gate[i]))) * up[i];
      };
      CHECK(std::abs(y[i] * probe[i] - loss()) < 2e-6);
      CHECK(std::abs(dg[i] - slope(gate, i, loss)) < 1e-4);
      CHECK(std::abs(du[i] - slope(up, i, loss)) < 1e-4);
    }
  }
  const float extreme[2] = {-1000, 1000}, one[2] = {1, 1};
  float y[2];
  swiglu(extreme, one, 2, y);
  CHECK(std::abs(y[0]) < 1e-30);
  CHECK(y[1] == 1000);
}

TEST_CASE("cross-entropy and its gradient, with an ignored target") {
  const int vocabulary = 11;
  std::vector<float> logits = random_values(3 * vocabulary, 9, 2);
  const std::int32_t targets[3] = {4, -1, 10};
  std::vector<float> gradient = logits, loss(3), alone(3);
  cross_entropy({logits.data(), 3, vocabulary, vocabulary}, targets, alone.data());
  cross_entropy_with_gradient({gradient.data(), 3, vocabulary, vocabulary}, targets, 0.5f,
                              loss.data());
  for (int t = 0; t < 3; ++t) {
    CHECK(std::abs(loss[t] - alone[t]) < 1e-6);
    double total = 0;
    for (int v = 0; v < vocabulary; ++v) total += std::exp(double(logits[t * vocabulary + v]));
    for (int v = 0; v < vocabulary; ++v) {
      const double p = std::exp(double(logits[t * vocabulary + v])) / total;
      const double expected = targets[t] < 0 ? 0 : 0.5 * (p - (v == targets[t]));
      CHECK(std::abs(gradient[t * vocabulary + v] - expected) < 1e-6);
    }
    if (targets[t] >= 0)
      CHECK(std::abs(loss[t] - (std::log(total) - logits[t * vocabulary + targets[t]])) < 1e-5);
  }
  CHECK(loss[1] == 0);
}

TEST_CASE("five AdamW steps with clipping equal PyTorch's") {
  const nlohmann::json file = reference::golden("adamw.json");
  struct Group {
    const char* name;
    std::vector<float> values, first, second;
  };
  std::vector<Group> groups;
  for (const char* name : {"decayed", "plain"}) {
    const std::vector<float> initial = reference::floats(file["initial"][name]);
    groups.push_back(
        {name, initial, std::vector<float>(initial.size()), std::vector<float>(initial.size())});
  }
  int number = 0;
  for (const auto& step : file["steps"]) {
    ++number;
    double squares = 0;
    for (const Group& group : groups) {
      const std::vector<float> gradient = reference::floats(step["gradients"][group.name]);
      squares += sum_of_squares(gradient.data(), gradient.size());
    }
    const double norm = std::sqrt(squares);
    reference::check_golden("adamw.json", "normBeforeClipping",
                            std::abs(norm - step["normBeforeClipping"].get<double>()));
    for (Group& group : groups) {
      const std::vector<float> gradient = reference::floats(step["gradients"][group.name]);
      // clip_grad_norm_ divides by norm + 1e-6.
      adamw({.learning_rate = step["learningRate"].get<float>(),
             .beta1 = file["betas"][0].get<float>(),
             .beta2 = file["betas"][1].get<float>(),
             .epsilon = file["eps"].get<float>(),
             .weight_decay = file["weightDecay"][group.name].get<float>(),
             .gradient_scale =
                 static_cast<float>(std::min(1.0, file["clipNorm"].get<double>() / (norm + 1e-6))),
             .step = number},
            group.values.size(), group.values.data(), gradient.data(), group.first.data(),
            group.second.data());
      reference::check_golden("adamw.json", "parameters",
                              contract::largest_difference(
                                  group.values, reference::floats(step["parameters"][group.name])));
    }
  }
  CHECK(number == 5);
}

}  // namespace
}  // namespace wf
