// What is cut out of the layers of a model while it runs (attention/surgery.h).
#pragma once

#include <memory>

#include "attention/surgery.h"
#include "calls/reader.h"
#include "model/transformer.h"

namespace wf::calls {

class ModelSurgery {
 public:
  // None yet, in any layer of a model of so many.
  static Result<std::unique_ptr<ModelSurgery>> make(int num_layers);

  // The cuts of a layer: bytes [H, kMaxTerms + ⌊D/2⌋], each a Cut. Errors: kInvalidArgument.
  Status set_layer(const Workspace& workspace, const Transformer& model, int layer, List ablations);

  // One for each layer of this model. Errors: kInvalidArgument for one of other layers or heads.
  Result<std::span<const Surgery>> of(const Transformer& model) const;

 private:
  Status check(const ModelConfig& config) const;

  std::unique_ptr<Surgery[]> layers_;
  std::size_t count_ = 0;
  int num_heads_ = 0, head_dim_ = 0;  // of the layers that have cuts; 0: none has
};

}  // namespace wf::calls
