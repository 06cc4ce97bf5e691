// The right operand of products, packed once.
#pragma once

#include <memory>

#include "calls/reader.h"
#include "kernels/panels.h"

namespace wf::calls {

class PackedMatrix {
 public:
  // Copies b [depth,columns], or [columns,depth] if it is transposed. Errors: kInvalidArgument for
  // wrong lengths, for NaN and infinities; kOutOfMemory.
  static Result<std::unique_ptr<PackedMatrix>> make(const Workspace& workspace, int depth,
                                                    int columns, bool transpose, List b);

  int depth() const { return depth_; }
  int columns() const { return columns_; }
  Panels panels() const { return {panels_.data(), std::ptrdiff_t{depth_} * kPanelColumns}; }

 private:
  Buffer<float> panels_;
  int depth_ = 0, columns_ = 0;
};

// b [depth,columns], or [columns,depth] if it is transposed.
Operand right_operand(const float* b, int depth, int columns, bool transpose);

}  // namespace wf::calls
