// The rotation shared by the rotary family.
#pragma once

#include "tensor/view.h"

namespace wf {

// Turns pairs of channels of each row of x [T,D] counter-clockwise:
//   (a, b) -> (a cos - b sin, a sin + b cos)
// cosines and sines are [T, pairs], dense. Pair t is channels (t, t + pairs), or (2t, 2t + 1) when
// interleaved; channels from 2 · pairs on are left alone.
void rotate_pairs(const float* cosines, const float* sines, int pairs, bool interleaved, Matrix x);

// The inverse rotation, which is also its transpose, hence the backward pass.
void rotate_pairs_back(const float* cosines, const float* sines, int pairs, bool interleaved,
                       Matrix x);

}  // namespace wf
