// The one test program: built natively under sanitizers, and twice as wasm.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "reference/deviations.h"

#if defined(__SANITIZE_ADDRESS__)
// A request that cannot be met must reach our allocator as null, as it does outside the sanitizer.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

int main(int count, char** arguments) {
  doctest::Context context(count, arguments);
  const int result = context.run();
  if (context.shouldExit()) return result;
  // Any argument may leave tests out.
  return wf::reference::finish_deviations(count == 1) ? result : 1;
}
