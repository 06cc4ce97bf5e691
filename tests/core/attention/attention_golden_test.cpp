// Compares attention with torch.nn.functional.scaled_dot_product_attention in float64.
#include <doctest/doctest.h>

#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using contract::AttentionCase;
using contract::largest_difference;
using reference::floats;
using reference::shape;

AttentionCase case_of(const nlohmann::json& file) {
  const auto q = shape(file["q"]), k = shape(file["k"]), v = shape(file["v"]);
  const nlohmann::json& options = file["options"];
  AttentionCase problem(*find_scheme("nope").value(), {},
                        {.heads = q[0],
                         .kv_heads = k[0],
                         .head_dim = q[2],
                         .value_dim = v[2],
                         .queries = q[1],
                         .keys = k[1]},
                        options.value("isCausal", false), 0);
  problem.q = floats(file["q"]);
  problem.k = floats(file["k"]);
  problem.v = floats(file["v"]);
  problem.config.scale = options.value("scale", 0.0f);
  problem.config.sliding_window = options.value("slidingWindow", 0);
  problem.mask.query_offset = options.value("queryOffset", 0);
  if (options.contains("segments"))
    problem.segments = options["segments"].get<std::vector<std::int32_t>>();
  if (options.contains("keyLengths")) {
    // As in ONNX: with key lengths the last query is aligned with the last real key.
    problem.mask.key_length = options["keyLengths"][0].get<int>();
    problem.mask.query_offset = problem.mask.key_length - q[1];
  }
  return problem;
}

TEST_CASE("attention equals PyTorch's, output, weights and gradients") {
  const std::vector<std::string> names = reference::golden_names("attention_");
  REQUIRE(names.size() >= 10);
  for (const std::string& name : names) {
    CAPTURE(name);
    const nlohmann::json file = reference::golden(name);
    AttentionCase problem = case_of(file);
    const contract::Sizes& sizes = problem.sizes();
    // A mask is [T,S] or [H,T,S].
    std::vector<float> additive;
    std::vector<std::uint8_t> allowed;
    const std::string mask = file["options"].value("mask", "");
    if (!mask.empty()) {
      const bool per_head = shape(file[mask]).size() == 3;
      problem.mask.given.head_stride = per_head ? sizes.queries * sizes.keys : 0;
      problem.mask.given.row_stride = sizes.keys;
      problem.mask.given.column_stride = 1;
      if (mask == "bias") {
        additive = floats(file[mask]);
        problem.mask.given.additive = additive.data();
      } else {
        for (const auto& x : file[mask]["data"])
          allowed.push_back(x.is_boolean() ? x.get<bool>() : x.get<int>() != 0);
        problem.mask.given.allowed = allowed.data();
      }
    }
    auto recorder = Recorder::make(kRecordWeights, {}, problem.schemes(), sizes.heads,
                                   sizes.head_dim, sizes.queries, sizes.keys)
                        .take();
    REQUIRE(problem.forward(&recorder).ok());
    REQUIRE(problem.backward(floats(file["d_output"])).ok());
    const std::vector<float> weights(recorder.weights().begin(), recorder.weights().end());
    const auto compare = [&](const char* quantity, const std::vector<float>& ours,
                             const std::vector<float>& theirs) {
      reference::check_golden(name, quantity, largest_difference(ours, theirs));
    };
    compare("output", problem.output, floats(file["output"]));
    compare("weights", weights, floats(file["weights"]));
    compare("gradients", problem.d_q, floats(file["gradients"]["q"]));
    compare("gradients", problem.d_k, floats(file["gradients"]["k"]));
    compare("gradients", problem.d_v, floats(file["gradients"]["v"]));
  }
}

}  // namespace
}  // namespace wf
