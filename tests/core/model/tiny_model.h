// Tiny models for tests: one with chosen sizes, and those of the golden files.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/transformer.h"

namespace wf::testing {

// V 19, E 16, 2 layers, 4 heads with 2 key heads, D 4, F 24, one scheme.
ModelConfig tiny_config(const char* scheme, bool is_causal = true);

Transformer tiny_model(const char* scheme, std::uint64_t seed = 1, bool is_causal = true);

// A scheme with these options and defaults for the others.
using Settings = std::map<std::string, double>;
SchemeChoice choice_of(const char* id, const Settings& settings = {});

// Multiplies the weights by ten, so that attention is far from uniform.
void roughen(Transformer& model);
Transformer rough_model(const ModelConfig& config, std::uint64_t seed = 3);

// Returns the message with which a config is refused.
std::string refusal_of(const ModelConfig& config);

// Returns an untrained model with the sizes and schemes of a config.json.
Transformer model_of_config(const nlohmann::json& config);

// Returns the model of a golden file, with its weights.
Transformer golden_model(const nlohmann::json& file);

struct GoldenBatch {
  int batch = 0;
  int length = 0;
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> targets;  // -1: ignored
  int counted = 0;

  TokenBatch tokens() const;
};
GoldenBatch golden_batch(const nlohmann::json& file);

// Returns `count` random ids below `bound`.
std::vector<std::int32_t> random_ids(std::uint64_t seed, int count, int bound);

}  // namespace wf::testing
