// Converts golden files of attention layers (tests/golden/layers) to schemes of the engine, and
// runs them.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contract/attention_case.h"

namespace wf::testing {

using Options = std::map<std::string, double>;

// Description of one file's layer in the engine's options and parameters.
struct GoldenLayer {
  const char* scheme = "nope";
  std::function<Options(const nlohmann::json& config)> options = [](const nlohmann::json&) {
    return Options();
  };
  // Sets the engine's parameters (and shared projections) from the file's.
  std::function<void(contract::AttentionCase&, const nlohmann::json& parameters)> fill =
      [](contract::AttentionCase&, const nlohmann::json&) {};
  // Names of the file's parameters in the order of the engine's gradients; "" skips one.
  std::vector<std::string> gradients = {};
  // False for logits that differ by a constant in each row.
  bool compares_logits = true;
  // Width of the engine's table, if it has more columns than the file's.
  std::function<int(const nlohmann::json& parameters)> width = {};
  // Gradients that must be converted to the file's shape: names and values.
  std::function<std::map<std::string, std::vector<float>>(const contract::AttentionCase&,
                                                          const nlohmann::json& parameters)>
      unpacked = {};
};

// Converts one number for each token, or a list for each token, to positions [axes,T].
std::vector<std::int32_t> positions_of(const nlohmann::json& positions);

// By file name.
const std::map<std::string, GoldenLayer>& golden_layers();

// Runs forward, and backward from the context's gradient; returns the arrays that the case does not
// keep.
struct LayerRun {
  std::vector<float> weights, logits;  // [H,T,S], logits before the mask
};
LayerRun run_layer(contract::AttentionCase& problem, const std::vector<float>& d_context);

}  // namespace wf::testing
