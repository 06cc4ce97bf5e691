// The sizes and layer types of a model, collected step by step before the model is made.
#pragma once

#include <memory>

#include "calls/scheme_choice.h"

namespace wf::calls {

class ModelLayout {
 public:
  // With the sizes and the architecture of `config`, without cutoffs and layer types. Errors:
  // kInvalidArgument, naming the field; kUnsupported for an invalid combination.
  static Result<std::unique_ptr<ModelLayout>> make(const ModelConfig& config);

  // Sets the first tokens of an adaptive softmax's clusters (int32).
  Status set_cutoffs(const Workspace& workspace, List cutoffs);
  // Adds a layer type, without schemes.
  Status add_layer_type(const LayerType& layer_type);
  // Adds a scheme to the layer type added last.
  Status add_scheme(const ChosenScheme& scheme);
  // Sets the layer type of each layer (bytes, from 0).
  Status set_layer_types(const Workspace& workspace, List kinds);

  const ModelConfig& config() const { return config_; }

 private:
  explicit ModelLayout(const ModelConfig& config) : config_(config) {}

  ModelConfig config_;
};

}  // namespace wf::calls
