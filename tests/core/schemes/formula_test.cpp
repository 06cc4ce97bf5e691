#include "schemes/formula.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "contract/attention_case.h"
#include "contract/decoding.h"
#include "contract/embedding_case.h"
#include "contract/finite_differences.h"

namespace wf {

namespace {

// Without formulas the scheme has no effect.
const reference::RegisteredTwin twin("formula", {});

using Texts = std::map<std::string, std::string>;

OptionValues options_of(const SchemeEntry& entry, const Texts& texts) {
  OptionValues options = default_options(*entry.description);
  for (const auto& [key, text] : texts) {
    if (key == "pairing") {
      REQUIRE(set_option(*entry.description, options, "pairing", 0, text.c_str()).ok());
      continue;
    }
    std::vector<double> bytes;
    for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
    REQUIRE(set_option(*entry.description, options, key.c_str(), bytes).ok());
  }
  return options;
}

contract::AttentionCase formula_case(const Texts& texts, const contract::Sizes& sizes,
                                     bool is_causal, std::uint64_t seed) {
  const SchemeEntry& entry = formula_entry;
  return contract::AttentionCase(entry, options_of(entry, texts), sizes, is_causal, seed);
}

Status make_status(const Texts& texts,
                   const SchemeShape& shape = {.num_heads = 4, .num_kv_heads = 4, .head_dim = 8}) {
  const SchemeEntry& entry = formula_entry;
  const auto made = make_scheme(entry, shape, options_of(entry, texts));
  return made.ok() ? Status() : made.status();
}

// ---- Known schemes, as formulas and built in

struct Classic {
  const char* scheme;
  std::map<std::string, double> options;
  Texts texts;
  double tolerance = 1e-6;  // for outputs and gradients of size 1
};

const Classic kClassics[] = {
    {"nope", {}, {}, 0},
    {"nope",
     {{"temperatureScale", .1}, {"temperatureFloor", 3}},
     {{"queryScale", "1 + 0.1 * log(1 + floor((max(i, 0) + 1) / 3))"}}},
    {"alibi", {}, {{"bias", "-2^(-8*(h+1)/H) * abs(r)"}}},
    {"alibi", {{"form", 1}}, {{"bias", "2^(-8*(h+1)/H) * r"}}},
    {"alibi", {{"scaledBias", 1}}, {{"bias", "-2^(-8*(h+1)/H) * abs(r) / sqrt(D)"}}},
    {"kerple",
     {},
     {{"terms", "kernel: -p[h] * log(1 + a[h] * abs(r))"},
      {"parameters", "positive p[H] = 1; positive a[H] = 1"}}},
    {"kerple",
     {{"kernel", 1}},
     {{"bias", "r == 0 ? 0 : -a[h] * abs(r)^p[h]"}, {"parameters", "p[H]; a[H]"}},
     4e-6},
    {"t5",
     {},
     {{"bias", "t[bucket(r, 32, 128), h]"}, {"parameters", "t[32, H]"}, {"logitScale", "1"}},
     2e-6},
    {"t5",
     {{"bidirectional", 1}, {"scaled", 1}, {"numBuckets", 8}, {"maxDistance", 16}},
     {{"bias", "t[bucket(r, 8, 16, true), h]"}, {"parameters", "t[8, H]"}}},
    {"rope", {}, {{"frequency", "10000^(-2*k/D)"}}},
    {"rope",
     {{"interleaved", 1}, {"ropeTheta", 500}},
     {{"frequency", "500^(-2*k/D)"}, {"pairing", "interleaved"}}},
    {"rope", {}, {{"angle", "i * 10000^(-2*k/D)"}}},
    {"rope",
     {{"partialRotaryFactor", .5}, {"interleaved", 1}},
     {{"angle", "k < D/4 ? i * 10000^(-4*k/D) : 0"}, {"pairing", "interleaved"}}},
};

OptionValues built_in_options(const SchemeEntry& entry, const Classic& classic) {
  OptionValues options = default_options(*entry.description);
  for (const auto& [key, value] : classic.options) {
    int index = 0;
    while (std::string(entry.description->options[index].key) != key) ++index;
    REQUIRE(set_option(*entry.description, options, index, {&value, 1}).ok());
  }
  return options;
}

TEST_CASE("the classics written as formulas equal the built-in schemes") {
  for (const Classic& classic : kClassics) {
    CAPTURE(classic.scheme);
    CAPTURE(classic.texts);
    const SchemeEntry& entry = *find_scheme(classic.scheme).value();
    for (const bool is_causal : {true, false})
      for (const int length : {9, contract::kPastTile}) {
        CAPTURE(length);
        const contract::Sizes sizes = {.queries = length, .keys = length};
        contract::AttentionCase built_in(entry, built_in_options(entry, classic), sizes, is_causal,
                                         31);
        contract::AttentionCase written = formula_case(classic.texts, sizes, is_causal, 31);
        REQUIRE(written.parameters.size() == built_in.parameters.size());
        for (std::size_t p = 0; p < written.parameters.size(); ++p)
          written.parameters[p] = built_in.parameters[p];
        written.q = built_in.q, written.k = built_in.k, written.v = built_in.v;
        const std::vector<float> probe = contract::random_values(built_in.q.size() / 8 * 6, 5);
        REQUIRE(built_in.forward().ok());
        REQUIRE(written.forward().ok());
        CHECK(contract::largest_difference(built_in.output, written.output) <= classic.tolerance);
        REQUIRE(built_in.backward(probe).ok());
        REQUIRE(written.backward(probe).ok());
        const auto difference = [](const std::vector<float>& a, const std::vector<float>& b) {
          double size = 1;
          for (const float x : a) size = std::max<double>(size, std::abs(x));
          return contract::largest_difference(a, b) / size;
        };
        CHECK(difference(built_in.d_q, written.d_q) <= classic.tolerance);
        CHECK(difference(built_in.d_k, written.d_k) <= classic.tolerance);
        CHECK(difference(built_in.d_v, written.d_v) <= classic.tolerance);
        for (std::size_t p = 0; p < written.parameters.size(); ++p)
          CHECK(difference(built_in.d_parameters[p], written.d_parameters[p]) <= 2e-5);
        if (is_causal && length == 9) CHECK(contract::decode_differs(written, {4, 1, 1, 3}) < 2e-6);
      }
  }
}

// ---- Gradients of formulas that no built-in scheme has

// Returns the largest difference from central differences of Σ output · probe, computed in float32.
double gradient_difference(contract::AttentionCase& problem, std::vector<float>& values,
                           const std::vector<float>& gradient, const std::vector<float>& probe) {
  constexpr float kStep = 0x1p-7f;
  double most = 0;
  const auto loss = [&] {
    REQUIRE(problem.forward().ok());
    double sum = 0;
    for (std::size_t i = 0; i < probe.size(); ++i) sum += double(problem.output[i]) * probe[i];
    return sum;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float kept = values[i];
    values[i] = kept + kStep;
    const double up = loss();
    values[i] = kept - kStep;
    const double down = loss();
    values[i] = kept;
    most = std::max(most, std::abs((up - down) / (2 * kStep) - gradient[i]));
  }
  return most;
}

TEST_CASE("gradients of formulas equal finite differences, also through the logit and sums") {
  const Texts cases[] = {
      {{"bias", "-a[h] * log1p(abs(r)) * sigmoid(s)"}, {"parameters", "a[H]"}},
      {{"bias", "tanh(s * w) - 0.1 * cumsum(sigmoid(s)) * a[h]"}, {"parameters", "w; a[H]"}},
      {{"terms", "near: a[h] / (1 + abs(r))\nfar: b * (i + 1) / (j + 2)"},
       {"parameters", "a[H]; b"}},
      {{"frequency", "w[k]"}, {"parameters", "w[D/2]"}},
      {{"angle", "i * w[h, k]"}, {"parameters", "w[H, D/2]"}, {"pairing", "interleaved"}},
      {{"queryScale", "1 + g[h] * log1p(i)"}, {"parameters", "g[H]"}},
      {{"keyScale", "exp(-j * g[c] / 20)"}, {"parameters", "g[D]"}},
      {{"queryScale", "1 + g * i / 10"}, {"frequency", "w[k]"}, {"parameters", "g; w[D/2]"}},
  };
  for (const Texts& texts : cases) {
    CAPTURE(texts);
    contract::AttentionCase problem = formula_case(
        texts, {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 5, .keys = 5},
        true, 4);
    const std::vector<float> probe = contract::random_values(2 * 5 * 3, 5);
    REQUIRE(problem.forward().ok());
    REQUIRE(problem.backward(probe).ok());
    // Central differences with steps of 1/128, of outputs in float32.
    CHECK(gradient_difference(problem, problem.q, problem.d_q, probe) < 2e-3);
    CHECK(gradient_difference(problem, problem.k, problem.d_k, probe) < 2e-3);
    for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
      CAPTURE(p);
      CHECK(gradient_difference(problem, problem.parameters[p], problem.d_parameters[p], probe) <
            2e-3);
    }
  }
}

TEST_CASE("decoding equals prefill, for sums and for angles that follow the length") {
  const Texts cases[] = {
      {{"bias", "-0.3 * cumsum(sigmoid(s)) + cumsum(1) / 10"}},
      {{"terms", "gates: -cumsum(sigmoid(s)) / 4\nslope: -abs(r) / 8"}},
      {{"frequency", "(10000 * max(1, n / 4))^(-2*k/D)"}},
      {{"bias", "r < -4 ? -inf : 0"}},
  };
  for (const Texts& texts : cases) {
    CAPTURE(texts);
    contract::AttentionCase problem = formula_case(texts, {}, true, 6);
    REQUIRE(problem.forward().ok());
    CHECK(contract::decode_differs(problem, {3, 1, 1, 4}) < 2e-6);
  }
}

TEST_CASE("the recorder has the terms under their names, and they sum to the logit") {
  contract::AttentionCase problem = formula_case(
      {{"terms", "gate: tanh(s)\nslope: -abs(r) / 4"}, {"frequency", "1 / (k + 1)"}}, {}, true, 8);
  auto recorder = Recorder::make(kRecordTerms | kRecordLogits, {}, problem.schemes(), 4, 8, 9, 9);
  REQUIRE(recorder.ok());
  Recorder& recorded = recorder.value();
  REQUIRE(problem.forward(&recorded).ok());
  REQUIRE(recorded.term_count() == 4);
  const char* names[] = {"content", "transform", "gate", "slope"};
  for (int t = 0; t < 4; ++t) CHECK(std::string(recorded.term_name(t)) == names[t]);
  for (int i = 0; i < 4 * 9 * 9; ++i) {
    double sum = 0;
    for (int t = 0; t < 4; ++t) sum += recorded.term(t)[i];
    CHECK(std::abs(sum - recorded.logits()[i]) < 2e-6);
    CHECK(recorded.term(3)[i] == -std::abs(i % 9 - i / 9 % 9) / 4.f);
  }
}

TEST_CASE("a window written as a bias hides keys as a window does") {
  contract::AttentionCase written = formula_case({{"bias", "r <= -3 ? -inf : 0"}}, {}, true, 12);
  contract::AttentionCase window = formula_case({}, {}, true, 12);
  window.config.sliding_window = 3;
  REQUIRE(written.forward().ok());
  REQUIRE(window.forward().ok());
  CHECK(contract::largest_difference(written.output, window.output) < 1e-6);
}

TEST_CASE("claims follow the formulas") {
  const SchemeEntry& entry = formula_entry;
  const auto description = [&](const Texts& texts) {
    auto made = make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4},
                            options_of(entry, texts));
    REQUIRE(made.ok());
    return std::pair(made.value().description().claims.shift_invariant,
                     made.value().description().position_axes);
  };
  CHECK(description({{"bias", "-abs(i - j)"}}) == std::pair(true, 1));
  CHECK(description({{"bias", "-i * abs(r)"}}) == std::pair(false, 1));
  CHECK(description({{"frequency", "1 / (k + 1)"}}) == std::pair(true, 1));
  CHECK(description({{"angle", "sqrt(i)"}}) == std::pair(false, 1));
  CHECK(description({{"bias", "-abs(r.x) - abs(r.y)"}}) == std::pair(true, 2));
}

TEST_CASE("what a formula does not use costs nothing") {
  const SchemeEntry& entry = formula_entry;
  const auto hooks = [&](const Texts& texts) {
    return make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4},
                       options_of(entry, texts))
        .value()
        .hooks;
  };
  CHECK(hooks({}) == 0);
  CHECK(hooks({{"bias", "-abs(r)"}}) == kHookDistanceStrip);
  CHECK(hooks({{"bias", "-i"}}) == kHookBias);
  CHECK(hooks({{"terms", "a: s\nb: r"}}) == (kHookBias | kHookDistanceStrip));
  CHECK(hooks({{"frequency", "1"}}) == kHookTransform);
  CHECK(hooks({{"add", "1"}}) == kHookEmbeddings);
  CHECK(hooks({{"logitScale", "1"}}) == kHookScale);
}

TEST_CASE("wrong formulas and combinations are refused by name") {
  const std::pair<Texts, const char*> cases[] = {
      {{{"bias", "abs(q)"}}, "bias, character 5: \"q\" (expected a known name)"},
      {{{"frequency", "i"}},
       "frequency, character 1: \"i\" (expected a name that has a value here)"},
      {{{"frequency", "1"}, {"angle", "i"}},
       "frequency: given beside angle (expected one of the two)"},
      {{{"frequency", "n * w"}, {"parameters", "w"}},
       "frequency: n beside h, layer or a parameter (expected n alone, or none of n)"},
      {{{"logitScale", "0"}}, "logitScale: 0 (expected a number above 0 and below 1e6)"},
      {{{"terms", "no colon"}}, "terms: \"no colon\" (expected \"name: formula\")"},
      {{{"terms", "a: 1\nb: 1\nc: 1\nd: 1"}}, "terms: 4 of them (expected at most 3)"},
      {{{"bias", "-abs(r) - abs(r.x)"}},
       "positions: those of a grid beside those of a text (expected one kind in all formulas)"},
      {{{"bias", "-abs(r.y)"}, {"frequency", "1"}},
       "positions: those of a grid beside those of a text (expected one kind in all formulas)"},
      {{{"parameters", "r = 1"}},
       "parameters, character 1: \"r\" (expected a name that is not in use)"},
  };
  for (const auto& [texts, message] : cases) {
    const Status status = make_status(texts);
    CHECK(!status.ok());
    CHECK(std::string(status.message()) == message);
  }
  CHECK(!make_status({{"bias", "1 + \xF3\xFF"}}).ok());  // bytes beyond ASCII
  CHECK(
      !make_status({{"frequency", "1"}}, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 5}).ok());
}

TEST_CASE("a formula without a number where it is needed is refused, with its operands") {
  contract::AttentionCase problem = formula_case({{"bias", "log(4 + r)"}}, {}, true, 3);
  const Status status = problem.forward();
  CHECK(!status.ok());
  CHECK(std::string(status.message()) ==
        "bias, character 1: log(-1) at i = 5, j = 0, h = 0 (expected a number or -inf)");
  // Distances of hidden keys are not checked.
  contract::AttentionCase causal = formula_case({{"bias", "sqrt(-r)"}}, {}, true, 3);
  CHECK(causal.forward().ok());
  contract::AttentionCase both = formula_case({{"bias", "sqrt(-r)"}}, {}, false, 3);
  CHECK(!both.forward().ok());
}

TEST_CASE("a parameter begins with its initial value, keeps its range and may be frozen") {
  const SchemeEntry& entry = formula_entry;
  auto made =
      make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4},
                  options_of(entry, {{"bias", "-a[h] * abs(r) * b"},
                                     {"parameters", "positive a[H] = 2^-h; frozen b = 3"}}));
  REQUIRE(made.ok());
  const auto specs = made.value().scheme->parameters();
  REQUIRE(specs.size() == 2);
  CHECK(std::string(specs[0].name) == "a");
  CHECK(specs[0].given[0] == 1);
  CHECK(specs[0].given[1] == .5f);
  CHECK(specs[1].given[0] == 3);
  float a[] = {-1, 2}, b[] = {-5};
  float* values[] = {a, b};
  made.value().scheme->constrain(values);
  CHECK(a[0] == 1e-6f);
  CHECK(a[1] == 2);
  CHECK(b[0] == -5);
}

}  // namespace
}  // namespace wf
