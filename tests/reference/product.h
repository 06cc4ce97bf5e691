// A matrix product as plainly as it is written down.
#pragma once

#include <vector>

namespace wf::reference {

// y [rows, out] = x [rows, in] · wᵀ, w [out, in]; or, where not transposed, · w, w [in, out].
std::vector<float> product(const std::vector<float>& x, const float* w, int in, int out,
                           bool transposed);

}  // namespace wf::reference
