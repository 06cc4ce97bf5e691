// The surgery of all layers of a model for a run (attention/surgery.h).
#pragma once

#include <memory>

#include "attention/surgery.h"
#include "calls/reader.h"
#include "model/transformer.h"

namespace wf::calls {

class ModelSurgery {
 public:
  // Without ablations, for a model with this number of layers.
  static Result<std::unique_ptr<ModelSurgery>> make(int num_layers);

  // Sets the ablations of a layer: bytes [H, kMaxTerms + ⌊D/2⌋], each an Ablation. Errors:
  // kInvalidArgument.
  Status set_layer(const Workspace& workspace, const Transformer& model, int layer, List ablations);

  // One surgery for each layer of this model. Errors: kInvalidArgument for a model with other
  // layers or heads.
  Result<std::span<const Surgery>> of(const Transformer& model) const;

 private:
  Status check(const ModelConfig& config) const;

  std::unique_ptr<Surgery[]> layers_;
  std::size_t count_ = 0;
  int num_heads_ = 0, head_dim_ = 0;  // of the layers with ablations; 0: none
};

}  // namespace wf::calls
