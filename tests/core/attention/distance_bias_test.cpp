// Biases of distance at various positions: the strip that a tile's rows share must equal the
// scheme's bias for each distance.
#include <doctest/doctest.h>

#include <string>

#include "contract/attention_case.h"

namespace wf::contract {
namespace {

// A named layout; place(i) returns the position of query and key number i.
struct Layout {
  const char* name;
  std::int32_t (*place)(int i);
};

constexpr Layout kLayouts[] = {
    {"one by one", [](int i) { return 5 + i; }},
    {"by the same step", [](int i) { return 50 * i; }},
    {"by a step so large that distances outnumber the logits", [](int i) { return 100000 * i; }},
    {"two documents", [](int i) { return i < 90 ? i : i - 90; }},
    {"after an eviction", [](int i) { return i < 40 ? i : i + 77; }},
    {"with a gap after each", [](int i) { return i + i / 2; }},
    {"all over", [](int i) { return i * 7919 % 1000003; }},
    {"the same", [](int) { return 3; }},
    {"backwards", [](int i) { return 400 - i; }},
};

TEST_CASE(
    "biases of distance equal the twin wherever tokens lie, with fewer keys than queries and with "
    "more") {
  for (const char* id : {"alibi", "t5", "kerple"})
    for (const Layout& layout : kLayouts)
      for (const auto& [queries, keys] :
           {std::pair{kPastTile, kPastTile}, std::pair{1, kPastTile}, std::pair{150, 3}}) {
        CAPTURE(std::string(id));
        CAPTURE(std::string(layout.name));
        CAPTURE(keys);
        const SchemeEntry& entry = *find_scheme(id).value();
        AttentionCase problem(entry, default_options(*entry.description),
                              {.heads = 2,
                               .kv_heads = 1,
                               .head_dim = 4,
                               .value_dim = 4,
                               .queries = queries,
                               .keys = keys},
                              false, 8);
        for (int i = 0; i < queries; ++i) problem.query_positions[i] = layout.place(i);
        for (int i = 0; i < keys; ++i) problem.key_positions[i] = layout.place(i);
        REQUIRE(problem.forward().ok());
        // Logits of far keys are large and rounded in float32; a wrong distance would differ by far
        // more.
        CHECK(largest_difference(problem.output, problem.twin().output) < 5e-5);
      }
}

TEST_CASE("gradients of biases of distance equal finite differences wherever tokens lie") {
  for (const char* id : {"t5", "kerple"})
    for (const Layout& layout : kLayouts) {
      CAPTURE(std::string(id));
      CAPTURE(std::string(layout.name));
      const SchemeEntry& entry = *find_scheme(id).value();
      AttentionCase problem(
          entry, default_options(*entry.description),
          {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 12, .keys = 12},
          false, 8);
      // Every fifth position from number 36 on, with gaps, segment edges and evictions between
      // them.
      for (int i = 0; i < 12; ++i)
        problem.query_positions[i] = problem.key_positions[i] = layout.place(36 + 5 * i);
      const std::vector<float> probe = random_values(2 * 12 * 3, 5);
      REQUIRE(problem.forward().ok());
      REQUIRE(problem.backward(probe).ok());
      for (std::size_t p = 0; p < problem.parameters.size(); ++p)
        for (std::size_t i = 0; i < problem.parameters[p].size(); ++i) {
          float& value = problem.parameters[p][i];
          const float kept = value, step = 0x1p-14f;
          value = kept + step;
          const double up_at = value, up = problem.twin_loss(probe);
          value = kept - step;
          const double down_at = value, down = problem.twin_loss(probe);
          value = kept;
          CHECK(std::abs((up - down) / (up_at - down_at) - problem.d_parameters[p][i]) < 1e-4);
        }
    }
}

}  // namespace
}  // namespace wf::contract
