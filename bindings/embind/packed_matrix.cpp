#include "calls/packed_matrix.h"

#include "boundary.h"
#include "calls/products.h"

namespace wf::binding {
namespace {

using calls::PackedMatrix;

PackedMatrix* make(int depth, int columns, bool transpose, Address b, int b_length) {
  return handed_over(PackedMatrix::make(workspace(), depth, columns, transpose, {b, b_length}));
}

Code multiply(const PackedMatrix& matrix, int rows, Address a, int a_length, Address out,
              int out_length) {
  return report(calls::matmul(workspace(), rows, matrix, {a, a_length}, {out, out_length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(packed_matrix) {
  using namespace wf::binding;
  emscripten::class_<PackedMatrix>("Matrix")
      .class_function("make(depth, columns, transpose, b, bLength)", &make,
                      emscripten::allow_raw_pointers())
      .function("multiply(rows, a, aLength, out, outLength)", &multiply);
}
