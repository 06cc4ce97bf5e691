#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "formula/declarations.h"

namespace wf::formula {
namespace {

constexpr double kSizesOfTest[kSizes] = {4, 8, 32, 2};  // H, D, E, L

Declarations parsed(const char* text) {
  Fault fault;
  auto declarations = Declarations::parse(text, kSizesOfTest, {}, fault);
  REQUIRE_MESSAGE(declarations.ok(), declarations.status().message());
  return declarations.take();
}

std::vector<float> initial_values(const Declarations& declarations, int index) {
  std::vector<float> values(declarations.parameters()[index].size());
  declarations.initialise(index, values.data());
  return values;
}

TEST_CASE("parameters have names, shapes, marks and initial values") {
  const Declarations declarations = parsed(
      "positive slope[H] = 2^(-8*(h+1)/H); table[H, 3]; frozen base = 1e4;"
      "frozen positive w[D/2] = 10000^(-2*k/D); mix[2, 2] = [1, 2, 1+2, 4]; depth[E] = c;");
  const auto parameters = declarations.parameters();
  REQUIRE(parameters.size() == 6);
  const char* names[] = {"slope", "table", "base", "w", "mix", "depth"};
  const int ranks[] = {1, 2, 0, 1, 2, 1}, sizes[] = {4, 12, 1, 4, 4, 32};
  for (int p = 0; p < 6; ++p) {
    CHECK(std::string(parameters[p].name.data()) == names[p]);
    CHECK(parameters[p].rank == ranks[p]);
    CHECK(parameters[p].size() == sizes[p]);
    CHECK(declarations.is_positive(p) == (p == 0 || p == 3));
    CHECK(declarations.is_frozen(p) == (p == 2 || p == 3));
  }
  CHECK(initial_values(declarations, 0) == std::vector<float>{.25f, .0625f, .015625f, .00390625f});
  CHECK(initial_values(declarations, 1) == std::vector<float>(12, 0));
  CHECK(initial_values(declarations, 2) == std::vector<float>{1e4f});
  CHECK(initial_values(declarations, 3) == std::vector<float>{1, .1f, .01f, .001f});
  CHECK(initial_values(declarations, 4) == std::vector<float>{1, 2, 3, 4});
  CHECK(initial_values(declarations, 5)[31] == 31);
  CHECK(parsed("").parameters().empty());
  CHECK(parsed("  ").parameters().empty());
}

TEST_CASE("indices of a matrix are in the order of its sizes") {
  const Declarations declarations = parsed("t[H, D/2] = 100 * h + k");
  CHECK(initial_values(declarations, 0) ==
        std::vector<float>{0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203, 300, 301, 302, 303});
}

TEST_CASE("a fault in a declaration has its place in the whole text") {
  struct Case {
    const char* text;
    int begin, end;
    const char* expected;
  };
  const Case cases[] = {
      {"a[H] = 1; b[H] = hh", 17, 19, "a known name"},
      {"a[] = 1", 2, 2, "a number, a name or \"(\""},
      {"a[0]", 2, 3, "a whole number from 1, and at most 2^20 elements"},
      {"a[H / 3]", 2, 7, "a whole number from 1, and at most 2^20 elements"},
      {"a[1e4, 1e4]", 7, 10, "a whole number from 1, and at most 2^20 elements"},
      {"a[inf]", 2, 5, "a whole number from 1, and at most 2^20 elements"},
      {"a[h]", 2, 3, "a name that has a value here"},
      {"a[2, 2, 2, 2]", 11, 12, "at most 3 sizes"},
      {"a[2", 3, 3, "\"]\""},
      {"r = 1", 0, 1, "a name that is not in use"},
      {"a; a", 3, 4, "a name that is not in use"},
      {"positive", 8, 8, "a name"},
      {"a b", 2, 3, "\";\" or the end"},
      {"a[2] = [1]", 7, 10, "2 numbers, not 1"},
      {"a[2] = [1, 2, 3]", 7, 16, "2 numbers, not 3"},
      {"a[2] = [1, r]", 11, 12, "a name that has a value here"},
      {"a = r", 4, 5, "a name that has a value here"},
      {"a = cumsum(1)", 4, 10, "a name that has a value here"},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.text);
    Fault fault;
    const auto declarations = Declarations::parse(expected.text, kSizesOfTest, {}, fault);
    REQUIRE(!declarations.ok());
    CHECK(fault.begin == expected.begin);
    CHECK(fault.end == expected.end);
    CHECK(std::string(fault.expected) == expected.expected);
  }
  std::string many;
  for (int p = 0; p <= kMaxParameters; ++p) many += "p" + std::to_string(p) + ";";
  Fault fault;
  CHECK(!Declarations::parse(many, kSizesOfTest, {}, fault).ok());
}

}  // namespace
}  // namespace wf::formula
