// Plain kernels that change rows of the workspace's block in place, one short function each.
// Errors: kInvalidArgument for wrong lengths, for NaN and infinities.
#pragma once

#include "calls/reader.h"
#include "kernels/layer_norm.h"
#include "kernels/norm.h"
#include "kernels/softmax.h"

namespace wf::calls {

// Views x as rows of `columns` numbers.
inline Matrix rows_of(Reader& reader, int columns, List x) {
  reader.refuse(check_range("columns", columns, 1, INT32_MAX));
  const int rows = columns > 0 ? x.length / columns : 0;
  return {reader.array<float>("x", x, {1.0 * rows, 1.0 * columns}), rows, columns, columns};
}

// Replaces each row of x [rows,columns] by its softmax.
inline Status softmax(const Workspace& workspace, int columns, List x) {
  Reader reader(workspace);
  const Matrix matrix = rows_of(reader, columns, x);
  reader.forbid_not_finite(x);
  WF_RETURN_IF_ERROR(reader.status());
  for (int t = 0; t < matrix.rows; ++t) {
    float* row = matrix.row(t);
    scale_row(row, columns, 1 / exponentials(row, columns, row_maximum(row, columns)));
  }
  return {};
}

// Replaces each row of x [rows,columns] by (x − mean) / √(variance + epsilon) · weight + bias;
// weight and bias [columns].
inline Status layer_norm(const Workspace& workspace, double epsilon, List weight, List bias,
                         List x) {
  Reader reader(workspace);
  const int columns = weight.length;
  reader.refuse(check_range("epsilon", epsilon, 0, 1));
  const float* factors = reader.floats("weight", weight, {1.0 * columns});
  const float* offsets = reader.floats("bias", bias, {1.0 * columns});
  const Matrix matrix = rows_of(reader, columns, x);
  for (const List list : {weight, bias, x}) reader.forbid_not_finite(list);
  WF_RETURN_IF_ERROR(reader.status());
  wf::layer_norm(matrix, factors, offsets, static_cast<float>(epsilon), matrix);
  return {};
}

// Replaces each row of x [rows,columns] by x / √(mean(x²) + epsilon) · weight; weight [columns].
inline Status rms_norm(const Workspace& workspace, double epsilon, List weight, List x) {
  Reader reader(workspace);
  const int columns = weight.length;
  reader.refuse(check_range("epsilon", epsilon, 0, 1));
  const float* factors = reader.floats("weight", weight, {1.0 * columns});
  const Matrix matrix = rows_of(reader, columns, x);
  for (const List list : {weight, x}) reader.forbid_not_finite(list);
  WF_RETURN_IF_ERROR(reader.status());
  for (int t = 0; t < matrix.rows; ++t) {
    const Matrix row = {matrix.row(t), 1, columns, columns};
    float inverse;  // needed for training only
    wf::rms_norm(row, factors, static_cast<float>(epsilon), row, &inverse);
  }
  return {};
}

}  // namespace wf::calls
