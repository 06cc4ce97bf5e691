#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "contract/random_problem.h"

namespace wf::contract {
namespace {

using Table = std::vector<std::vector<reference::Row>>;  // [H][T][…]

// Tolerance between float32 and double for numbers of size 1.
constexpr double kTolerance = 4e-6;

std::vector<std::int32_t> indices(const std::vector<std::int32_t>& chosen, int all) {
  if (!chosen.empty()) return chosen;
  std::vector<std::int32_t> list(all);
  for (int i = 0; i < all; ++i) list[i] = i;
  return list;
}

// Returns the part of a table [H][T][S] that a recorder of the problem's region keeps.
std::vector<double> of_region(const RandomProblem& made, const Table& table) {
  const Sizes& sizes = made.problem->sizes();
  std::vector<double> kept;
  for (const int h : indices(made.heads, sizes.heads))
    for (const int t : indices(made.rows, sizes.queries))
      for (const int s : indices(made.columns, sizes.keys)) kept.push_back(table[h][t][s]);
  return kept;
}

class Differences {
 public:
  void compare(const char* what, const float* found, std::size_t count,
               const std::vector<double>& expected, double allowed) {
    if (count < expected.size()) return report(what, 0, static_cast<double>(count), -1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (found[i] == expected[i]) continue;  // infinities too
      const double difference = std::abs(found[i] - expected[i]) / allowed;
      // The comparison is written so that a NaN fails.
      if (!(difference <= 1)) return report(what, i, found[i], expected[i]);
      result_.largest = std::max(result_.largest, difference);
    }
  }
  void report(const char* what, std::size_t at, double found, double expected) {
    if (!result_.difference.empty()) return;
    std::ostringstream text;
    text << what << "[" << at << "] is " << found << "; expected is " << expected;
    result_.difference = text.str();
  }
  Comparison& result() { return result_; }

 private:
  Comparison result_;
};

// Returns a comparison that counts as refused if `status` is a typed error about positions. Any
// other error is reported as a difference.
Comparison refusal(const Status& status) {
  Comparison result;
  result.is_refused =
      status.code() == Code::kInvalidArgument && std::strstr(status.message(), "ositions");
  if (!result.is_refused) result.difference = std::string("refused: ") + status.message();
  return result;
}

double largest_of(const Table& table) {
  double most = 0;
  for (const auto& head : table)
    for (const auto& row : head)
      for (const double x : row) most = std::max(most, std::abs(x));
  return most;
}

std::vector<double> flat(const Table& table) {
  std::vector<double> list;
  for (const auto& head : table)
    for (const auto& row : head) list.insert(list.end(), row.begin(), row.end());
  return list;
}

// Returns the size of the numbers from which Swin v2 computes a logit, however small that logit is:
// cosines times a factor, and a bias from 0 to 16, the sigmoid of a sum over hundreds of hidden
// units. Returns 0 for other schemes.
double size_before_sums(const AttentionCase& problem) {
  if (!is_cosine(problem)) return 0;
  double most = 0;
  for (const float x : problem.parameters[0])
    most = std::max(most, std::min(std::exp(double(x)), 100.0));
  return most + 16;
}

// Returns what the keys of each row of a region leave to the sinks. Without sinks that is nothing,
// also in rows that see no key.
std::vector<double> nobody_of(const RandomProblem& made, const Table& weights) {
  const Sizes& sizes = made.problem->sizes();
  std::vector<double> shares;
  for (const int h : indices(made.heads, sizes.heads))
    for (const int t : indices(made.rows, sizes.queries)) {
      double share = made.problem->sinks.empty() ? 0 : 1;
      if (share)
        for (const double weight : weights[h][t]) share -= weight;
      shares.push_back(share);
    }
  return shares;
}

// Returns the sum of the terms in a recorder's region.
std::vector<float> sum_of_terms(const Recorder& recorder) {
  std::vector<float> sum(std::size_t(recorder.heads()) * recorder.rows() * recorder.columns());
  for (int t = 0; t < recorder.term_count(); ++t)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += recorder.term(t)[i];
  return sum;
}

}  // namespace

bool is_cosine(const AttentionCase& problem) {
  return std::strcmp(problem.entry().description->id, "swin") == 0 &&
         std::strcmp(problem.scheme().parameters()[0].name, "logit_scale") == 0;
}

Comparison compare_forward(RandomProblem& made) {
  AttentionCase& problem = *made.problem;
  const Sizes& sizes = problem.sizes();
  auto recorder = Recorder::make(kRecordWeights | kRecordLogits | kRecordMaskedLogits |
                                     kRecordTerms | kRecordPairs | kRecordNobody,
                                 made.region, problem.schemes(), sizes.heads, sizes.head_dim,
                                 sizes.queries, sizes.keys);
  if (!recorder.ok()) return refusal(recorder.status());
  const Status status = problem.forward(&recorder.value());
  if (!status.ok()) return refusal(status);
  const reference::TwinResult twin = problem.twin();
  const double size = 1 + largest_of(twin.logits) + size_before_sums(problem),
               allowed = kTolerance * size;
  Differences differences;
  differences.compare("output", problem.output.data(), problem.output.size(), flat(twin.output),
                      4 * allowed);
  for (std::size_t i = 0, row = 0; i < problem.output.size(); ++i, row = i / sizes.value_dim) {
    const auto& weights = twin.weights[row / sizes.queries][row % sizes.queries];
    const bool sees = std::any_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
    if (!sees && problem.output[i] != 0)
      differences.report("output of a row that sees nothing", i, problem.output[i], 0);
  }
  const Recorder& kept = recorder.value();
  const auto compare = [&](const char* what, const Buffer<float>& found, const Table& expected) {
    differences.compare(what, found.data(), found.size(), of_region(made, expected), allowed);
  };
  compare("logits", kept.logits(), twin.logits);
  compare("masked logits", kept.masked_logits(), twin.masked_logits);
  compare("weights", kept.weights(), twin.weights);
  differences.compare("nobody", kept.nobody().data(), kept.nobody().size(),
                      nobody_of(made, twin.weights), allowed);
  const std::vector<float> sum = sum_of_terms(kept);
  differences.compare("sum of the terms", sum.data(), sum.size(), of_region(made, twin.logits),
                      2 * allowed);
  // The output must be equal bit by bit with and without a recorder.
  const std::vector<float> watched = problem.output;
  if (!problem.forward().ok() || problem.output != watched)
    differences.report("output without a recorder", 0, 0, 0);
  return differences.result();
}

Comparison compare_backward(RandomProblem& made, std::uint64_t seed) {
  AttentionCase& problem = *made.problem;
  Random random(seed);
  const std::vector<float> probe = random_values(
      std::size_t(problem.sizes().heads) * problem.sizes().queries * problem.sizes().value_dim,
      seed);
  Status status = problem.forward();
  if (status.ok()) status = problem.backward(probe);
  if (!status.ok()) return refusal(status);
  Differences differences;
  const auto check = [&](const char* what, std::vector<float>& values,
                         const std::vector<float>& gradient) {
    const std::vector<float> before = values;
    std::vector<float> direction(values.size());
    double slope = 0, size = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      direction[i] = random.below(2) ? 0x1p-12f : -0x1p-12f;
      slope += double(direction[i]) * gradient[i] * 0x1p12;
      size += double(gradient[i]) * gradient[i];
    }
    double ends[2];
    for (int end = 0; end < 2; ++end) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = end ? before[i] - direction[i] : before[i] + direction[i];
      ends[end] = problem.twin_loss(probe);
    }
    values = before;
    const float found = static_cast<float>(slope);
    differences.compare(what, &found, 1, {(ends[0] - ends[1]) * 0x1p11},
                        2e-3 * (1 + std::sqrt(size)));
  };
  check("slope along q", problem.q, problem.d_q);
  check("slope along k", problem.k, problem.d_k);
  check("slope along v", problem.v, problem.d_v);
  if (!problem.states.empty())
    check("slope along the input of the layer", problem.states, problem.d_states);
  if (!problem.sinks.empty()) check("slope along the sinks", problem.sinks, problem.d_sinks);
  return differences.result();
}

}  // namespace wf::contract
