// Random formulas as a scheme: tiles and decoding against a plain attention in double precision
// with the formulas' trees, gradients against its finite differences, and mutated texts.
#include "random_formula.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "attention_case.h"
#include "decoding.h"
#include "formula/parser.h"
#include "schemes/formula.h"

namespace wf::contract {
namespace {

bool is_long() { return std::getenv("WF_LONG") != nullptr; }

struct Formulas {
  RandomFormula bias, angle, query_scale;
  bool has_angle = false, has_scale = false;
};

using Doubles = std::vector<std::vector<double>>;

Doubles as_doubles(const std::vector<std::vector<float>>& lists) {
  Doubles result;
  for (const auto& list : lists) result.emplace_back(list.begin(), list.end());
  return result;
}

// The problem's numbers in double precision.
struct Numbers {
  Doubles qkv, parameters;
};

// A head's row of q or k, scaled and rotated.
std::vector<double> transformed(const Formulas& formulas, const Numbers& numbers,
                                const std::vector<double>& x, int row, int width, int head,
                                double position, bool is_query) {
  std::vector<double> values(x.begin() + row * width, x.begin() + (row + 1) * width);
  FormulaPoint at = {.i = position, .head = double(head), .parameters = &numbers.parameters};
  for (int c = 0; c < width && is_query && formulas.has_scale; ++c) {
    at.channel = c;
    values[c] *= formulas.query_scale.value(at);
  }
  for (int k = 0; k < width / 2 && formulas.has_angle; ++k) {
    at.pair = k;
    const double angle = formulas.angle.value(at);
    double &a = values[k], &b = values[k + width / 2];
    const double old = a;
    a = old * std::cos(angle) - b * std::sin(angle);
    b = old * std::sin(angle) + b * std::cos(angle);
  }
  return values;
}

// The causal attention [H,T,Dv] of two heads with one head of keys and values.
std::vector<double> plain_attention(const AttentionCase& problem, const Formulas& formulas,
                                    const Numbers& numbers) {
  const Sizes& sizes = problem.sizes();
  const int width = sizes.head_dim, rows = sizes.queries;
  std::vector<double> output;
  for (int h = 0; h < sizes.heads; ++h)
    for (int i = 0; i < rows; ++i) {
      const double query = problem.query_positions[i];
      const auto q =
          transformed(formulas, numbers, numbers.qkv[0], h * rows + i, width, h, query, true);
      std::vector<double> weights;
      double largest = -INFINITY, total = 0;
      for (int j = 0; j <= i; ++j) {
        const double key = problem.key_positions[j];
        const auto k = transformed(formulas, numbers, numbers.qkv[1], j, width, 0, key, false);
        double logit = 0;
        for (int c = 0; c < width; ++c) logit += q[c] * k[c] / std::sqrt(double(width));
        logit += formulas.bias.value({.i = query,
                                      .j = key,
                                      .head = double(h),
                                      .logit = logit,
                                      .parameters = &numbers.parameters});
        weights.push_back(logit);
        largest = std::max(largest, logit);
      }
      for (double& weight : weights) total += weight = std::exp(weight - largest);
      for (int c = 0; c < sizes.value_dim; ++c) {
        double sum = 0;
        for (int j = 0; j <= i; ++j) sum += weights[j] * numbers.qkv[2][j * sizes.value_dim + c];
        output.push_back(sum / total);
      }
    }
  return output;
}

struct Trial {
  Formulas formulas;
  std::string texts;
  std::unique_ptr<AttentionCase> problem;
};

Trial random_trial(std::uint64_t seed, const Sizes& sizes) {
  Random random(seed);
  Trial trial;
  Formulas& formulas = trial.formulas;
  const bool reads_content = random.below(2) == 0;
  formulas.bias =
      random_formula(random, reads_content ? FormulaSlot::kContentBias : FormulaSlot::kBias, 3);
  formulas.has_angle = random.below(3) == 0;
  formulas.has_scale = random.below(3) == 0;
  formulas.angle = random_formula(random, FormulaSlot::kAngle, 2);
  formulas.query_scale = random_formula(random, FormulaSlot::kQueryScale, 2);
  const SchemeEntry& entry = formula_entry;
  OptionValues options = default_options(*entry.description);
  const auto set = [&](const char* key, const std::string& text) {
    const std::vector<double> bytes(text.begin(), text.end());
    REQUIRE(set_option(*entry.description, options, key, bytes).ok());
    trial.texts += std::string(key) + ": " + text + "\n";
  };
  set("bias", formulas.bias.text);
  if (formulas.has_angle) set("angle", formulas.angle.text);
  if (formulas.has_scale) set("queryScale", formulas.query_scale.text);
  set("parameters", kFormulaParameters);
  trial.problem = std::make_unique<AttentionCase>(entry, options, sizes, true, seed);
  return trial;
}

Numbers numbers_of(const AttentionCase& problem) {
  return {as_doubles({problem.q, problem.k, problem.v}), as_doubles(problem.parameters)};
}

double largest_difference(const std::vector<float>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    most = difference <= most ? most : difference;
  }
  return most;
}

TEST_CASE("random formulas equal a plain attention, whole and while decoding") {
  for (int seed = 1; seed <= (is_long() ? 400 : 120); ++seed) {
    CAPTURE(seed);
    const bool is_large = seed % 10 == 0;
    const int length = is_large ? kTileKeys + 5 : 9;
    Trial trial = random_trial(seed, {.heads = 2,
                                      .kv_heads = 1,
                                      .head_dim = 4,
                                      .value_dim = 3,
                                      .queries = length,
                                      .keys = length});
    CAPTURE(trial.texts);
    AttentionCase& problem = *trial.problem;
    const Status status = problem.forward();
    REQUIRE_MESSAGE(status.ok(), status.message());
    const Numbers numbers = numbers_of(problem);
    CHECK(largest_difference(problem.output, plain_attention(problem, trial.formulas, numbers)) <
          2e-5);
    if (!is_large) CHECK(decode_differs(problem, {4, 1, 1, 3}) < 4e-6);
  }
}

TEST_CASE("gradients of random formulas equal finite differences") {
  for (int seed = 1; seed <= (is_long() ? 400 : 80); ++seed) {
    CAPTURE(seed);
    Trial trial = random_trial(
        seed, {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 6, .keys = 6});
    CAPTURE(trial.texts);
    AttentionCase& problem = *trial.problem;
    const std::vector<float> probe = random_values(2 * 6 * 3, seed + 5);
    REQUIRE(problem.forward().ok());
    REQUIRE(problem.backward(probe).ok());
    Numbers numbers = numbers_of(problem);
    const auto loss = [&] {
      const std::vector<double> output = plain_attention(problem, trial.formulas, numbers);
      double sum = 0;
      for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * probe[i];
      return sum;
    };
    const auto check = [&](std::vector<double>& values, const std::vector<float>& gradient) {
      REQUIRE(values.size() == gradient.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double kept = values[i], step = 1e-5;
        values[i] = kept + step;
        const double up = loss();
        values[i] = kept - step;
        const double down = loss();
        values[i] = kept;
        const double wanted = (up - down) / (2 * step);
        CHECK(std::abs(gradient[i] - wanted) < 2e-5 * (1 + std::abs(wanted)));
      }
    };
    check(numbers.qkv[0], problem.d_q);
    check(numbers.qkv[1], problem.d_k);
    check(numbers.qkv[2], problem.d_v);
    for (std::size_t p = 0; p < numbers.parameters.size(); ++p)
      check(numbers.parameters[p], problem.d_parameters[p]);
  }
}

TEST_CASE("changed texts are compiled, or refused at a place within them") {
  const formula::Parameter parameters[] = {
      {.name = "a", .rank = 1, .shape = {2, 1, 1}}, {.name = "b"}, {"t", 2, {2, 8, 1}}};
  const formula::Scope scope = {.variables = (1u << formula::kVariables) - 1,
                                .allows_sums = true,
                                .sizes = {2, 4, 8, 0},
                                .parameters = parameters};
  Random random(7);
  int refused = 0;
  const int count = is_long() ? 1000000 : 20000;
  for (int trial = 0; trial < count; ++trial) {
    const RandomFormula made =
        random_formula(random, FormulaSlot::kContentBias, static_cast<int>(random.below(4)));
    const std::string text = mutated(random, made.text);
    formula::Fault fault;
    const Result<formula::Program> program = formula::compile("bias", text, scope, fault);
    if (program.ok()) {
      CHECK(program.value().nodes().size() <= formula::kMaxNodes);
      continue;
    }
    ++refused;
    CAPTURE(text);
    REQUIRE(fault.kind != formula::FaultKind::kNone);
    REQUIRE(0 <= fault.begin);
    REQUIRE(fault.begin <= fault.end);
    REQUIRE(fault.end <= static_cast<int>(text.size()));
    REQUIRE(std::string(program.status().message()).find("(expected ") != std::string::npos);
  }
  CHECK(refused > count / 4);
}

}  // namespace
}  // namespace wf::contract
