// The sigmoid, and the activations of feed-forward layers, plain or gated (Shazeer 2020, arXiv
// 2002.05202).
#pragma once

#include <cstddef>

#include "words.h"

namespace wf {

// y = gate · sigmoid(gate) · up, `count` elements.
void swiglu(const float* gate, const float* up, std::size_t count, float* y);

// Writes d_gate and d_up from d_y.
void swiglu_backward(const float* gate, const float* up, const float* d_y, std::size_t count,
                     float* d_gate, float* d_up);

// GELU is x · Φ(x) (Hendrycks & Gimpel 2016, arXiv 1606.08415, section 2), by erf or by its
// approximations with tanh (kGeluTanh) and with the sigmoid (kGeluSigmoid). kReluSquared is the
// square of max(x, 0) (So et al. 2021, arXiv 2109.08668).
#define WF_ACTIVATIONS(X)        \
  X(kSilu, "silu")               \
  X(kGelu, "gelu")               \
  X(kGeluTanh, "geluTanh")       \
  X(kRelu, "relu")               \
  X(kGeluSigmoid, "geluSigmoid") \
  X(kReluSquared, "reluSquared")
WF_ENUM_WITH_WORDS(Activation, WF_ACTIVATIONS)
#undef WF_ACTIVATIONS

// y = activation(x) · factor, `count` elements; `factor` may be null: activation(x). y may be x.
void activate(Activation activation, const float* x, const float* factor, std::size_t count,
              float* y);

// Writes d_x and, unless factor is null, d_factor from d_y.
void activate_backward(Activation activation, const float* x, const float* factor, const float* d_y,
                       std::size_t count, float* d_x, float* d_factor);

// x = sigmoid(x) in place, exactly 0 below -80. Returns their sum.
float sigmoid_row(float* x, int count);

}  // namespace wf
