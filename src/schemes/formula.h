// A positional encoding that its user writes as formulas. It is in the registry behind the list of
// schemes: without formulas it has no effect, so it cannot be described or compared like them.
#pragma once

#include "schemes/entry.h"

namespace wf {

extern const SchemeEntry formula_entry;

}  // namespace wf
