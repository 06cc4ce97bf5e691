// The types that cross the boundary, and the head of the list of what is registered. This stands in
// place of Embind's own file, whose forty types (wide strings, views, 64-bit integers) would bring
// two kilobytes of a download along. --emit-tsd refuses a binding of a type that is missing here.

#include <cstdlib>
#include <limits>
#include <string>
#include <typeinfo>

#include "boundary.h"
#include "format.h"

using emscripten::internal::InitFunc;
using emscripten::internal::TypeID;

namespace {

InitFunc* first_of_all = nullptr;

template <class T>
void register_integer(const char* name) {
  emscripten::internal::_embind_register_integer(TypeID<T>::get(), name, sizeof(T),
                                                 std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max());
}

}  // namespace

// What Embind's own file has for its headers and its JavaScript, under the names that they ask for.
extern "C" {

void _embind_register_bindings(InitFunc* bindings) {
  bindings->next = first_of_all;
  first_of_all = bindings;
}

void _embind_initialize_bindings() {
  for (const InitFunc* each = first_of_all; each; each = each->next) each->init_func();
}

// Of a type that was not registered: without run-time type information it has but an address.
// JavaScript frees the text.
const char* __getTypeName(const std::type_info* type) {
  constexpr std::size_t kBytes = 16;
  auto* name = static_cast<char*>(std::malloc(kBytes));
  if (name) wf::format_text(name, kBytes, "%zu", reinterpret_cast<std::size_t>(type));
  return name;
}
}

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  register_integer<int>("int");
  register_integer<unsigned long>("unsigned long");
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
}
