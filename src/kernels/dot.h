// Vector operations used by all other kernels.
#pragma once

#include <cstddef>

namespace wf {

// Σ a·b over `count` floats, in four separate sums, since one sum would wait for each addition.
float dot(const float* a, const float* b, int count);

// sums[r] = Σ a·b_r for two rows b_r, `stride` apart: a is read once.
void dot_two(const float* a, const float* b, std::ptrdiff_t stride, int count, float (&sums)[2]);

// Σ x.
float sum_of(const float* x, int count);

// Whether no number is NaN or infinite (-infinity may be allowed). Tests x · 0, which is 0 for
// finite numbers only.
bool all_finite(const float* x, std::size_t count, bool allow_minus_infinity = false);

// y += factor · x.
void add_scaled(float factor, const float* x, int count, float* y);

// y += factors[0] · x + factors[1] · the row `stride` after it: y is read and written once.
void add_two_scaled(const float (&factors)[2], const float* x, std::ptrdiff_t stride, int count,
                    float* y);

// y += number.
void add_constant(float number, int count, float* y);

// y += x.
void add_to(const float* x, int count, float* y);

// y += x + number.
void add_raised(const float* x, float number, int count, float* y);

}  // namespace wf
