// Decodes the tokens of a case with a KV cache, in steps.
#pragma once

#include <vector>

#include "contract/attention_case.h"

namespace wf::contract {

// Decodes the case's tokens in these steps. Compares each step's output with the last rows of a
// prefill of the same length, and returns the largest difference. A positive step is a number of
// tokens to append; a negative step removes that many from the end, and decoding continues with a
// copy of the cache.
double decode_differs(AttentionCase& problem, const std::vector<int>& steps);

}  // namespace wf::contract
