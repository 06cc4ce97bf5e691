// Saves a model's weights to safetensors bytes, and loads them.
#pragma once

#include "model/safetensors.h"
#include "model/tensor_plan.h"
#include "model/transformer.h"

namespace wf {

// All tensors of the model under their names. With F16, numbers are rounded to the nearest half.
// Errors: kInvalidArgument, kOutOfMemory.
Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype);

// Loads the model's weights from the bytes of a file (CheckpointReader), according to a plan (text,
// tensor_plan.h). The default plan reads tensors by name, and skips a stored copy of a tied head
// (`lm_head.weight`). Errors: those of CheckpointReader; the model is then unchanged.
Status load_model(std::span<const std::uint8_t> bytes, Transformer& model,
                  std::string_view plan = {}, bool allow_not_finite = false);

}  // namespace wf
