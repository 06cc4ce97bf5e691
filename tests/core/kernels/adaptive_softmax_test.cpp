#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/adaptive_softmax.h"

namespace wf {
namespace {

using contract::random_values;

constexpr int kTokens = 19;
const std::vector<int> kCutoffs = {5, 6, 13};

// A second implementation of the formula: a softmax over [0, 5) and the clusters, and one within
// each cluster.
std::vector<double> twin(const std::vector<double>& tokens, const std::vector<double>& clusters) {
  double of_head = 0;
  for (int j = 0; j < kCutoffs[0]; ++j) of_head += std::exp(tokens[j]);
  for (const double cluster : clusters) of_head += std::exp(cluster);
  std::vector<double> result(kTokens);
  for (int j = 0; j < kTokens; ++j) {
    int cluster = -1;
    while (cluster + 1 < int(kCutoffs.size()) && kCutoffs[cluster + 1] <= j) ++cluster;
    double p = std::exp(cluster < 0 ? tokens[j] : clusters[cluster]) / of_head;
    if (cluster >= 0) {
      const int end = cluster + 1 < int(kCutoffs.size()) ? kCutoffs[cluster + 1] : kTokens;
      double of_cluster = 0;
      for (int i = kCutoffs[cluster]; i < end; ++i) of_cluster += std::exp(tokens[i]);
      p *= std::exp(tokens[j]) / of_cluster;
    }
    result[j] = std::log(p);
  }
  return result;
}

TEST_CASE("adaptive softmax: log-probabilities and their gradient, for tokens of every cluster") {
  const std::vector<float> tokens = random_values(kTokens, 3, 2);
  const std::vector<float> clusters = random_values(3, 4, 2);
  const std::vector<double> x(tokens.begin(), tokens.end()), c(clusters.begin(), clusters.end());
  const std::vector<double> expected = twin(x, c);
  std::vector<float> scores = tokens, of_clusters = clusters;
  adaptive_log_softmax(scores.data(), kTokens, kCutoffs, of_clusters.data());
  double total = 0;
  for (int j = 0; j < kTokens; ++j) {
    CHECK(std::abs(scores[j] - expected[j]) < 1e-5);
    total += std::exp(double(scores[j]));
  }
  CHECK(std::abs(total - 1) < 1e-5);
  for (const int target : {0, 4, 5, 6, 12, 13, 18}) {
    std::vector<float> gradient = scores, of_cluster(3);
    adaptive_log_softmax_backward(gradient.data(), kTokens, kCutoffs, target, 0.5f,
                                  of_cluster.data());
    for (int j = 0; j < kTokens; ++j) {
      std::vector<double> above = x, below = x;
      above[j] += 1e-5;
      below[j] -= 1e-5;
      const double by_hand = -0.5 * (twin(above, c)[target] - twin(below, c)[target]) / 2e-5;
      CHECK(std::abs(gradient[j] - by_hand) < 1e-5);
    }
    for (int i = 0; i < 3; ++i) {
      std::vector<double> above = c, below = c;
      above[i] += 1e-5;
      below[i] -= 1e-5;
      const double by_hand = -0.5 * (twin(x, above)[target] - twin(x, below)[target]) / 2e-5;
      CHECK(std::abs(of_cluster[i] - by_hand) < 1e-5);
    }
  }
}

TEST_CASE("adaptive softmax: far scores stay finite, and an ignored target has no gradient") {
  std::vector<float> scores(kTokens, -300), clusters = {200, -200, 0};
  scores[18] = 250;
  adaptive_log_softmax(scores.data(), kTokens, kCutoffs, clusters.data());
  for (const float score : scores) CHECK(std::isfinite(score));
  std::vector<float> d_clusters(3, 1);
  std::vector<float> ignored = scores;
  adaptive_log_softmax_backward(ignored.data(), kTokens, kCutoffs, -1, 1, d_clusters.data());
  for (const float d : ignored) CHECK(d == 0);
  for (const float d : d_clusters) CHECK(d == 0);
  adaptive_log_softmax_backward(scores.data(), kTokens, kCutoffs, 7, 1, d_clusters.data());
  for (const float d : scores) CHECK(std::isfinite(d));
  for (const float d : d_clusters) CHECK(std::isfinite(d));
}

}  // namespace
}  // namespace wf
