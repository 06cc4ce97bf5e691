// The threads of the binary with threads: JavaScript workers, each with an instance of the same
// module on shared memory. They sleep until there is work.
#pragma once

#include <cstdint>

#include "status.h"

namespace wf::binding {

// Functions for workers, as indices into the function table.
struct ThreadFunctions {
  std::uintptr_t begin = 0;  // takes block and stackTop and sets the stack; it must not use one
  std::uintptr_t serve = 0;  // takes the worker's number; main loop, until JavaScript ends it
  std::uintptr_t fail = 0;  // takes the worker's number; called after a trap
};

// Memory of one worker.
struct ThreadMemory {
  std::uintptr_t block = 0;
  std::uintptr_t stack_top = 0;
};

// Allocates memory for `workers` workers. Errors: kInvalidArgument for too many, kOutOfMemory, and
// kUnsupported in a binary for one thread.
Status start_threads(int workers, bool may_sleep);
ThreadFunctions thread_functions();
// The memory of a worker of start_threads.
ThreadMemory thread_memory(int worker);
// Call it once all workers have started.
void use_threads();

}  // namespace wf::binding
