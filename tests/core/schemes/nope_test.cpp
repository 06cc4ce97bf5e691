#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

double temperature(const OptionValues& options, int position) {
  return 1 + options[0] * std::log(1 + std::floor((std::max(position, 0) + 1) / options[1]));
}

const reference::RegisteredTwin twin("nope", {
                                                 .transform =
                                                     [](const SchemeShape&,
                                                        const OptionValues& options, bool is_query,
                                                        int, int position, reference::Row& x) {
                                                       if (is_query)
                                                         for (double& value : x)
                                                           value *= temperature(options, position);
                                                     },
                                             });

contract::AttentionCase nope_case(bool is_causal, std::uint64_t seed) {
  const SchemeEntry& entry = *find_scheme("nope").value();
  return contract::AttentionCase(entry, default_options(*entry.description), {}, is_causal, seed);
}

// Exchanges rows a and b of every head of x [heads, rows, columns].
void exchange(std::vector<float>& x, int rows, int columns, int a, int b) {
  for (std::size_t head = 0; head < x.size() / (std::size_t(rows) * columns); ++head)
    for (int c = 0; c < columns; ++c)
      std::swap(x[(head * rows + a) * columns + c], x[(head * rows + b) * columns + c]);
}

TEST_CASE("without a mask, permuting the tokens permutes the outputs and does nothing else") {
  auto plain = nope_case(false, 21), permuted = nope_case(false, 21);
  exchange(permuted.q, 9, 8, 1, 6);
  exchange(permuted.k, 9, 8, 1, 6);
  exchange(permuted.v, 9, 6, 1, 6);
  REQUIRE(plain.forward().ok());
  REQUIRE(permuted.forward().ok());
  exchange(permuted.output, 9, 6, 1, 6);
  CHECK(contract::largest_difference(plain.output, permuted.output) < 1e-6);
}

TEST_CASE("under a causal mask one layer's last row sees a set, the rows between do not") {
  auto plain = nope_case(true, 22), permuted = nope_case(true, 22);
  exchange(permuted.q, 9, 8, 1, 6);
  exchange(permuted.k, 9, 8, 1, 6);
  exchange(permuted.v, 9, 6, 1, 6);
  REQUIRE(plain.forward().ok());
  REQUIRE(permuted.forward().ok());
  double last = 0, between = 0;
  for (int h = 0; h < 4; ++h)
    for (int c = 0; c < 6; ++c) {
      const int at = (h * 9 + 8) * 6 + c, middle = (h * 9 + 4) * 6 + c;
      last = std::max(last, std::abs(double(plain.output[at]) - permuted.output[at]));
      between = std::max(between, std::abs(double(plain.output[middle]) - permuted.output[middle]));
    }
  CHECK(last < 1e-6);
  CHECK(between > 1e-2);
}

TEST_CASE("Llama 4's query temperature rises with each floor of 8192 positions") {
  const SchemeEntry& entry = *find_scheme("nope").value();
  OptionValues options = default_options(*entry.description);
  options.values[0] = 0.1;
  contract::AttentionCase problem(
      entry, options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 5, .keys = 5}, false,
      23);
  problem.query_positions = {0, 8190, 8191, 100000, 1000000};
  auto recorder =
      Recorder::make(kRecordTerms | kRecordLogits, {}, problem.schemes(), 1, 2, 5, 5).take();
  REQUIRE(problem.forward(&recorder).ok());
  CHECK(contract::largest_difference(problem.output, problem.twin().output) < 3e-6);
  const double expected[5] = {1, 1, 1.069314718, 1.256494936, 1.481218436};
  for (int t = 0; t < 5; ++t)
    CHECK(std::abs(recorder.logits()[t * 5] / recorder.term(0)[t * 5] - expected[t]) < 1e-6);
}

TEST_CASE(
    "a query before the first position has the temperature of the first, and is no infinity") {
  const SchemeEntry& entry = *find_scheme("nope").value();
  for (const double floor : {1.0, 8.0, 8192.0, 1e9}) {
    CAPTURE(floor);
    OptionValues options = default_options(*entry.description);
    options.values[0] = 0.1;
    options.values[1] = floor;
    contract::AttentionCase problem(
        entry, options,
        {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 3, .queries = 6, .keys = 6}, false,
        24);
    problem.query_positions = {0, -1, -2, -3, -8194, -(1 << 30) + 1};
    for (int t = 2; t < 12; ++t) problem.q[t] = problem.q[t % 2];
    REQUIRE(problem.forward().ok());
    CHECK(contract::largest_difference(problem.output, problem.twin().output) < 3e-6);
    for (int i = 0; i < 18; ++i) CHECK(problem.output[i] == problem.output[i % 3]);
    CHECK(problem.output[0] != 0);
    REQUIRE(problem.backward(contract::random_values(18, 25)).ok());
    for (const float x : problem.d_q) CHECK(std::isfinite(x));
  }
}

TEST_CASE("without a temperature the scheme has no hook to pay for") {
  const SchemeEntry& entry = *find_scheme("nope").value();
  CHECK(make_scheme(entry, {}, default_options(*entry.description)).value().hooks == 0);
}

}  // namespace
}  // namespace wf
