// Arrays as fields and as results: their address and number of elements.
#include "boundary.h"

EMSCRIPTEN_BINDINGS(lists) {
  using wf::calls::List;
  emscripten::value_object<List>("List")
      .field("address", &List::address)
      .field("length", &List::length);
}
