// Matrix products.
#pragma once

#include "calls/packed_matrix.h"
#include "calls/reader.h"

namespace wf::calls {

struct ProductSizes {
  int rows;     // of a and of the result
  int columns;  // of b and of the result
  int depth;    // columns of a, rows of b
  bool transpose_b;  // b is stored as [columns,depth]
};

// result [rows,columns] = a [rows,depth] · b [depth,columns]. Errors: kInvalidArgument for wrong
// lengths, for NaN and infinities; kOutOfMemory.
Status matmul(const Workspace& workspace, const ProductSizes& sizes, List a, List b, List result);
// As above, with a packed matrix.
Status matmul(const Workspace& workspace, int rows, const PackedMatrix& b, List a, List result);

}  // namespace wf::calls
