#include "calls/products.h"

#include "boundary.h"
#include "calls/rows.h"

namespace wf::binding {
namespace {

Code product(int rows, int columns, int depth, bool transpose_b, Address a, int a_length, Address b,
             int b_length, Address out, int out_length) {
  return report(calls::matmul(workspace(), {rows, columns, depth, transpose_b}, {a, a_length},
                              {b, b_length}, {out, out_length}));
}

Code softmax(int columns, Address x, int x_length) {
  return report(calls::softmax(workspace(), columns, {x, x_length}));
}

Code layer_norm(double epsilon, Address weight, int weight_length, Address bias, int bias_length,
                Address x, int x_length) {
  return report(calls::layer_norm(workspace(), epsilon, {weight, weight_length},
                                  {bias, bias_length}, {x, x_length}));
}

Code rms_norm(double epsilon, Address weight, int weight_length, Address x, int x_length) {
  return report(calls::rms_norm(workspace(), epsilon, {weight, weight_length}, {x, x_length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(products) {
  using namespace wf::binding;
  emscripten::function(
      "matmul(rows, columns, depth, transposeB, a, aLength, b, bLength, out, outLength)", &product);
  emscripten::function("softmax(columns, x, xLength)", &softmax);
  emscripten::function("layerNorm(epsilon, weight, weightLength, bias, biasLength, x, xLength)",
                       &layer_norm);
  emscripten::function("rmsNorm(epsilon, weight, weightLength, x, xLength)", &rms_norm);
}
