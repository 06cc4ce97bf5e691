// The rotation used by all rotary schemes.
#pragma once

#include "tensor/view.h"

namespace wf {

// Rotates pairs of channels of each row of x [T,D] counter-clockwise:
//   (a, b) -> (a cos - b sin, a sin + b cos)
// cosines and sines are [T, pairs], dense. Pair t is channels (t, t + pairs), or (2t, 2t + 1) if
// interleaved; channels from 2 · pairs on are not changed.
void rotate_pairs(const float* cosines, const float* sines, int pairs, bool interleaved, Matrix x);

// The inverse rotation. It is also the transpose, and therefore the backward pass.
void rotate_pairs_back(const float* cosines, const float* sines, int pairs, bool interleaved,
                       Matrix x);

}  // namespace wf
