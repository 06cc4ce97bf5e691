// The plain kernels. Sizes agree with the lists: TypeScript has checked them.
#include <algorithm>

#include "call.h"
#include "kernels/dot.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/softmax.h"

namespace wf::binding {
namespace {

// b [k,n], or [n,k] where it is transposed.
Operand right_operand(const float* b, int n, int k, bool transpose) {
  return transpose ? Operand{b, k}.transposed() : Operand{b, n};
}

// A right operand, packed once.
class MatrixHandle : public Object {
 public:
  Buffer<float> panels;
};

// Numbers that stay.
class TensorHandle : public Object {
 public:
  Buffer<float> floats;
};

// The numbers; -infinity may be among them. Its address, that of the numbers, whether -infinity is.
Status make_tensor(Arguments& arguments, Answer& answer) {
  const std::span<const float> given = arguments.finite_floats(true);
  WF_RETURN_IF_ERROR(arguments.status());
  auto* tensor = new (std::nothrow) TensorHandle;
  WF_RETURN_IF_ERROR(answer.add_new(tensor));
  WF_RETURN_IF_ERROR(tensor->floats.reserve(given.size()));
  std::copy(given.begin(), given.end(), tensor->floats.begin());
  answer.add(static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor->floats.data())));
  answer.add(all_finite(given.data(), given.size()) ? 0 : 1);
  return {};
}

// n, k, whether b is [n,k], b
Status make_matrix(MatrixHandle& matrix, Arguments& arguments) {
  const int n = arguments.integer(), k = arguments.integer();
  const bool transpose = arguments.flag();
  const float* b = arguments.finite_floats().data();
  WF_RETURN_IF_ERROR(arguments.status());
  WF_RETURN_IF_ERROR(matrix.panels.reserve(panel_floats(k, n)));
  pack_panels(right_operand(b, n, k, transpose), k, n, matrix.panels.data());
  return {};
}

// m, n, k, whether b is [n,k], a [m,k], and b, or nothing and then the matrix. c [m,n]
Status product(Arguments& arguments, Answer& answer) {
  const int m = arguments.integer(), n = arguments.integer(), k = arguments.integer();
  const bool transpose = arguments.flag();
  const std::span<const float> given_a = arguments.unseen_floats(),
                               given_b = arguments.unseen_floats();
  const float *a = given_a.data(), *b = given_b.data();
  static MatmulScratch scratch;  // made by the first call
  if (!scratch.a.data()) {
    WF_ASSIGN_OR_RETURN(scratch, MatmulScratch::make());
  }
  WF_ASSIGN_OR_RETURN(float* c, answer.unwritten_floats({1.0 * m, 1.0 * n}));
  if (b)
    matmul(m, n, k, 1, {a, k}, right_operand(b, n, k, transpose), c, n, Accumulate::kNo, scratch);
  else
    matmul(m, n, k, a,
           {arguments.object<MatrixHandle>().panels.data(), std::ptrdiff_t{k} * kPanelColumns}, c,
           scratch);
  // What is not finite in a row of a, or a column of b, makes all products with it so.
  float zero = 0;
  for (int i = 1; i < m; ++i) zero += c[std::size_t{1} * i * n] * 0;
  if (zero == 0 && all_finite(c, n)) return {};
  arguments.forbid_not_finite(given_a);
  arguments.forbid_not_finite(given_b);
  return arguments.status();
}

Matrix rows_of(std::span<float> x, int columns) {
  return {x.data(), static_cast<int>(x.size() / columns), columns, columns};
}

// The columns, and x, of which each row is replaced.
Status softmax(Arguments& arguments, Answer&) {
  const int columns = arguments.integer();
  const Matrix x = rows_of(arguments.finite_floats(), columns);
  WF_RETURN_IF_ERROR(arguments.status());
  for (int t = 0; t < x.rows; ++t)
    scale_row(x.row(t), columns,
              1 / exponentials(x.row(t), columns, row_maximum(x.row(t), columns)));
  return {};
}

// Epsilon, weight, bias, and x, of which each row is replaced.
Status layer_normed(Arguments& arguments, Answer&) {
  const auto epsilon = static_cast<float>(arguments.number());
  const std::span<const float> weight = arguments.finite_floats();
  const float* bias = arguments.finite_floats().data();
  const Matrix x = rows_of(arguments.finite_floats(), static_cast<int>(weight.size()));
  WF_RETURN_IF_ERROR(arguments.status());
  layer_norm(x, weight.data(), bias, epsilon, x);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(products) {
  using namespace wf::binding;
  bind<&product>("matmul");
  bind<&make_matrix>("makeMatrix");
  bind<&make_tensor>("makeTensor");
  bind<&softmax>("softmax");
  bind<&layer_normed>("layerNorm");
}
