#include "calls/tensor.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Tensor;

Tensor* make(Address numbers, int length) {
  return handed_over(Tensor::make(workspace(), {numbers, length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(tensor) {
  using namespace wf::binding;
  emscripten::class_<Tensor>("Tensor")
      .class_function("make(numbers, length)", &make, emscripten::allow_raw_pointers())
      .function("address()", &Tensor::address)
      .function("hides()", &Tensor::hides);
}
