// Sines and cosines of many numbers at once, in vector instructions.
#pragma once

namespace wf::formula {

// Writes the sine of each of `count` numbers, within two units of the last place of double
// precision, or within 1e-20 if that is more. `x` and `y` do not overlap.
void sines(const double* x, int count, double* y);
void cosines(const double* x, int count, double* y);

}  // namespace wf::formula
