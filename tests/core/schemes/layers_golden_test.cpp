// Compares whole attention layers of public models with the engine: logits, weights, context and
// gradients, in float64 from the original classes (tests/golden/layers/README.md).
// golden_layers.cpp converts the files.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "core/schemes/golden_layers.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using contract::AttentionCase;
using nlohmann::json;
using reference::floats;
using reference::shape;
using testing::GoldenLayer;

// Returns a case for each window if the arrays have a leading axis of windows.
std::vector<json> windows_of(const json& c) {
  const std::vector<int> sizes = shape(c["q"]);
  if (sizes.size() == 3) return {c};
  std::vector<json> windows;
  for (int w = 0; w < sizes[0]; ++w) {
    const auto cut = [&](json& tensor) {
      const std::vector<int> whole = shape(tensor);
      const std::size_t part = tensor["data"].size() / whole[0];
      json data = json::array();
      for (std::size_t i = w * part; i < (w + 1) * part; ++i) data.push_back(tensor["data"][i]);
      tensor = {{"shape", std::vector<int>(whole.begin() + 1, whole.end())}, {"data", data}};
    };
    json window = c;
    for (const char* key : {"q", "k", "v", "logits", "weights", "context", "d_context", "mask"})
      if (window.contains(key)) cut(window[key]);
    for (const char* key : {"q", "k", "v"}) cut(window["gradients"][key]);
    windows.push_back(window);
  }
  return windows;
}

AttentionCase case_of(const GoldenLayer& layer, const json& file, const json& c) {
  const auto q = shape(c["q"]), k = shape(c["k"]), v = shape(c["v"]);
  const SchemeEntry& entry = *find_scheme(layer.scheme).value();
  OptionValues options = default_options(*entry.description);
  for (const auto& [key, value] : layer.options(file["config"])) {
    std::size_t i = 0;
    while (i < entry.description->options.size() && key != entry.description->options[i].key) ++i;
    REQUIRE(i < entry.description->options.size());
    options.values[i] = value;
  }
  int width = file["config"].value("d_model", file["config"].value("hidden_size", 0));
  if (layer.width) width = layer.width(file["parameters"]);
  AttentionCase problem(entry, options,
                        {.heads = q[0],
                         .kv_heads = k[0],
                         .head_dim = q[2],
                         .value_dim = v[2],
                         .queries = q[1],
                         .keys = k[1],
                         .width = width},
                        false, 0);
  problem.q = floats(c["q"]);
  problem.k = floats(c["k"]);
  problem.v = floats(c["v"]);
  if (c.contains("states")) problem.states = floats(c["states"]);
  const int offset = c.value("queryOffset", c.value("memoryLength", 0));
  for (int t = 0; t < q[1] && problem.axes() == 1; ++t) problem.query_positions[t] = t + offset;
  for (int t = 0; t < q[1] && problem.axes() == 2 && !c.contains("positions"); ++t) {
    const json size = file["config"]["window_size"];
    const int columns = size.is_array() ? size[1].get<int>() : size.get<int>();
    problem.query_positions[t] = problem.key_positions[t] = t / columns;
    problem.query_positions[q[1] + t] = problem.key_positions[q[1] + t] = t % columns;
  }
  if (c.contains("positions"))
    problem.query_positions = problem.key_positions = testing::positions_of(c["positions"]);
  layer.fill(problem, file["parameters"]);
  return problem;
}

using Compare = std::function<void(const char* quantity, const std::vector<float>& ours,
                                   const std::vector<float>& theirs)>;

// Adds the gradients of parameters, which the file sums over all windows of a case, to
// `d_parameters`.
void check_window(const GoldenLayer& layer, const json& file, const json& c, const Compare& compare,
                  std::vector<std::vector<float>>& d_parameters) {
  AttentionCase problem = case_of(layer, file, c);
  const contract::Sizes& sizes = problem.sizes();
  std::vector<std::uint8_t> allowed;
  std::vector<float> added;
  if (c.contains("mask")) {
    added = floats(c["mask"]);
    problem.mask.given = {.additive = added.data(), .row_stride = sizes.keys, .column_stride = 1};
  }
  if (c.contains("allowed")) {
    for (const json& x : c["allowed"]["data"]) allowed.push_back(x.get<int>() != 0);
    problem.mask.given = {.allowed = allowed.data(), .row_stride = sizes.keys, .column_stride = 1};
  }
  const testing::LayerRun run = testing::run_layer(problem, floats(c["d_context"]));
  compare("weights", run.weights, floats(c["weights"]));
  compare("context", problem.output, floats(c["context"]));
  if (layer.compares_logits) {
    // Visible keys only: for hidden ones some classes leave data of other rows.
    std::vector<float> ours, theirs;
    const std::vector<float> expected = floats(c["logits"]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!allowed.empty() && !allowed[i % allowed.size()]) continue;
      ours.push_back(run.logits[i]);
      theirs.push_back(expected[i]);
    }
    compare("logits", ours, theirs);
  }
  const json& gradients = c["gradients"];
  compare("gradients", problem.d_v, floats(gradients["v"]));
  // If positions share the layer's projections, the gradients of q and k, here and in the file, are
  // those of the content alone.
  compare("gradients", problem.d_q, floats(gradients["q"]));
  compare("gradients", problem.d_k, floats(gradients["k"]));
  if (c.contains("states")) compare("gradients", problem.d_states, floats(gradients["states"]));
  if (layer.unpacked)
    for (const auto& [parameter, ours] : layer.unpacked(problem, file["parameters"])) {
      CAPTURE(parameter);
      compare("gradients", ours, floats(gradients["parameters"][parameter]));
    }
  d_parameters.resize(problem.d_parameters.size());
  for (std::size_t p = 0; p < d_parameters.size(); ++p) {
    d_parameters[p].resize(problem.d_parameters[p].size());
    for (std::size_t i = 0; i < d_parameters[p].size(); ++i)
      d_parameters[p][i] += problem.d_parameters[p][i];
  }
}

void check_layer(const std::string& name, const GoldenLayer& layer) {
  const std::string path = "layers/" + name + ".json";
  const json file = reference::golden(path);
  const Compare compare = [&](const char* quantity, const std::vector<float>& ours,
                              const std::vector<float>& theirs) {
    reference::check_golden(path, quantity, contract::largest_difference(ours, theirs));
  };
  for (const json& c : file["cases"]) {
    const std::string which = name + " " + c["name"].get<std::string>();
    CAPTURE(which);
    std::vector<std::vector<float>> d_parameters;
    for (const json& window : windows_of(c))
      check_window(layer, file, window, compare, d_parameters);
    for (std::size_t p = 0; p < layer.gradients.size(); ++p) {
      if (layer.gradients[p].empty()) continue;
      CAPTURE(layer.gradients[p]);
      compare("gradients", d_parameters[p],
              floats(c["gradients"]["parameters"][layer.gradients[p]]));
    }
  }
}

TEST_CASE("attention layers of public models and papers come out the same") {
  for (const auto& [name, layer] : testing::golden_layers()) check_layer(name, layer);
}

}  // namespace
}  // namespace wf
