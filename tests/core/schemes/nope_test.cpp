#include <doctest/doctest.h>

#include "contract/attention_case.h"

namespace wf {
namespace {

const reference::RegisteredTwin twin("nope", {});

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

}  // namespace
}  // namespace wf
