// What belongs to the whole engine: the last error, and its memory.
#include <emscripten/heap.h>

#include "guard.h"

namespace wf::binding {
namespace {

// Of the 2 GiB that the module may grow to, what is left for the stack, for Embind's strings and
// for objects that are too small to be worth counting: those could not report that they failed.
constexpr std::size_t kMostBufferBytes = (std::size_t{2} << 30) - (std::size_t{32} << 20);

std::string last_code() { return code_name(last_error().code()); }
std::string last_message() { return last_error().message(); }
double memory_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(engine) {
  using namespace wf::binding;
  wf::set_memory_limit(kMostBufferBytes);
  emscripten::function("lastErrorCode", &last_code);
  emscripten::function("lastErrorMessage", &last_message);
  emscripten::function("memoryBytes", &memory_bytes);
}
