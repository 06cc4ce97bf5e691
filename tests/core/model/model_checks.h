// What every kind of model must pass.
#pragma once

#include <vector>

#include "model/transformer.h"

namespace wf::testing {

TransformerActivations activations_for(const Transformer& model, int batch, int length,
                                       Purpose purpose = Purpose::kTraining);

// Moves each tensor along its own gradient: the slope there is the gradient's length. In single
// precision the quotient is good to about 1e-5 / step.
void check_gradients(Transformer& model, const TokenBatch& batch,
                     const std::vector<std::int32_t>& targets, double step = 0.01);

// Saves a model of this config, and loads the file into another.
void check_saving(const ModelConfig& config);

// Logits of all positions of one sequence, [T,V].
std::vector<float> full_logits(const Transformer& model, const std::vector<std::int32_t>& ids);

// Reads the ids `chunk` at a time through a cache and compares with one full pass.
void check_decoding(const Transformer& model, const std::vector<std::int32_t>& ids, int chunk,
                    float tolerance);

}  // namespace wf::testing
