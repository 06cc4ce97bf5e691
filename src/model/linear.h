// Projections of rows, with the weights of Hugging Face's linear layers: W [out,in].
#pragma once

#include <initializer_list>

#include "kernels/matmul.h"

namespace wf {

// A weight matrix in one of two storage forms; only code that reads all of it handles the second.
struct Weight {
  const float* values = nullptr;
  const QuantisedMatrix* quantised = nullptr;  // if `values` is null

  bool is_absent() const { return !values && !quantised; }
};

// y [rows,out] (rows y_stride apart) = scale · x [rows,in] · Wᵀ, or added to y.
void multiply_by(int rows, int in, int out, const float* x, Weight weight, float* y,
                 std::ptrdiff_t y_stride, Accumulate accumulate, MatmulScratch& scratch,
                 float scale);

// y [rows,out] = scale · (x [rows,in] · Wᵀ + bias), or added to y. `bias` [out] may be null.
void project(int rows, int in, int out, const float* x, Weight weight, const float* bias, float* y,
             Accumulate accumulate, MatmulScratch& scratch, float scale = 1);

// One of several projections of the same rows: its y [rows,out].
struct ProjectedRows {
  int out;
  Weight weight;
  const float* bias;
  float* y;
};
inline constexpr std::size_t kMaxProjections = 3;

// y = x [rows,in] · Wᵀ + bias for each of up to kMaxProjections; quantised ones are computed as one
// job.
void project_all(int rows, int in, const float* x, std::initializer_list<ProjectedRows> projections,
                 MatmulScratch& scratch);

// d_x [rows,in] (+)= scale · d_y [rows,out] · W.
void project_back(int rows, int in, int out, const float* d_y, const float* weight, float* d_x,
                  Accumulate accumulate, MatmulScratch& scratch, float scale = 1);

// d_W [out,in] += scale · d_yᵀ · x, and d_bias [out] += scale · Σ d_y, unless it is null.
void add_weight_gradient(int rows, int in, int out, const float* d_y, const float* x, float* d_w,
                         float* d_bias, MatmulScratch& scratch, float scale = 1);

}  // namespace wf
