#include "formula/waves.h"

#include <cmath>

namespace wf::formula {
namespace {

// Below this, the nearest multiple of π/2 has 20 bits, so that its product with the first 33 bits
// of π/2 is exact (Cody & Waite).
constexpr double kLargest = 1e6;
constexpr double kQuarter = 6.36619772367581382433e-01;  // 2/π
constexpr double kFirstBits = 1.57079632673412561417e+00, kOtherBits = 6.07710050650619224932e-11;
// Added to a number below 2^51 and subtracted again, rounds it to an integer: 1.5 · 2^52.
constexpr double kRounder = 6755399441055744.0;

// The polynomials of FreeBSD's libm (k_sin.c, k_cos.c) between −π/4 and π/4.
constexpr double kSine[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                            2.75573137070700676789e-06, -1.98412698298579493134e-04,
                            8.33333333332248946124e-03, -1.66666666666666324348e-01};
constexpr double kCosine[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                              -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                              -1.38888888888741095749e-03, 4.16666666666666019037e-02};

// Without a loop, so that the loop around it is vectorised.
double series(const double (&terms)[6], double x) {
  const double high = (terms[0] * x + terms[1]) * x + terms[2];
  return ((high * x + terms[3]) * x + terms[4]) * x + terms[5];
}

// The sine of x + quarters · π/2.
double wave(double x, double quarters) {
  const double nearest = (x * kQuarter + kRounder) - kRounder;
  const double rest = (x - nearest * kFirstBits) - nearest * kOtherBits, square = rest * rest;
  const double sine = rest + rest * square * series(kSine, square);
  const double cosine = 1 - (0.5 * square - square * square * series(kCosine, square));
  // From −2 to 2.
  const double all = nearest + quarters;
  const double quarter = all - 4 * ((all * 0.25 + kRounder) - kRounder);
  const double value = std::abs(quarter) == 1 ? cosine : sine;
  return quarter < 0 || quarter > 1 ? -value : value;
}

// Whether all numbers are small enough for wave(); false if one is no number.
bool are_small(const double* x, int count) {
  bool small = true;
  for (int i = 0; i < count; ++i) small &= std::abs(x[i]) < kLargest;
  return small;
}

}  // namespace

void sines(const double* __restrict x, int count, double* __restrict y) {
  if (are_small(x, count))
    for (int i = 0; i < count; ++i) y[i] = wave(x[i], 0);
  else
    for (int i = 0; i < count; ++i) y[i] = std::sin(x[i]);
}

void cosines(const double* __restrict x, int count, double* __restrict y) {
  if (are_small(x, count))
    for (int i = 0; i < count; ++i) y[i] = wave(x[i], 1);
  else
    for (int i = 0; i < count; ++i) y[i] = std::cos(x[i]);
}

}  // namespace wf::formula
