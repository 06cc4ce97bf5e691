// The test program of the core, built natively with sanitizers and twice as WebAssembly.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "reference/deviations.h"

#if defined(__SANITIZE_ADDRESS__)
// An allocation that is too large must return null to the engine's allocator, as it does without
// the sanitizer.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

int main(int count, char** arguments) {
  doctest::Context context(count, arguments);
  const int result = context.run();
  if (context.shouldExit()) return result;
  // With an argument, some tests may not have run.
  return wf::reference::finish_deviations(count == 1) ? result : 1;
}
