#include "model/linear.h"

namespace wf {
namespace {

// y += scale · x, `count` numbers.
void add_scaled(const float* x, int count, float scale, float* y) {
  for (int i = 0; i < count; ++i) y[i] += scale * x[i];
}

void add_bias(int rows, int out, const float* bias, float scale, float* y) {
  for (int i = 0; bias && i < rows; ++i) add_scaled(bias, out, scale, y + std::ptrdiff_t{i} * out);
}

}  // namespace

void multiply_by(int rows, int in, int out, const float* x, Weight weight, float* y,
                 std::ptrdiff_t y_stride, Accumulate accumulate, MatmulScratch& scratch,
                 float scale) {
  if (weight.quantised)
    return matmul(rows, out, in, scale, {x, in}, *weight.quantised, y, y_stride, accumulate,
                  scratch);
  matmul(rows, out, in, scale, {x, in}, Operand{weight.values, in}.transposed(), y, y_stride,
         accumulate, scratch);
}

void project(int rows, int in, int out, const float* x, Weight weight, const float* bias, float* y,
             Accumulate accumulate, MatmulScratch& scratch, float scale) {
  multiply_by(rows, in, out, x, weight, y, out, accumulate, scratch, scale);
  add_bias(rows, out, bias, scale, y);
}

void project_all(int rows, int in, const float* x, std::initializer_list<ProjectedRows> projections,
                 MatmulScratch& scratch) {
  QuantisedProduct joined[kMaxProjections];
  std::size_t count = 0;
  for (const auto& [out, weight, bias, y] : projections) {
    if (weight.quantised)
      joined[count++] = {*weight.quantised, y, out};
    else
      multiply_by(rows, in, out, x, weight, y, out, Accumulate::kNo, scratch, 1);
  }
  if (count) matmul(rows, in, 1, {x, in}, {joined, count}, Accumulate::kNo, scratch);
  for (const auto& [out, weight, bias, y] : projections) add_bias(rows, out, bias, 1, y);
}

void project_back(int rows, int in, int out, const float* d_y, const float* weight, float* d_x,
                  Accumulate accumulate, MatmulScratch& scratch, float scale) {
  matmul(rows, in, out, scale, {d_y, out}, {weight, in}, d_x, in, accumulate, scratch);
}

void add_weight_gradient(int rows, int in, int out, const float* d_y, const float* x, float* d_w,
                         float* d_bias, MatmulScratch& scratch, float scale) {
  matmul(out, in, rows, scale, Operand{d_y, out}.transposed(), {x, in}, d_w, in, Accumulate::kYes,
         scratch);
  if (!d_bias) return;
  for (int i = 0; i < rows; ++i) add_scaled(d_y + std::ptrdiff_t{i} * out, out, scale, d_bias);
}

}  // namespace wf
