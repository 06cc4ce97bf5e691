// Projections of rows, with the weights of Hugging Face's linear layers: W [out,in].
#pragma once

#include "kernels/matmul.h"

namespace wf {

// y [rows,out] = scale · (x [rows,in] · Wᵀ + bias), or added to y. `bias` [out] may be null.
void project(int rows, int in, int out, const float* x, const float* weight, const float* bias,
             float* y, Accumulate accumulate, MatmulScratch& scratch, float scale = 1);

// d_x [rows,in] (+)= scale · d_y [rows,out] · W.
void project_back(int rows, int in, int out, const float* d_y, const float* weight, float* d_x,
                  Accumulate accumulate, MatmulScratch& scratch, float scale = 1);

// d_W [out,in] += scale · d_yᵀ · x, and d_bias [out] += scale · Σ d_y, unless it is null.
void add_weight_gradient(int rows, int in, int out, const float* d_y, const float* x, float* d_w,
                         float* d_bias, MatmulScratch& scratch, float scale = 1);

}  // namespace wf
