// A model's weights to and from safetensors bytes.
#pragma once

#include "model/safetensors.h"
#include "model/tensor_plan.h"
#include "model/transformer.h"

namespace wf {

// All tensors of the model under their names. F16 rounds each number to the nearest half.
// Errors: kInvalidArgument, kOutOfMemory.
Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype);

// Fills the model's values from the bytes of a file that CheckpointReader reads, each tensor from
// where the plan says (text, tensor_plan.h); by default from that of its own name, and a tied head
// that is also stored (`lm_head.weight`) is passed over. Errors: those of CheckpointReader. The
// model is then unchanged.
Status load_model(std::span<const std::uint8_t> bytes, Transformer& model,
                  std::string_view plan = {}, bool allow_not_finite = false);

}  // namespace wf
