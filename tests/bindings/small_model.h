// A model with two layers, and its layout, which tests change into invalid ones.
#pragma once

#include "bindings/call_arguments.h"
#include "calls/model.h"

namespace wf::testing {

using calls::List;
using calls::Model;
using calls::ModelLayout;

constexpr int kVocabulary = 19, kWidth = 16, kLayers = 2, kHeads = 4, kChannels = 4;

inline ModelConfig sizes_of(int num_layers = kLayers) {
  return {.vocab_size = kVocabulary,
          .width = kWidth,
          .num_layers = num_layers,
          .num_heads = kHeads,
          .num_kv_heads = 2,
          .head_dim = kChannels,
          .intermediate = 24};
}

inline std::unique_ptr<ModelLayout> layout_of(const ModelConfig& sizes, const char* scheme = "rope",
                                              const std::vector<OptionNumbers>& options = {}) {
  auto made = ModelLayout::make(sizes);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  REQUIRE(made.value()->add_layer_type({}).ok());
  REQUIRE(made.value()->add_scheme(*chosen_scheme(scheme, options)).ok());
  return made.take();
}

inline std::unique_ptr<Model> model_of(const ModelLayout& layout, double seed = 1) {
  auto made = Model::make(layout, seed);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

inline std::unique_ptr<Model> small_model(const char* scheme = "rope") {
  return model_of(*layout_of(sizes_of(), scheme));
}

}  // namespace wf::testing
