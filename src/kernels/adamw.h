// AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101, algorithm 2, decoupled decay).
#pragma once

#include <cstddef>

namespace wf {

struct AdamWStep {
  float learning_rate;
  float beta1 = 0.9f;
  float beta2 = 0.95f;
  float epsilon = 1e-8f;
  float weight_decay = 0;  // multiplies learning_rate, as in PyTorch
  float gradient_scale = 1;  // multiplies the gradient first (clipping, averaging)
  int step;                // 1-based, for the bias correction
};

// One step over `count` values; `first` and `second` are the running moments.
void adamw(const AdamWStep& step, std::size_t count, float* values, const float* gradients,
           float* first, float* second);

// Σ x², for clipping by the global norm; summed in double precision.
double sum_of_squares(const float* x, std::size_t count);

}  // namespace wf
