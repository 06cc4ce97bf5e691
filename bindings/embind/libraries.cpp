// What the libraries would link and nobody here needs. Symbols of the program come before those of
// archives, where its file comes first (CMakeLists.txt).
#include <emscripten/bind.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>  // declares the first

// The C++ library's last word; JavaScript sees a trap.
void std::__libcpp_verbose_abort(const char*, ...) noexcept { std::abort(); }

// Embind's own list of types: four kinds of strings, twenty of memory views, objects of JavaScript,
// and for each the scripts that convert it. Here integers alone cross.
static emscripten::internal::InitFunc* first = nullptr;

extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* next) {
  next->next = first;
  first = next;
}

extern "C" void _embind_initialize_bindings() {
  for (; first; first = first->next) first->init_func();
}

// The name of a type that is in no list, for a message of Embind's.
extern "C" const char* __getTypeName(const std::type_info*) { return strdup("of no name"); }

namespace {

using emscripten::internal::TypeID;

template <class T>
void register_integer(const char* name) {
  using Limits = std::numeric_limits<T>;
  emscripten::internal::_embind_register_integer(TypeID<T>::get(), name, sizeof(T), Limits::min(),
                                                 Limits::max());
}

}  // namespace

EMSCRIPTEN_BINDINGS(types) {
  emscripten::internal::_embind_register_void(TypeID<void>::get(), "void");
  register_integer<int>("int");
  register_integer<unsigned long>("unsigned long");
}
