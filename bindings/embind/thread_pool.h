// The threads of the binary that has some: workers of JavaScript, each with an instance of the same
// module on the same memory. They sleep until there is work.
#pragma once

#include <cstdint>

#include "status.h"

namespace wf::binding {

// What a worker calls, by their places in the table of functions.
struct ThreadFunctions {
  std::uintptr_t begin = 0;  // takes block and stackTop, gives it a stack; it must do without one
  std::uintptr_t serve = 0;  // takes its number; its life, until JavaScript ends it
  std::uintptr_t fail = 0;  // takes its number; it has trapped in its part
};

// Memory of a worker's own.
struct ThreadMemory {
  std::uintptr_t block = 0;
  std::uintptr_t stack_top = 0;
};

// Takes memory for so many workers. Errors: kInvalidArgument for too many, kOutOfMemory, and
// kUnsupported in a binary for one thread.
Status start_threads(int workers, bool may_sleep);
ThreadFunctions thread_functions();
// Of a worker that start_threads counted.
ThreadMemory thread_memory(int worker);
// All of them have begun.
void use_threads();

}  // namespace wf::binding
