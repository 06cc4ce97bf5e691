// A transformer as JavaScript holds it.
#pragma once

#include <optional>

#include "call.h"
#include "model/transformer.h"

namespace wf::binding {

// Sizes of a model and what its layers have, in the order of bindings/ts/config/model-config.ts.
Status read_config(Arguments& arguments, ModelConfig& config);

class ModelHandle : public Object {
 public:
  // Activations for sequences of this length, the last ones where they fit. Errors: kOutOfMemory.
  Result<TransformerActivations*> activations_for(int length);

  Transformer model;

 private:
  std::unique_ptr<TransformerActivations> activations_;
};

// The same sizes and weights, in memory of its own.
Status answer_with_copy(const Transformer& model, Answer& answer);

}  // namespace wf::binding
