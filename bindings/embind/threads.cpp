#include "boundary.h"
#include "thread_pool.h"

namespace wf::binding {
namespace {

Code start(int workers, bool may_sleep) { return report(start_threads(workers, may_sleep)); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(threads) {
  using namespace wf::binding;
  emscripten::value_object<ThreadFunctions>("ThreadFunctions")
      .field("begin", &ThreadFunctions::begin)
      .field("serve", &ThreadFunctions::serve)
      .field("fail", &ThreadFunctions::fail);
  emscripten::value_object<ThreadMemory>("ThreadMemory")
      .field("block", &ThreadMemory::block)
      .field("stackTop", &ThreadMemory::stack_top);
  emscripten::function("startThreads(workers, maySleep)", &start);
  emscripten::function("threadFunctions()", &thread_functions);
  emscripten::function("threadMemory(worker)", &thread_memory);
  emscripten::function("useThreads()", &use_threads);
}
