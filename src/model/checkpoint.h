// A model's weights to and from safetensors bytes.
#pragma once

#include "model/safetensors.h"
#include "model/tensor_plan.h"
#include "model/transformer.h"

namespace wf {

// All tensors of the model under their names. F16 rounds each number to the nearest half.
// Errors: kInvalidArgument, kOutOfMemory.
Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype);

// Fills the model's values from bytes in F32, F16 or BF16, each tensor from where the plan says; by
// default from that of its own name, and a tied head that is also stored (`lm_head.weight`) is
// passed over. Errors: kMalformedFile, naming the tensor that is missing, unknown, of another shape
// or, unless that is allowed, not finite; kUnsupported for a tied head that is not the embedding,
// and for other dtypes. The model is then unchanged.
Status load_model(std::span<const std::uint8_t> bytes, Transformer& model,
                  bool allow_not_finite = false);
Status load_model(std::span<const std::uint8_t> bytes, Transformer& model, const TensorPlan& plan,
                  bool allow_not_finite);

}  // namespace wf
