// Tests the gradients of every scheme of the registry.
#include <doctest/doctest.h>

#include <vector>

#include "attention_case.h"
#include "each_scheme.h"
#include "finite_differences.h"

namespace wf::contract {
namespace {

TEST_CASE("gradients equal finite differences of the twin") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      for (const bool packed : {false, true}) {
        CAPTURE(packed);
        AttentionCase problem(
            entry, options,
            {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 5, .keys = 5},
            is_causal, 4);
        if (packed) {
          problem.place({4, 5, 0, 1, 7});
          problem.segments = {0, 0, 1, 1, 1};
        }
        const std::vector<float> probe = random_values(2 * 5 * 3, 5);
        REQUIRE(problem.forward().ok());
        REQUIRE(problem.backward(probe).ok());
        const auto check = [&](const char* name, std::vector<float>& values,
                               const std::vector<float>& gradient) {
          CAPTURE(name);
          const double most =
              largest_slope_difference(values, gradient, [&] { return problem.twin_loss(probe); });
          // Tolerance for the float32 rounding of the gradient. The finite difference is of a
          // double-precision loss and is far more accurate.
          CHECK(most < 2e-5);
        };
        check("q", problem.q, problem.d_q);
        check("k", problem.k, problem.d_k);
        check("v", problem.v, problem.d_v);
        for (std::size_t p = 0; act_in_attention(problem.hooks()) && p < problem.parameters.size();
             ++p)
          check(problem.scheme().parameters()[p].name, problem.parameters[p],
                problem.d_parameters[p]);
        check("the input of the layer", problem.states, problem.d_states);
        for (std::size_t p = 0; p < problem.projections.size(); ++p)
          check(p ? "the layer's key projection" : "the layer's query projection",
                problem.projections[p], problem.d_projections[p]);
      }
    });
  });
}

}  // namespace
}  // namespace wf::contract
