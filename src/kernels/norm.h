// Root-mean-square normalisation (Zhang & Sennrich 2019, arXiv 1910.07467, eq. 4).
#pragma once

#include "tensor/view.h"

namespace wf {

// y = x / √(mean(x²) + epsilon) · weight for each row; x, y [T,E], weight [E], and the reciprocal
// root of each row in inverse_rms [T] for the backward pass.
void rms_norm(ConstMatrix x, const float* weight, float epsilon, Matrix y, float* inverse_rms);

// Adds to d_x [T,E] and d_weight [E] (which may be null).
void rms_norm_backward(ConstMatrix x, const float* weight, const float* inverse_rms,
                       ConstMatrix d_y, Matrix d_x, float* d_weight);

}  // namespace wf
