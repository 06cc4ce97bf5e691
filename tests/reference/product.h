// A matrix product as plain loops.
#pragma once

#include <vector>

namespace wf::reference {

// Returns y [rows, out] = x [rows, in] · wᵀ with w [out, in] if transposed, otherwise x · w with w
// [in, out].
std::vector<float> product(const std::vector<float>& x, const float* w, int in, int out,
                           bool transposed);

}  // namespace wf::reference
