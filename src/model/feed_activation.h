// The part of a feed-forward layer between its matrices.
#pragma once

#include "model/architecture.h"

namespace wf {

// hidden = activation(gate) · up of m rows of width f, within the limits of the architecture, which
// are applied to gate and up in place; without a gate activation(up). `hidden` may be one of them.
void activate_rows(const Architecture& architecture, int m, int f, float* gate, float* up,
                   float* hidden);

// From the gradient of hidden to those of gate and up, given their values after activate_rows.
void activate_rows_backward(const Architecture& architecture, int m, int f, const float* gate,
                            const float* up, const float* d_hidden, float* d_gate, float* d_up);

}  // namespace wf
