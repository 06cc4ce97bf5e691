// The norm that an architecture specifies.
#pragma once

#include "model/config.h"
#include "tensor/view.h"

namespace wf {

// A null weight means that there is no norm.
template <class Float>
struct NormTensors {
  Float* weight = nullptr;  // [E]
  Float* bias = nullptr;    // [E], or null
};

// y = norm(x); y may be x. RMSNorm also writes 1 / rms [rows] for its backward pass.
void normalise(const ModelConfig& config, ConstMatrix x, NormTensors<const float> norm, Matrix y,
               float* inverse_rms);

// Adds to d_x and to the gradients of the norm.
void normalise_backward(const ModelConfig& config, ConstMatrix x, NormTensors<const float> norm,
                        const float* inverse_rms, ConstMatrix d_y, Matrix d_x,
                        NormTensors<float> gradients);

}  // namespace wf
