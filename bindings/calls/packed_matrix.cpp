#include "calls/packed_matrix.h"

namespace wf::calls {

Operand right_operand(const float* b, int depth, int columns, bool transpose) {
  return transpose ? Operand{b, depth}.transposed() : Operand{b, columns};
}

Result<std::unique_ptr<PackedMatrix>> PackedMatrix::make(const Workspace& workspace, int depth,
                                                         int columns, bool transpose, List b) {
  Reader reader(workspace);
  const float* numbers = reader.floats("b", b, {1.0 * depth, 1.0 * columns});
  reader.forbid_not_finite(b);
  WF_RETURN_IF_ERROR(reader.status());
  auto matrix = std::make_unique<PackedMatrix>();
  matrix->depth_ = depth;
  matrix->columns_ = columns;
  WF_ASSIGN_OR_RETURN(const std::size_t count,
                      count_of({1.0 * depth, 1.0 * rounded_up(columns, kPanelColumns)}));
  WF_RETURN_IF_ERROR(matrix->panels_.reserve(count));
  pack_panels(right_operand(numbers, depth, columns, transpose), depth, columns,
              matrix->panels_.data());
  return matrix;
}

}  // namespace wf::calls
