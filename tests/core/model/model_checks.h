// Checks that every kind of model must pass.
#pragma once

#include <vector>

#include "model/transformer.h"

namespace wf::testing {

TransformerActivations activations_for(const Transformer& model, int batch, int length,
                                       Purpose purpose = Purpose::kTraining);

// Moves each tensor along its gradient and compares the slope with the gradient's length. In single
// precision the quotient is accurate to about 1e-5 / step.
void check_gradients(Transformer& model, const TokenBatch& batch,
                     const std::vector<std::int32_t>& targets, double step = 0.01);

// Saves a model with this config, loads the file into another model and compares them.
void check_saving(const ModelConfig& config);

// Returns the logits of all positions of one sequence, [T,V].
std::vector<float> full_logits(const Transformer& model, const std::vector<std::int32_t>& ids);

// Decodes the ids in pieces of `chunk` tokens with a cache, and compares the logits with one full
// pass.
void check_decoding(const Transformer& model, const std::vector<std::int32_t>& ids, int chunk,
                    float tolerance);

}  // namespace wf::testing
