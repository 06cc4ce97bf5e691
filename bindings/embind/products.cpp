// The plain kernels. Sizes agree with the lists: TypeScript has checked them.
#include <algorithm>

#include "call.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/softmax.h"

namespace wf::binding {
namespace {

// A copy of x to work in, which is the answer.
Result<Matrix> copied_rows(std::span<const float> x, int columns, Answer& answer) {
  WF_ASSIGN_OR_RETURN(float* rows, answer.room<float>(x.size()));
  std::copy(x.begin(), x.end(), rows);
  return Matrix{rows, static_cast<int>(x.size() / columns), columns, columns};
}

// m, n, k, whether b is [n,k], a [m,k], b [k,n]. c [m,n]
Status product(Arguments& arguments, Answer& answer) {
  static MatmulScratch scratch;  // made by the first call
  if (!scratch.a.data()) {
    WF_ASSIGN_OR_RETURN(scratch, MatmulScratch::make());
  }
  const int m = arguments.integer(), n = arguments.integer(), k = arguments.integer();
  const bool transpose_b = arguments.flag();
  const float* a = arguments.finite_floats().data();
  const float* b = arguments.finite_floats().data();
  WF_RETURN_IF_ERROR(arguments.status());
  WF_ASSIGN_OR_RETURN(float* c, answer.floats({1.0 * m, 1.0 * n}));
  matmul(m, n, k, 1, {a, k}, transpose_b ? Operand{b, k}.transposed() : Operand{b, n}, c, n,
         Accumulate::kNo, scratch);
  return {};
}

// The columns, x. The same shape
Status softmax(Arguments& arguments, Answer& answer) {
  const int columns = arguments.integer();
  WF_ASSIGN_OR_RETURN(const Matrix x, copied_rows(arguments.finite_floats(), columns, answer));
  WF_RETURN_IF_ERROR(arguments.status());
  for (int t = 0; t < x.rows; ++t)
    scale_row(x.row(t), columns, 1 / exponentials(x.row(t), columns, row_maximum(x.row(t), columns)));
  return {};
}

// Epsilon, x, weight, bias. The same shape
Status layer_normed(Arguments& arguments, Answer& answer) {
  const auto epsilon = static_cast<float>(arguments.number());
  const std::span<const float> values = arguments.finite_floats(), weight = arguments.finite_floats();
  const float* bias = arguments.finite_floats().data();
  WF_ASSIGN_OR_RETURN(const Matrix x, copied_rows(values, static_cast<int>(weight.size()), answer));
  WF_RETURN_IF_ERROR(arguments.status());
  layer_norm(x, weight.data(), bias, epsilon, x);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(products) {
  using namespace wf::binding;
  bind<&product>("matmul");
  bind<&softmax>("softmax");
  bind<&layer_normed>("layerNorm");
}
