#include "boundary.h"

#include <emscripten/heap.h>

#include <cstdlib>
#include <string>

#include "words.h"

// libc++ calls this function on fatal errors, for example on a string without end, and documents it
// as one that a program may define ("Overriding the default termination handler"). The default also
// prints the reason, for which it links 128-bit floats; JavaScript sees a trap in both cases. Only
// newer versions declare it as noexcept.
void std::__libcpp_verbose_abort(const char*,
                                 ...) noexcept(noexcept(std::__libcpp_verbose_abort(""))) {
  std::abort();
}

namespace wf::binding {
namespace {

// The module's memory limit of 2 GiB, less memory for the stack and for small objects that are not
// counted, as their allocation cannot fail with an error.
constexpr std::size_t kMaxBufferBytes = (std::size_t{2} << 30) - (std::size_t{32} << 20);

Status last;

Code last_code() { return last.code(); }
std::string message() { return last.message(); }

std::uintptr_t reserve(double bytes) {
  return report(workspace().reserve(bytes)) == Code::kOk ? workspace().address() : 0;
}

void release() { workspace().release(); }

std::uintptr_t memory_bytes() { return emscripten_get_heap_size(); }

}  // namespace

calls::Workspace& workspace() {
  static calls::Workspace only;
  return only;
}

Code report(Status status) {
  last = status;
  return status.code();
}

}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(boundary) {
  using namespace wf::binding;
  wf::set_memory_limit(kMaxBufferBytes);
  register_words<wf::Code>("Code");
  emscripten::function("lastCode()", &last_code);
  emscripten::function("message()", &message);
  emscripten::function("reserve(bytes)", &reserve);
  emscripten::function("release()", &release);
  emscripten::function("memoryBytes()", &memory_bytes);
}
