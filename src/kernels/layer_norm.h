// Layer normalisation (Ba, Kiros & Hinton 2016, arXiv 1607.06450) with the population variance.
#pragma once

#include "tensor/view.h"

namespace wf {

// y = (x − mean) / √(variance + epsilon) · weight + bias for each row; x, y [T,E], weight, bias
// [E]. `bias` may be null, and y may be x.
void layer_norm(ConstMatrix x, const float* weight, const float* bias, float epsilon, Matrix y);

// Adds to d_x [T,E], d_weight [E] and d_bias [E] (which may be null). Recomputes the statistics of
// x.
void layer_norm_backward(ConstMatrix x, const float* weight, float epsilon, ConstMatrix d_y,
                         Matrix d_x, float* d_weight, float* d_bias);

}  // namespace wf
