#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "formula/evaluation.h"
#include "formula/parser.h"

namespace wf::formula {
namespace {

constexpr std::uint32_t kAllVariables = (1u << kVariables) - 1;

Scope scope_of(std::span<const Parameter> parameters = {}) {
  return {.variables = kAllVariables,
          .allows_sums = true,
          .sizes = {8, 64, 512, 12},
          .parameters = parameters};
}

double constant_value(const std::string& text) {
  Fault fault;
  const Scope scope = scope_of();
  Result<Program> compiled = compile("bias", text, scope, fault);
  REQUIRE_MESSAGE(compiled.ok(), text << ": " << compiled.status().message());
  REQUIRE(compiled.value().reads() == 0);
  REQUIRE(compiled.value().nodes()[compiled.value().result()].operation == Operation::kConstant);
  return compiled.value().nodes()[compiled.value().result()].constant;
}

TEST_CASE("operators bind as in C, and a power before a sign and from the right") {
  const std::pair<const char*, double> cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"24 / 4 / 2", 3},
      {"-2^2", -4},
      {"2^-1", .5},
      {"2^3^2", 512},
      {"-2 * -3", 6},
      {"7 % 4 + -7 % 4", 4},
      {"(1 < 2) == 1", 1},
      {"1 + 1 <= 2", 1},
      {"!0 + !3", 1},
      {"0 || 2 && 3", 1},
      {"1 || 0 && 0", 1},
      {"0 ? 1 : 2 ? 3 : 4", 3},
      {"1 ? 0 ? 5 : 6 : 7", 6},
      {"1.5e2 + .25 + 2E-2", 150.27},
      {"H * D + E / L", 512 + 512. / 12},
      {"let a = 3; let b = a * a; b - a", 6},
      {"min(2, 3) + max(2, 3) * 10 + clip(9, 1, 4) * 100", 432},
      {"floor(-1.5) + ceil(-1.5) + round(2.5) + mod(-1, 5)", 4},
      {"abs(-3) + sqrt(16) + pow(2, 5)", 39},
      {"true ? 2 : 3", 2},
  };
  for (const auto& [text, value] : cases) {
    CAPTURE(text);
    CHECK(constant_value(text) == doctest::Approx(value).epsilon(1e-15));
  }
  CHECK(constant_value("-inf") == -INFINITY);
  CHECK(constant_value("sigmoid(-800)") == doctest::Approx(0));
  CHECK(constant_value("softplus(800)") == 800);
  CHECK(constant_value("cos(pi)") == -1);
}

TEST_CASE("numbers are read as the C++ compiler reads them") {
  const std::pair<const char*, double> cases[] = {
      {"0.1", 0.1},   {"3.14159265358979", 3.14159265358979},
      {"1e-5", 1e-5}, {"1E+3", 1e3},
      {"1e22", 1e22}, {"0.0078125", 0.0078125},
      {"10000", 1e4}, {"1e999", INFINITY},
      {"1e-999", 0},  {"123456789012", 123456789012.},
  };
  for (const auto& [text, value] : cases) CHECK(constant_value(text) == value);
}

TEST_CASE("a difference of positions is a distance") {
  Fault fault;
  const Scope scope = scope_of();
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"j - i", bit_of(Variable::kDistance)},
      {"abs(i - j)", bit_of(Variable::kDistance)},
      {"i.x - j.x + (j.y - i.y)",
       bit_of(Variable::kDistanceRow) | bit_of(Variable::kDistanceColumn)},
      {"i - 2 * j", bit_of(Variable::kQueryPosition) | bit_of(Variable::kKeyPosition)},
      {"3 * H", 0},
  };
  for (const auto& [text, reads] : cases) {
    CAPTURE(text);
    CHECK(compile("bias", text, scope, fault).value().reads() == reads);
  }
}

TEST_CASE("equal parts are computed once") {
  Fault fault;
  const Scope scope = scope_of();
  const auto nodes = [&](const char* text) {
    return compile("bias", text, scope, fault).value().nodes().size();
  };
  CHECK(nodes("abs(r) + abs(r) * abs(r)") == nodes("let x = abs(r); x + x * x"));
  CHECK(nodes("abs(r) + abs(r) * abs(r)") == 4);
  CHECK(nodes("cumsum(s) - cumsum(s)") == 3);
}

struct FaultCase {
  const char* text;
  FaultKind kind;
  int begin, end;
  const char* expected;
  const char* suggestion = "";
};

TEST_CASE("a fault has its place, what is expected there, and the name that was meant") {
  const Parameter parameters[] = {{.name = "slope", .rank = 1, .shape = {8, 1, 1}},
                                  {.name = "bend", .rank = 0}};
  const FaultCase cases[] = {
      {"", FaultKind::kUnexpected, 0, 0, "a number, a name or \"(\""},
      {"  ", FaultKind::kUnexpected, 2, 2, "a number, a name or \"(\""},
      {"1 +", FaultKind::kUnexpected, 3, 3, "a number, a name or \"(\""},
      {"1 + * 2", FaultKind::kUnexpected, 4, 5, "a number, a name or \"(\""},
      {"(1 + 2", FaultKind::kUnexpected, 6, 6, "an operator or \")\""},
      {"1 2", FaultKind::kUnexpected, 2, 3, "an operator or the end"},
      {"1 + 2)", FaultKind::kUnexpected, 5, 6, "an operator or the end"},
      {"r ? 1", FaultKind::kUnexpected, 5, 5, "an operator or \":\""},
      {"0 <= r < 5", FaultKind::kUnexpected, 7, 8, "an operator or the end"},
      {"1 # 2", FaultKind::kUnexpected, 2, 3, "an operator or the end"},
      {"1 × 2", FaultKind::kUnexpected, 2, 4, "an operator or the end"},
      {"asb(r)", FaultKind::kUnknownName, 0, 3, "a function", "abs"},
      {"-slop[h] * r", FaultKind::kUnknownName, 1, 5, "a known name", "slope"},
      {"2 * nothingLikeIt", FaultKind::kUnknownName, 4, 17, "a known name"},
      {"slope", FaultKind::kArguments, 0, 5, "1 index, not 0"},
      {"slope[h, 2]", FaultKind::kArguments, 0, 11, "1 index, not 2"},
      {"bend[0]", FaultKind::kArguments, 0, 7, "0 indices, not 1"},
      {"abs(1, 2)", FaultKind::kArguments, 0, 9, "1 argument, not 2"},
      {"bucket(r)", FaultKind::kArguments, 0, 9, "3 to 4 arguments, not 1"},
      {"clip(1, 2, 3, 4, 5, 6)", FaultKind::kArguments, 0, 22, "3 arguments, not 6"},
      {"abs r", FaultKind::kUnexpected, 4, 5, "\"(\""},
      {"let r = 2; r", FaultKind::kUnexpected, 4, 5, "a name that is not in use"},
      {"let bend = 2; bend", FaultKind::kUnexpected, 4, 8, "a name that is not in use"},
      {"let x = 2, x", FaultKind::kUnexpected, 9, 10, "an operator or \";\""},
      {"let x = 1; let x = 2; x", FaultKind::kUnexpected, 15, 16, "a name that is not in use"},
  };
  const Scope scope = scope_of(parameters);
  for (const FaultCase& expected : cases) {
    CAPTURE(expected.text);
    Fault fault;
    const auto program = compile("bias", expected.text, scope, fault);
    REQUIRE(!program.ok());
    CHECK(program.status().code() == Code::kInvalidArgument);
    CHECK(fault.kind == expected.kind);
    CHECK(fault.begin == expected.begin);
    CHECK(fault.end == expected.end);
    CHECK(std::string(fault.expected) == expected.expected);
    CHECK(std::string(fault.suggestion) == expected.suggestion);
  }
}

TEST_CASE("an error names the part of the scheme, the character and the expectation") {
  Fault fault;
  const Scope scope = {.variables = bit_of(Variable::kDistance)};
  const auto message = [&](const char* text) {
    return std::string(compile("bias", text, scope, fault).status().message());
  };
  CHECK(message("2 × asb(r)") == "bias, character 3: \"×\" (expected an operator or the end)");
  CHECK(message("é") == "bias, character 1: \"é\" (expected a number, a name or \"(\")");
  CHECK(message("-asb(r)") ==
        "bias, character 2: \"asb\" (expected a function; did you mean abs?)");
  CHECK(message("2 *") == "bias, character 4: end of formula (expected a number, a name or \"(\")");
  CHECK(message("h * r") == "bias, character 1: \"h\" (expected a name that has a value here)");
  CHECK(fault.kind == FaultKind::kUnavailable);
  CHECK(message("cumsum(r)") ==
        "bias, character 1: \"cumsum\" (expected a name that has a value here)");
}

TEST_CASE("length, depth and size are bounded") {
  Fault fault;
  const Scope scope = scope_of();
  const auto kind = [&](const std::string& text) {
    const auto program = compile("bias", text, scope, fault);
    return program.ok() ? FaultKind::kNone : fault.kind;
  };
  CHECK(kind(std::string(kMaxLength, ' ') + "1") == FaultKind::kTooLong);
  CHECK(kind(std::string(kMaxLength - 1, ' ') + "1") == FaultKind::kNone);
  CHECK(kind(std::string(1000, '(') + "1" + std::string(1000, ')')) == FaultKind::kTooDeep);
  CHECK(kind(std::string(2000, '-') + "1") == FaultKind::kTooDeep);
  CHECK(kind(std::string(20, '(') + "1" + std::string(20, ')')) == FaultKind::kNone);
  std::string sum = "r";
  for (int term = 1; term <= kMaxNodes; ++term) sum += "+" + std::to_string(term) + "*r";
  CHECK(kind(sum) == FaultKind::kTooLarge);
  std::string constants = "1";
  for (int term = 1; term <= 800; ++term) constants += "+r";
  CHECK(kind(constants) == FaultKind::kTooLarge);
  std::string definitions;
  for (int d = 0; d <= kMaxDefinitions; ++d) definitions += "let x" + std::to_string(d) + "=1;";
  CHECK(kind(definitions + "1") == FaultKind::kTooLarge);
  CHECK(kind("cumsum(1)+cumsum(2)+cumsum(3)+cumsum(4)") == FaultKind::kNone);
  CHECK(kind("cumsum(1)+cumsum(2)+cumsum(3)+cumsum(4)+cumsum(5)") == FaultKind::kTooLarge);
}

}  // namespace
}  // namespace wf::formula
