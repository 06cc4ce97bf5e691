// Error handling of registered functions: they return an error's code, or null instead of an
// object, and the message is read afterwards. Nothing throws.
//
// Files here contain registrations only. The implementation of a call is in bindings/calls, which
// does not depend on Emscripten, is also compiled natively, and checks every size and address.
// Conventions: names in the string of a binding ("matmul(rows, columns, ...)") become the
// parameters' names in bindings/ts/generated/module.ts, which --emit-tsd generates, so signatures
// are written only here. An array is two parameters, its address and its length, in the workspace's
// block or in a tensor. Calls that happen once (configs, descriptions) use value_objects with named
// fields; calls in loops use plain numbers.
#pragma once

#include <emscripten/bind.h>

#include <memory>

#include "calls/workspace.h"

namespace wf::binding {

using Address = std::uintptr_t;

// The workspace of this instance of the module.
calls::Workspace& workspace();

// Stores the status for `message()`, and returns its code.
Code report(Status status);

// Returns a new object, which JavaScript owns; null after an error.
template <class T>
T* handed_over(Result<std::unique_ptr<T>> made) {
  report(made.status());
  return made.ok() ? made.take().release() : nullptr;
}

// A result with a `code`; the other fields are valid only if that is kOk.
template <class T>
T answer(const Result<T>& result) {
  const Code code = report(result.status());
  if (result.ok()) return result.value();
  T failed;
  failed.code = code;
  return failed;
}

}  // namespace wf::binding
