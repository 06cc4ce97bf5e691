// Compares attention layers of the rotary families with the engine: logits, weights, context and
// gradients, in float64 from the original classes (tests/golden/layers/README.md). A file contains
// all settings of its layer: rotary parameters, pairing, window, scale.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "core/schemes/golden_layers.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "reference/rope_parameters.h"

namespace wf {
namespace {

using contract::AttentionCase;
using contract::largest_difference;
using nlohmann::json;
using reference::floats;
using reference::shape;

// Multiplies the rows of x [H,T,D] by the file's temperatures, one for each token. Llama 4 applies
// them to q before attention.
void temper(const json& file, const contract::Sizes& sizes, std::vector<float>& x) {
  if (!file.contains("temperatures")) return;
  const auto by = file["temperatures"].get<std::vector<double>>();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= static_cast<float>(by[i / sizes.head_dim % sizes.queries]);
}

AttentionCase case_of(const json& file, const json& c) {
  const json& rope = file["rope"];
  const SchemeEntry& entry =
      rope.is_null() ? *find_scheme("nope").value() : reference::rotary_scheme(rope);
  const OptionValues options =
      rope.is_null() ? default_options(*entry.description)
                     : reference::rope_options(rope, file["maxPositionEmbeddings"].get<double>(),
                                               file["interleaved"].get<bool>());
  const auto q = shape(c["q"]), k = shape(c["k"]), v = shape(c["v"]);
  AttentionCase problem(entry, options,
                        {.heads = q[0],
                         .kv_heads = k[0],
                         .head_dim = q[2],
                         .value_dim = v[2],
                         .queries = q[1],
                         .keys = k[1]},
                        file["causal"].get<bool>(), 0);
  problem.q = floats(c["q"]);
  temper(file, problem.sizes(), problem.q);
  problem.k = floats(c["k"]);
  problem.v = floats(c["v"]);
  problem.query_positions = problem.key_positions = testing::positions_of(c["positions"]);
  problem.config.scale = file["scale"].get<float>();
  problem.config.sliding_window = file["window"].get<int>();
  problem.config.chunk_size = file["chunk"].get<int>();
  if (file["parameters"].contains("sinks")) problem.sinks = floats(file["parameters"]["sinks"]);
  return problem;
}

void check_layer(const std::string& path, const json& file) {
  const auto compare = [&](const char* quantity, const std::vector<float>& ours,
                           const std::vector<float>& theirs) {
    reference::check_golden(path, quantity, largest_difference(ours, theirs));
  };
  for (const json& c : file["cases"]) {
    const std::string which = path + " " + c["name"].get<std::string>();
    CAPTURE(which);
    AttentionCase problem = case_of(file, c);
    const contract::Sizes& sizes = problem.sizes();
    testing::LayerRun run = testing::run_layer(problem, floats(c["d_context"]));
    compare("weights", run.weights, floats(c["weights"]));
    compare("context", problem.output, floats(c["context"]));
    // The file's logits of hidden keys are 0.
    const std::vector<float> expected = floats(c["logits"]), allowed = floats(c["allowed"]);
    for (std::size_t i = 0; i < run.logits.size(); ++i)
      run.logits[i] *= allowed[i % allowed.size()];
    compare("logits", run.logits, expected);
    const json& gradients = c["gradients"];
    temper(file, sizes, problem.d_q);
    compare("gradients", problem.d_q, floats(gradients["q"]));
    compare("gradients", problem.d_k, floats(gradients["k"]));
    compare("gradients", problem.d_v, floats(gradients["v"]));
    if (!problem.sinks.empty())
      compare("gradients", problem.d_sinks, floats(gradients["parameters"]["sinks"]));
  }
}

TEST_CASE("attention layers of the rotary families come out the same") {
  int checked = 0;
  for (const std::string& path : reference::golden_names("layers/")) {
    const json file = reference::golden(path);
    if (!file.contains("rope")) continue;
    check_layer(path, file);
    ++checked;
  }
  CHECK(checked >= 36);
}

}  // namespace
}  // namespace wf
