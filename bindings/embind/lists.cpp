// Arrays as fields and as results: where they lie and how many elements they have.
#include "boundary.h"

EMSCRIPTEN_BINDINGS(lists) {
  using wf::calls::List;
  emscripten::value_object<List>("List")
      .field("address", &List::address)
      .field("length", &List::length);
}
