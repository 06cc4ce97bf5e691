#include "core/model/tiny_model.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reference/golden.h"
#include "tensor/random.h"

namespace wf::testing {

ModelConfig tiny_config(const char* scheme, bool is_causal) {
  ModelConfig config;
  config.vocab_size = 19;
  config.width = 16;
  config.num_layers = 2;
  config.num_heads = 4;
  config.num_kv_heads = 2;
  config.head_dim = 4;
  config.intermediate = 24;
  config.is_causal = is_causal;
  auto entry = find_scheme(scheme);
  REQUIRE(entry.ok());
  config.layer_types[0].add({entry.value(), default_options(*entry.value()->description)});
  return config;
}

Transformer tiny_model(const char* scheme, std::uint64_t seed, bool is_causal) {
  auto model = Transformer::make(tiny_config(scheme, is_causal), seed);
  REQUIRE_MESSAGE(model.ok(), model.status().message());
  return model.take();
}

SchemeChoice choice_of(const char* id, const Settings& settings) {
  SchemeChoice choice = tiny_config(id).layer_types[0].schemes[0];
  for (const auto& [key, value] : settings)
    REQUIRE(set_option(*choice.entry->description, choice.options, key.c_str(), value).ok());
  return choice;
}

Transformer rough_model(const ModelConfig& config, std::uint64_t seed) {
  auto made = Transformer::make(config, seed);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  Transformer model = made.take();
  roughen(model);
  return model;
}

std::string refusal_of(const ModelConfig& config) {
  const auto made = Transformer::make(config, 1);
  REQUIRE(!made.ok());
  return made.status().message();
}

void roughen(Transformer& model) {
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    if (info.dimensions != 2) continue;
    for (std::size_t j = 0; j < info.size(); ++j) model.values()[info.offset + j] *= 10;
  }
}

namespace {

LayerType layer_type_of_config(const nlohmann::json& source) {
  LayerType layer_type;
  layer_type.sliding_window = source.value("sliding_window", 0);
  layer_type.chunk_size = source.value("attention_chunk_size", 0);
  if (source.value("query_key_norm", "") == "weighted")
    layer_type.query_key_norm = QueryKeyNorm::kWeighted;
  for (const nlohmann::json& scheme : source["schemes"]) {
    auto entry = find_scheme(scheme["id"].get<std::string>().c_str());
    REQUIRE(entry.ok());
    SchemeChoice choice = {entry.value(), default_options(*entry.value()->description)};
    for (const auto& [key, value] : scheme["options"].items()) {
      REQUIRE(set_option(*choice.entry->description, choice.options, key.c_str(),
                         value.is_boolean() ? value.get<bool>() : value.get<double>())
                  .ok());
    }
    layer_type.add(choice);
  }
  return layer_type;
}

}  // namespace

Transformer model_of_config(const nlohmann::json& source) {
  ModelConfig config;
  config.vocab_size = source["vocab_size"];
  config.width = source["hidden_size"];
  config.num_layers = source["num_hidden_layers"];
  config.num_heads = source["num_attention_heads"];
  config.num_kv_heads = source["num_key_value_heads"];
  config.head_dim = source["head_dim"];
  config.intermediate = source["intermediate_size"];
  config.norm_epsilon = source["rms_norm_eps"];
  config.is_causal = source["is_causal"];
  config.sinks = source.value("attention_sinks", false);
  config.softcap = source.value("attn_logit_softcapping", 0.0f);
  config.final_softcap = source.value("final_logit_softcapping", 0.0f);
  if (!source.contains("layers")) {
    config.layer_types[0] = layer_type_of_config(source);
  } else {
    config.layer_type_count = 0;
    for (const auto& [type, layer_type] : source["layers"].items()) {
      for (std::size_t layer = 0; layer < source["layer_types"].size(); ++layer)
        if (source["layer_types"][layer] == type)
          config.layer_type_of[layer] = static_cast<std::uint8_t>(config.layer_type_count);
      config.layer_types[config.layer_type_count++] = layer_type_of_config(layer_type);
    }
  }
  auto made = Transformer::make(config, 0);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

Transformer golden_model(const nlohmann::json& file) {
  Transformer model = model_of_config(file["config"]);
  int filled = 0;
  for (const auto& [name, tensor] : file["weights"].items()) {
    const TensorInfo* info = model.parameters().find(name.c_str());
    REQUIRE_MESSAGE(info, name);
    const std::vector<float> values = reference::floats(tensor);
    REQUIRE(values.size() == info->size());
    std::copy(values.begin(), values.end(), model.values() + info->offset);
    ++filled;
  }
  REQUIRE(filled == model.parameters().count());
  return model;
}

TokenBatch GoldenBatch::tokens() const {
  TokenBatch tokens;
  tokens.ids = ids.data();
  tokens.batch = batch;
  tokens.length = length;
  return tokens;
}

GoldenBatch golden_batch(const nlohmann::json& file) {
  GoldenBatch batch;
  const std::vector<int> shape = reference::shape(file["inputIds"]);
  batch.batch = shape[0];
  batch.length = shape[1];
  batch.ids = file["inputIds"]["data"].get<std::vector<std::int32_t>>();
  batch.targets = file["labels"]["data"].get<std::vector<std::int32_t>>();
  for (std::int32_t& target : batch.targets) {
    if (target < 0)
      target = -1;
    else
      ++batch.counted;
  }
  return batch;
}

std::vector<std::int32_t> random_ids(std::uint64_t seed, int count, int bound) {
  Random random(seed);
  std::vector<std::int32_t> ids;
  for (int i = 0; i < count; ++i)
    ids.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(bound))));
  return ids;
}

}  // namespace wf::testing
