// How a registered function fails: it returns an error's code, or null where it makes an
// object, and the message is read afterwards. Nothing throws.
//
// Files here only register. What a call does stands in bindings/calls, which knows nothing of
// Emscripten, is compiled natively too, and checks every size and address that it is given.
// A pattern for all of them: names in the string of a binding ("matmul(rows, columns, ...)") become
// the parameters' names in bindings/ts/generated/module.ts, which --emit-tsd writes from here, so
// that this is the one place that says a signature. An array is two parameters, its address and its
// length, both in the workspace's block or of a tensor. What happens once (configs, descriptions)
// takes and gives value_objects with named fields; what happens in loops takes plain numbers.
#pragma once

#include <emscripten/bind.h>

#include <memory>

#include "calls/workspace.h"

namespace wf::binding {

using Address = std::uintptr_t;

// The one workspace of an instance of the module.
calls::Workspace& workspace();

// Keeps the status for `message()`, and gives its code.
Code report(Status status);

// What was made, which JavaScript owns from now on; null after a failure.
template <class T>
T* handed_over(Result<std::unique_ptr<T>> made) {
  report(made.status());
  return made.ok() ? made.take().release() : nullptr;
}

// A result with a `code`, which says whether the rest of it holds.
template <class T>
T answer(const Result<T>& result) {
  const Code code = report(result.status());
  if (result.ok()) return result.value();
  T failed;
  failed.code = code;
  return failed;
}

}  // namespace wf::binding
