#include "kernels/rotate_pairs.h"

#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

// `direction` is +1 for the rotation, -1 for its inverse.
void rotate_halves(const float* cosines, const float* sines, int pairs, float direction, float* row) {
  const Vec sign = simd::splat(direction);
  int t = 0;
  for (; t + simd::kLanes <= pairs; t += simd::kLanes) {
    const Vec c = simd::load(cosines + t), s = simd::mul(sign, simd::load(sines + t));
    const Vec a = simd::load(row + t), b = simd::load(row + pairs + t);
    simd::store(row + t, simd::sub(simd::mul(a, c), simd::mul(b, s)));
    simd::store(row + pairs + t, simd::madd(a, s, simd::mul(b, c)));
  }
  for (; t < pairs; ++t) {
    const float c = cosines[t], s = direction * sines[t];
    const float a = row[t], b = row[pairs + t];
    row[t] = a * c - b * s;
    row[pairs + t] = a * s + b * c;
  }
}

void rotate_neighbours(const float* cosines, const float* sines, int pairs, float direction, float* row) {
  for (int t = 0; t < pairs; ++t) {
    const float c = cosines[t], s = direction * sines[t];
    const float a = row[2 * t], b = row[2 * t + 1];
    row[2 * t] = a * c - b * s;
    row[2 * t + 1] = a * s + b * c;
  }
}

void rotate(const float* cosines, const float* sines, int pairs, bool interleaved, float direction,
            Matrix x) {
  for (int i = 0; i < x.rows; ++i) {
    const std::ptrdiff_t angles = std::ptrdiff_t{i} * pairs;
    if (interleaved)
      rotate_neighbours(cosines + angles, sines + angles, pairs, direction, x.row(i));
    else
      rotate_halves(cosines + angles, sines + angles, pairs, direction, x.row(i));
  }
}

}  // namespace

void rotate_pairs(const float* cosines, const float* sines, int pairs, bool interleaved, Matrix x) {
  rotate(cosines, sines, pairs, interleaved, 1, x);
}

void rotate_pairs_back(const float* cosines, const float* sines, int pairs, bool interleaved,
                       Matrix x) {
  rotate(cosines, sines, pairs, interleaved, -1, x);
}

}  // namespace wf
