// Golden files of attention layers (tests/golden/layers) said in our terms, and how one is run.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contract/attention_case.h"

namespace wf::testing {

using Options = std::map<std::string, double>;

// How one file's layer is said in our terms.
struct GoldenLayer {
  const char* scheme = "nope";
  std::function<Options(const nlohmann::json& config)> options = [](const nlohmann::json&) {
    return Options();
  };
  // Fills parameters (and shared projections) from the file's.
  std::function<void(contract::AttentionCase&, const nlohmann::json& parameters)> fill =
      [](contract::AttentionCase&, const nlohmann::json&) {};
  // Names of the file's parameters whose gradients are ours, in our order; "" skips one.
  std::vector<std::string> gradients = {};
  // Logits that differ by a constant in each row are not compared.
  bool compares_logits = true;
  // Of our table, where it carries more than the file's.
  std::function<int(const nlohmann::json& parameters)> width = {};
  // Gradients that need unpacking before they are the file's: name and values.
  std::function<std::map<std::string, std::vector<float>>(const contract::AttentionCase&,
                                                          const nlohmann::json& parameters)>
      unpacked = {};
};

// By the file's name.
const std::map<std::string, GoldenLayer>& golden_layers();

// Forward, and backward from the context's gradient: what the case itself does not keep.
struct LayerRun {
  std::vector<float> weights, logits;  // [H,T,S], logits before the mask
};
LayerRun run_layer(contract::AttentionCase& problem, const std::vector<float>& d_context);

}  // namespace wf::testing
