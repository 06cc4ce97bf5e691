// A case's tokens through a KV cache, in pieces.
#pragma once

#include <vector>

#include "contract/attention_case.h"

namespace wf::contract {

// The largest difference between decoding the case's tokens in these steps and, for each step, the
// last rows of a prefill that ends where it does. A step is a number of tokens, or below 0 of those
// to be forgotten, after which a copy of the cache goes on.
double decode_differs(AttentionCase& problem, const std::vector<int>& steps);

}  // namespace wf::contract
