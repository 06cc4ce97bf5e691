#include "kernels/rotate_pairs.h"

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

// Rotates (first, second) from the first axis towards the second; with the arguments swapped,
// rotates back.
void rotate_halves(const float* cosines, const float* sines, int pairs, float* first,
                   float* second) {
  int t = 0;
  for (; t + simd::kLanes <= pairs; t += simd::kLanes) {
    const Vec c = simd::load(cosines + t), s = simd::load(sines + t);
    const Vec a = simd::load(first + t), b = simd::load(second + t);
    simd::store(first + t, simd::sub(simd::mul(a, c), simd::mul(b, s)));
    simd::store(second + t, simd::madd(a, s, simd::mul(b, c)));
  }
  for (; t < pairs; ++t) {
    const float c = cosines[t], s = sines[t];
    const float a = first[t], b = second[t];
    first[t] = a * c - b * s;
    second[t] = a * s + b * c;
  }
}

void rotate_neighbours(const float* cosines, const float* sines, int pairs, int first, float* row) {
  for (int t = 0; t < pairs; ++t, row += 2) {
    const float c = cosines[t], s = sines[t];
    const float a = row[first], b = row[1 - first];
    row[first] = a * c - b * s;
    row[1 - first] = a * s + b * c;
  }
}

// `first` is 0 for the rotation and 1 for its inverse: swapping the channels of a pair reverses the
// rotation.
void rotate(const float* cosines, const float* sines, int pairs, bool interleaved, int first,
            Matrix x) {
  for (int i = 0; i < x.rows; ++i, cosines += pairs, sines += pairs) {
    float* row = x.row(i);
    if (interleaved)
      rotate_neighbours(cosines, sines, pairs, first, row);
    else
      rotate_halves(cosines, sines, pairs, row + first * pairs, row + (1 - first) * pairs);
  }
}

}  // namespace

void rotate_pairs(const float* cosines, const float* sines, int pairs, bool interleaved, Matrix x) {
  rotate(cosines, sines, pairs, interleaved, 0, x);
}

void rotate_pairs_back(const float* cosines, const float* sines, int pairs, bool interleaved,
                       Matrix x) {
  rotate(cosines, sines, pairs, interleaved, 1, x);
}

}  // namespace wf
