// Replaces thread_pool.cpp in binaries for one thread.
#include "thread_pool.h"

namespace wf::binding {

Status start_threads(int, bool) {
  return Status::error(Code::kUnsupported, "threads: this binary has one thread");
}
ThreadFunctions thread_functions() { return {}; }
ThreadMemory thread_memory(int) { return {}; }
void use_threads() {}

}  // namespace wf::binding
