// A positional encoding that its user writes as formulas. Not in the registry yet, because the
// package has no options that are texts: only native code and tests can choose it.
#pragma once

#include "schemes/entry.h"

namespace wf {

extern const SchemeEntry formula_entry;

}  // namespace wf
