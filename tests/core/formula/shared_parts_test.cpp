#include "formula/shared_parts.h"

#include <doctest/doctest.h>

#include <string>

#include "formula/parser.h"

namespace wf::formula {
namespace {

const Parameter kParameters[] = {{.name = "a", .rank = 1, .shape = {2, 1, 1}}};

// The text of the parts that are computed once, those by distance before those by key.
std::string parts_of(const std::string& text) {
  const Scope scope = {.variables = (1u << kVariables) - 1,
                       .allows_sums = true,
                       .sizes = {2, 4, 8, 0},
                       .parameters = kParameters};
  Fault fault;
  auto program = compile("bias", text, scope, fault);
  REQUIRE_MESSAGE(program.ok(), program.status().message());
  const SharedParts shared(program.value());
  std::string result;
  const auto add = [&](const SharedParts::Kind& kind) {
    for (int p = 0; p < kind.count; ++p) {
      const Node& node = program.value().nodes()[kind.nodes[p]];
      CHECK(kind.computed.has(kind.nodes[p]));
      CHECK_FALSE(shared.rest().has(kind.nodes[p]));
      result += text.substr(node.begin, node.end - node.begin) + (p + 1 < kind.count ? ", " : "");
    }
  };
  add(shared.by_distance());
  result += " | ";
  add(shared.by_key());
  return result;
}

TEST_CASE("what depends on the distance or the key alone is found, as large as possible") {
  CHECK(parts_of("-abs(s) * abs(r) / (8 + i)") == "abs(r) | ");
  CHECK(parts_of("s * log1p(a[h] * abs(r)) + sqrt(j)") == "log1p(a[h] * abs(r)) | sqrt(j)");
  CHECK(parts_of("s + r * r - i") == "r * r | ");
  CHECK(parts_of("s > 0 ? exp(r) : log(j + 1)") == "exp(r) | log(j + 1)");
  CHECK(parts_of("r * h") == "r * h | ");
  CHECK(parts_of("cumsum(s) * a[h] + i * j") == " | j");
  CHECK(parts_of("s * r.x + i.y + j.x * j.y") == " | j.x * j.y");
  CHECK(parts_of("s / (1 + h)") == " | ");
}

}  // namespace
}  // namespace wf::formula
