// The sigmoid, and the gated feed-forward's activation (Shazeer 2020, arXiv 2002.05202, SwiGLU).
#pragma once

#include <cstddef>

namespace wf {

// y = gate · sigmoid(gate) · up, `count` elements.
void swiglu(const float* gate, const float* up, std::size_t count, float* y);

// Writes d_gate and d_up from d_y.
void swiglu_backward(const float* gate, const float* up, const float* d_y, std::size_t count,
                     float* d_gate, float* d_up);

// x = sigmoid(x) in place, exactly 0 below -80. Returns their sum.
float sigmoid_row(float* x, int count);

}  // namespace wf
