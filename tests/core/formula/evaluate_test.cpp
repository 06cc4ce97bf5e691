// Compares random formulas with a tree that computes the same values independently, and their
// gradients with the tree's finite differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "formula/evaluation.h"
#include "formula/parser.h"
#include "schemes/log_buckets.h"
#include "tensor/random.h"

namespace wf::formula {
namespace {

// ---- A second implementation: a tree that prints itself as a formula and computes its value.

struct Point {
  double i, j, head, logit;
  std::vector<double> slopes;  // [heads]
  double rate;
};

struct Tree {
  std::string text;
  std::function<double(const Point&)> value;
};

constexpr int kHeads = 4;

Tree leaf(Random& random) {
  switch (random.below(7)) {
    case 0:
      return {"i", [](const Point& at) { return at.i; }};
    case 1:
      return {"j", [](const Point& at) { return at.j; }};
    case 2:
      return {"r", [](const Point& at) { return at.j - at.i; }};
    case 3:
      return {"s", [](const Point& at) { return at.logit; }};
    case 4:
      return {"slopes[h]", [](const Point& at) { return at.slopes[static_cast<int>(at.head)]; }};
    case 5:
      return {"rate", [](const Point& at) { return at.rate; }};
    default: {
      const int quarters = static_cast<int>(random.below(13)) - 6;
      return {"(" + std::to_string(quarters) + " / 4)",
              [=](const Point&) { return quarters / 4.; }};
    }
  }
}

// Returns a formula that is smooth and moderate everywhere, so that finite differences are
// accurate.
Tree smooth(Random& random, int depth) {
  if (depth == 0) return leaf(random);
  const Tree a = smooth(random, depth - 1);
  const auto unary = [&](const char* before, auto value, const char* after = ")") {
    return Tree{before + a.text + after, [=](const Point& at) { return value(a.value(at)); }};
  };
  const std::uint32_t chosen = random.below(14);
  switch (chosen) {
    case 0:
      return unary("sin(", [](double x) { return std::sin(x); });
    case 1:
      return unary("cos(", [](double x) { return std::cos(x); });
    case 2:
      return unary("tanh(", [](double x) { return std::tanh(x); });
    case 3:
      return unary("sigmoid(", [](double x) { return 1 / (1 + std::exp(-x)); });
    case 4:
      return unary("softplus(", [](double x) {
        return x > 0 ? x + std::log(1 + std::exp(-x)) : std::log(1 + std::exp(x));
      });
    case 5:
      return unary("log1p((", [](double x) { return std::log(1 + x * x); }, ") ^ 2)");
    case 6:
      return unary("exp(-((", [](double x) { return std::exp(-x * x); }, ") ^ 2))");
    case 7:
      return unary("sqrt(1 + (", [](double x) { return std::sqrt(1 + x * x); }, ")^2)");
    case 8:
      return unary("-(", [](double x) { return -x; });
    default:
      break;
  }
  const Tree b = smooth(random, depth - 1);
  const auto binary = [&](const std::string& symbol, auto value) {
    return Tree{"(" + a.text + ")" + symbol + "(" + b.text + ")",
                [=](const Point& at) { return value(a.value(at), b.value(at)); }};
  };
  switch (chosen) {
    case 9:
      return binary("+", [](double x, double y) { return x + y; });
    case 10:
      return binary(" - ", [](double x, double y) { return x - y; });
    case 11:
      return binary(" * ", [](double x, double y) { return x * y; });
    case 12:
      return {"(" + a.text + ") / (2 + sin(" + b.text + "))",
              [=](const Point& at) { return a.value(at) / (2 + std::sin(b.value(at))); }};
    default: {
      const Tree c = smooth(random, depth - 1);
      return {"i >= j && h != 1 ? " + b.text + " : " + c.text, [=](const Point& at) {
                return at.i >= at.j && at.head != 1 ? b.value(at) : c.value(at);
              }};
    }
  }
}

const Parameter kParameters[] = {{.name = "slopes", .rank = 1, .shape = {kHeads, 1, 1}},
                                 {.name = "rate"}};

Scope scope_with_logit() {
  using enum Variable;
  return {.variables = bit_of(kQueryPosition) | bit_of(kKeyPosition) | bit_of(kDistance) |
                       bit_of(kHead) | bit_of(kLogit),
          .allows_sums = true,
          .parameters = kParameters};
}

// The input of one query and consecutive keys, one key in each lane.
struct Row {
  double i, head;
  std::vector<double> j, r, logit;
  std::vector<float> slopes, rate;
  std::vector<const float*> parameters;

  Row(Random& random, int count) : i(random.below(20)), head(random.below(kHeads)) {
    for (int lane = 0; lane < count; ++lane) {
      j.push_back(lane);
      r.push_back(lane - i);
      logit.push_back(random.normal());
    }
    for (int h = 0; h < kHeads; ++h) slopes.push_back(random.normal());
    rate.push_back(random.normal());
    parameters = {slopes.data(), rate.data()};
  }
  Inputs inputs() const {
    using enum Variable;
    Inputs result;
    const auto set = [&](Variable variable, const double* values) {
      result.variables[static_cast<int>(variable)] = values;
    };
    set(kQueryPosition, &i), set(kHead, &head);
    set(kKeyPosition, j.data()), set(kDistance, r.data()), set(kLogit, logit.data());
    result.by_lane = bit_of(kKeyPosition) | bit_of(kDistance) | bit_of(kLogit);
    result.parameters = parameters.data();
    return result;
  }
  Point point(int lane) const {
    return {i, j[lane], head, logit[lane], {slopes.begin(), slopes.end()}, rate[0]};
  }
};

Program compiled(const std::string& text, const Scope& scope) {
  Fault fault;
  auto program = compile("bias", text, scope, fault);
  REQUIRE_MESSAGE(program.ok(), text << ": " << program.status().message());
  return program.take();
}

TEST_CASE("random formulas have the values of a tree, and gradients of its differences") {
  const Scope scope = scope_with_logit();
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Tree tree = smooth(random, 1 + static_cast<int>(random.below(4)));
    CAPTURE(seed);
    CAPTURE(tree.text);
    Fault fault;
    auto program = compile("bias", tree.text, scope, fault);
    if (!program.ok()) {
      CHECK(fault.kind == FaultKind::kTooLarge);
      continue;
    }
    const int count = 1 + static_cast<int>(random.below(kMaxLanes));
    const Row row(random, count);
    std::vector<double> memory(2 * Evaluation::doubles(program.value(), kMaxLanes));
    Evaluation evaluation(program.value(), kParameters, kMaxLanes, memory.data());
    evaluation.forward(row.inputs(), count);
    double largest = 1;
    for (int lane = 0; lane < count; ++lane) {
      const double expected = tree.value(row.point(lane));
      largest = std::max(largest, std::abs(expected));
      // Double precision; both add in the same order.
      CHECK(std::abs(evaluation.result(lane) - expected) <= 1e-12 * (1 + std::abs(expected)));
    }

    std::vector<double> d_result, d_logit(count);
    for (int lane = 0; lane < count; ++lane) d_result.push_back(random.normal());
    std::vector<float> d_slopes(kHeads), d_rate(1);
    float* const gradients[] = {d_slopes.data(), d_rate.data()};
    evaluation.backward(row.inputs(), count, d_result.data(), gradients, d_logit.data(), nullptr);
    const auto slope = [&](auto move) {
      double difference = 0;
      for (int lane = 0; lane < count; ++lane) {
        Point up = row.point(lane), down = up;
        move(up, 1e-6, lane), move(down, -1e-6, lane);
        difference += d_result[lane] * (tree.value(up) - tree.value(down)) / 2e-6;
      }
      return difference;
    };
    // Central differences in double precision; gradients of parameters are float32.
    const auto is_close = [&](double gradient, double expected) {
      return std::abs(gradient - expected) <= 1e-5 * (largest + std::abs(expected)) * count;
    };
    for (int h = 0; h < kHeads; ++h)
      CHECK(is_close(d_slopes[h], slope([&](Point& at, double by, int) { at.slopes[h] += by; })));
    CHECK(is_close(d_rate[0], slope([](Point& at, double by, int) { at.rate += by; })));
    for (int lane = 0; lane < count; ++lane)
      CHECK(is_close(d_logit[lane], slope([&](Point& at, double by, int moved) {
                       if (moved == lane) at.logit += by;
                     })));
  }
}

double value_at(const std::string& text, double r) {
  const Scope scope = {.variables = bit_of(Variable::kDistance)};
  const Program program = compiled(text, scope);
  std::vector<double> memory(Evaluation::doubles(program, kMaxLanes));
  Evaluation evaluation(program, {}, kMaxLanes, memory.data());
  Inputs inputs;
  inputs.variables[static_cast<int>(Variable::kDistance)] = &r;
  evaluation.forward(inputs, 1);
  return evaluation.result(0);
}

TEST_CASE("logbucket is DeBERTa's bucket") {
  const LogBuckets buckets = LogBuckets::make(32, 128, false).take();
  for (int r = -127; r <= 127; ++r) CHECK(value_at("logbucket(r, 32, 128)", r) == buckets.of(r));
}

TEST_CASE("bucket is T5's bucket") {
  // Buckets of compute_bias in the authors' code at chosen distances: 16 exact buckets, then
  // logarithmic ones.
  const std::pair<int, int> causal[] = {{3, 0},    {0, 0},    {-1, 1},    {-15, 15},  {-16, 16},
                                        {-32, 21}, {-64, 26}, {-127, 31}, {-128, 31}, {-5000, 31}};
  for (const auto& [r, bucket] : causal) CHECK(value_at("bucket(r, 32, 128)", r) == bucket);
  const std::pair<int, int> two_sided[] = {{0, 0},  {-7, 7}, {-8, 8},  {-200, 15},
                                           {1, 17}, {7, 23}, {200, 31}};
  for (const auto& [r, bucket] : two_sided)
    CHECK(value_at("bucket(r, 32, 128, true)", r) == bucket);
}

TEST_CASE("a sum counts the visible keys from a key on, in any division into blocks") {
  const Scope scope = scope_with_logit();
  const Program program = compiled("cumsum(sigmoid(s) * slopes[h]) + rate * cumsum(1)", scope);
  REQUIRE(program.sums() == 2);
  constexpr int kKeys = 24;
  Random random(3);
  const Row row(random, kKeys);
  std::vector<double> visible(kKeys), weights;
  for (int j = 0; j < kKeys; ++j) visible[j] = j != 3 && j < 20, weights.push_back(random.normal());
  const auto expected = [&](int j, double moved_logit, int moved) {
    double gates = 0, keys = 0;
    for (int t = j; t < kKeys; ++t) {
      const double s = row.logit[t] + (t == moved ? moved_logit : 0);
      if (visible[t] != 0) gates += row.slopes[row.head] / (1 + std::exp(-s)), keys += 1;
    }
    return gates + row.rate[0] * keys;
  };
  for (const int block : {kKeys, 7, 1}) {
    CAPTURE(block);
    std::vector<double> memory(2 * Evaluation::doubles(program, kMaxLanes));
    Evaluation evaluation(program, kParameters, kMaxLanes, memory.data());
    const auto inputs_of = [&](int begin, const double* sums) {
      Inputs inputs = row.inputs();
      for (const Variable variable :
           {Variable::kKeyPosition, Variable::kDistance, Variable::kLogit})
        inputs.variables[static_cast<int>(variable)] += begin;
      inputs.visible = visible.data() + begin;
      inputs.sums = sums;
      return inputs;
    };
    // Forward from right to left; the sums before each block are kept for the backward pass.
    struct Block {
      int begin, count;
      std::vector<double> sums;
    };
    std::vector<Block> blocks;
    double carried[2] = {0, 0};
    for (int end = kKeys; end > 0; end -= std::min(block, end)) {
      const int begin = std::max(end - block, 0);
      blocks.push_back({begin, end - begin, {carried[0], carried[1]}});
      evaluation.forward(inputs_of(begin, carried), end - begin);
      for (int j = begin; j < end; ++j)
        CHECK(evaluation.result(j - begin) == doctest::Approx(expected(j, 0, -1)).epsilon(1e-12));
      evaluation.copy_sums(carried);
    }
    std::vector<double> d_logit(kKeys);
    std::vector<float> d_slopes(kHeads), d_rate(1);
    float* const gradients[] = {d_slopes.data(), d_rate.data()};
    double d_sums[2] = {0, 0};
    for (auto at = blocks.rbegin(); at != blocks.rend(); ++at) {
      const Inputs inputs = inputs_of(at->begin, at->sums.data());
      evaluation.forward(inputs, at->count);
      evaluation.backward(inputs, at->count, weights.data() + at->begin, gradients,
                          d_logit.data() + at->begin, d_sums);
    }
    for (int t = 0; t < kKeys; ++t) {
      double slope = 0;
      for (int j = 0; j < kKeys; ++j)
        slope += weights[j] * (expected(j, 1e-5, t) - expected(j, -1e-5, t)) / 2e-5;
      CHECK(d_logit[t] == doctest::Approx(slope).epsilon(1e-6));
    }
    double by_rate = 0;
    for (int j = 0; j < kKeys; ++j)
      by_rate += weights[j] * std::count(visible.begin() + j, visible.end(), 1.0);
    CHECK(d_rate[0] == doctest::Approx(by_rate).epsilon(1e-6));
  }
}

TEST_CASE("NaN is traced to the operation in which it arises") {
  const Scope scope = scope_with_logit();
  const auto source = [&](const std::string& text) -> std::string {
    const Program program = compiled(text, scope);
    Random random(1);
    Row row(random, 4);
    row.i = 2, row.head = 1, row.r = {-2, -1, 0, 1};
    std::vector<double> memory(Evaluation::doubles(program, kMaxLanes));
    Evaluation evaluation(program, kParameters, kMaxLanes, memory.data());
    evaluation.forward(row.inputs(), 4);
    const int node = evaluation.source_of_nan(0);
    if (node < 0) return "";
    const Node& found = program.nodes()[node];
    return text.substr(found.begin, found.end - found.begin);
  };
  CHECK(source("1 + 2 * log(r + 1)") == "log(r + 1)");
  CHECK(source("sqrt(r) + log(r)") == "sqrt(r)");
  CHECK(source("slopes[h + 3] * r") == "slopes[h + 3]");
  CHECK(source("slopes[h / 2]") == "slopes[h / 2]");
  CHECK(source("r < 0 ? 1 : log(r)") == "");
  CHECK(source("r < 0 ? log(r) : 1") == "log(r)");
  CHECK(source("0 * log(0) + r") == "0 * log(0)");
  CHECK(source("log(0) + r") == "");
}

TEST_CASE("text that is changed at random gives a formula or a fault within the text") {
  const Scope scope = scope_with_logit();
  const std::string formulas[] = {
      "-2^(-8*(h+1)/8) * abs(r)",
      "let x = slopes[h] * log1p(rate * abs(r)); i >= j ? -x : clip(s, -1, 1e3)",
      "cumsum(sigmoid(s)) % 3 - bucket(r, 32, 128, true) / 2",
  };
  const std::string alphabet = "0123456789.eE+-*/%^<>=!&|?:()[],; ijrhsnlxab_#\n\xc3\x97\0";
  Random random(7);
  int compiled_count = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = formulas[random.below(3)];
    for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(text.size() + 1));
      const char c = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
      switch (random.below(3)) {
        case 0:
          text.insert(at, 1, c);
          break;
        case 1:
          if (at < text.size()) text.erase(at, 1);
          break;
        default:
          if (at < text.size()) text[at] = c;
      }
    }
    Fault fault;
    auto program = compile("bias", text, scope, fault);
    if (!program.ok()) {
      ++refused;
      REQUIRE(fault.kind != FaultKind::kNone);
      REQUIRE(fault.begin <= fault.end);
      REQUIRE(fault.end <= static_cast<int>(text.size()));
      continue;
    }
    ++compiled_count;
    const Row row(random, 5);
    const std::vector<double> visible(5, 1), sums(kMaxSums, 0);
    Inputs inputs = row.inputs();
    inputs.visible = visible.data(), inputs.sums = sums.data();
    std::vector<double> memory(2 * Evaluation::doubles(program.value(), kMaxLanes)), d_logit(5),
        d_sums(kMaxSums);
    std::vector<float> d_slopes(kHeads), d_rate(1);
    float* const gradients[] = {d_slopes.data(), d_rate.data()};
    Evaluation evaluation(program.value(), kParameters, kMaxLanes, memory.data());
    evaluation.forward(inputs, 5);
    evaluation.backward(inputs, 5, visible.data(), gradients, d_logit.data(), d_sums.data());
  }
  CHECK(compiled_count > 200);
  CHECK(refused > 400);
}

}  // namespace
}  // namespace wf::formula
