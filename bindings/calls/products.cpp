#include "calls/products.h"

#include "kernels/dot.h"
#include "kernels/matmul.h"

namespace wf::calls {
namespace {

// Allocated by the first product.
Result<MatmulScratch*> product_scratch() {
  static MatmulScratch scratch;
  if (!scratch.a.data()) {
    WF_ASSIGN_OR_RETURN(scratch, MatmulScratch::make());
  }
  return &scratch;
}

// A number that is not finite in a row of a, or a column of b, makes all its products so: checks
// the first column and the first row of c, and only if these are not finite the operands.
Status check_product(Reader& reader, const float* c, int rows, int columns, List a, List b) {
  float zero = 0;
  for (int i = 1; i < rows; ++i) zero += c[std::size_t{1} * i * columns] * 0;
  if (zero == 0 && all_finite(c, columns)) return {};
  reader.forbid_not_finite(a);
  reader.forbid_not_finite(b);
  return reader.status();
}

}  // namespace

Status matmul(const Workspace& workspace, const ProductSizes& sizes, List a, List b, List result) {
  const int m = sizes.rows, n = sizes.columns, k = sizes.depth;
  Reader reader(workspace);
  const float* left = reader.floats("a", a, {1.0 * m, 1.0 * k});
  const float* right = reader.floats("b", b, {1.0 * k, 1.0 * n});
  float* c = reader.result<float>("out", result, {1.0 * m, 1.0 * n});
  WF_RETURN_IF_ERROR(reader.status());
  WF_ASSIGN_OR_RETURN(MatmulScratch * scratch, product_scratch());
  matmul(m, n, k, 1, {left, k}, right_operand(right, k, n, sizes.transpose_b), c, n,
         Accumulate::kNo, *scratch);
  return check_product(reader, c, m, n, a, b);
}

Status matmul(const Workspace& workspace, int rows, const PackedMatrix& b, List a, List result) {
  const int n = b.columns(), k = b.depth();
  Reader reader(workspace);
  const float* left = reader.floats("a", a, {1.0 * rows, 1.0 * k});
  float* c = reader.result<float>("out", result, {1.0 * rows, 1.0 * n});
  WF_RETURN_IF_ERROR(reader.status());
  WF_ASSIGN_OR_RETURN(MatmulScratch * scratch, product_scratch());
  matmul(rows, n, k, left, b.panels(), c, *scratch);
  return check_product(reader, c, rows, n, a, {});
}

}  // namespace wf::calls
