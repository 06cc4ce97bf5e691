// The series of frequencies of sinusoidal and rotary schemes.
#pragma once

#include "tensor/view.h"

namespace wf {

// frequencies[t] = base^(-2t / width) for t = 0 … width/2 - 1, in radians a position
// (Vaswani et al. 2017, arXiv 1706.03762, section 3.5).
void geometric_frequencies(double base, int width, double* frequencies);

// cosines and sines [T, count] of position · frequency, times `factor`. Each frequency uses the
// position axis given by `axes` [count], if positions have several; null: the first axis. Angles
// are computed and reduced in double precision: at position 10⁵ a float32 angle has an error of
// 0.01 rad.
void rotation_table(const Positions& positions, const double* frequencies, int count, double factor,
                    float* cosines, float* sines, const std::uint8_t* axes = nullptr);

}  // namespace wf
