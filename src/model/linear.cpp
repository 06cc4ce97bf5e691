#include "model/linear.h"

namespace wf {
namespace {

// y += scale · x, `count` numbers.
void add_scaled(const float* x, int count, float scale, float* y) {
  for (int i = 0; i < count; ++i) y[i] += scale * x[i];
}

}  // namespace

void project(int rows, int in, int out, const float* x, const float* weight, const float* bias,
             float* y, Accumulate accumulate, MatmulScratch& scratch, float scale) {
  matmul(rows, out, in, scale, {x, in}, Operand{weight, in}.transposed(), y, out, accumulate,
         scratch);
  if (!bias) return;
  for (int i = 0; i < rows; ++i) add_scaled(bias, out, scale, y + std::ptrdiff_t{i} * out);
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
