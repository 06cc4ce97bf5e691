#include "kernels/delta_rule.h"

#include <cstddef>
#include <cstring>

#include "kernels/dot.h"
#include "kernels/simd.h"

namespace wf {
namespace {

using simd::Vec;

// Some columns of S, from the first to the last row twice: once to read k, once to write and to
// read q. The columns stay in the nearest cache, whatever the size of S.
template <int vectors>
void step_columns(const DeltaToken& token, DeltaSizes sizes, int column, float* state, float* o) {
  constexpr int kLanes = simd::kLanes;
  const Vec decay = simd::splat(token.decay), write = simd::splat(token.write);
  Vec sums[vectors];
  for (Vec& sum : sums) sum = simd::splat(0);
  const float* row = state + column;
  for (int i = 0; sizes.overwrites && i < sizes.keys; ++i, row += sizes.values) {
    const Vec k = simd::splat(token.k[i]);
    for (int j = 0; j < vectors; ++j)
      sums[j] = simd::madd(k, simd::load(row + j * kLanes), sums[j]);
  }
  Vec delta[vectors];
  for (int j = 0; j < vectors; ++j) {
    const Vec v = simd::load(token.v + column + j * kLanes);
    delta[j] = simd::mul(write, simd::sub(v, simd::mul(decay, sums[j])));
    sums[j] = simd::splat(0);
  }
  float* written = state + column;
  for (int i = 0; i < sizes.keys; ++i, written += sizes.values) {
    const Vec k = simd::splat(token.k[i]), q = simd::splat(token.q[i]);
    for (int j = 0; j < vectors; ++j) {
      const Vec kept = simd::mul(decay, simd::load(written + j * kLanes));
      const Vec now = simd::madd(k, delta[j], kept);
      simd::store(written + j * kLanes, now);
      sums[j] = simd::madd(q, now, sums[j]);
    }
  }
  for (int j = 0; j < vectors; ++j) simd::store(o + column + j * kLanes, sums[j]);
}

void step_column(const DeltaToken& token, DeltaSizes sizes, int column, float* state, float* o) {
  float sum = 0;
  float* cell = state + column;
  for (int i = 0; sizes.overwrites && i < sizes.keys; ++i)
    sum += token.k[i] * cell[std::ptrdiff_t{i} * sizes.values];
  const float delta = token.write * (token.v[column] - token.decay * sum);
  sum = 0;
  for (int i = 0; i < sizes.keys; ++i, cell += sizes.values) {
    *cell = token.decay * *cell + token.k[i] * delta;
    sum += token.q[i] * *cell;
  }
  o[column] = sum;
}

}  // namespace

void delta_step(const DeltaToken& token, DeltaSizes sizes, float* state, float* o) {
  constexpr int kTogether = 4;
  int column = 0;
  for (; column + kTogether * simd::kLanes <= sizes.values; column += kTogether * simd::kLanes)
    step_columns<kTogether>(token, sizes, column, state, o);
  for (; column + simd::kLanes <= sizes.values; column += simd::kLanes)
    step_columns<1>(token, sizes, column, state, o);
  for (; column < sizes.values; ++column) step_column(token, sizes, column, state, o);
}

void delta_step_backward(const DeltaToken& token, DeltaSizes sizes, const float* before,
                         const float* after, const float* d_o, float* d_state, float* scratch,
                         DeltaGradients& gradients) {
  const int d = sizes.keys, dv = sizes.values;
  float *missing = scratch, *d_delta = scratch + dv;  // missing: v − α·Sᵀk, so δ = β · missing
  std::memcpy(missing, token.v, sizeof(float) * static_cast<std::size_t>(dv));
  std::memset(d_delta, 0, sizeof(float) * static_cast<std::size_t>(dv));
  for (int i = 0; i < d; ++i) {
    const std::ptrdiff_t row = std::ptrdiff_t{i} * dv;
    if (sizes.overwrites) add_scaled(-token.decay * token.k[i], before + row, dv, missing);
    gradients.q[i] += dot(after + row, d_o, dv);
    add_scaled(token.q[i], d_o, dv, d_state + row);
    add_scaled(token.k[i], d_state + row, dv, d_delta);
  }
  gradients.write = dot(d_delta, missing, dv);
  for (int c = 0; c < dv; ++c) gradients.v[c] = token.write * d_delta[c];
  gradients.decay = 0;
  for (int i = 0; i < d; ++i) {
    const std::ptrdiff_t row = std::ptrdiff_t{i} * dv;
    // S is multiplied by α, and then read by k with the gradient −β·dδ, which is that of −v.
    const float read_slope = sizes.overwrites ? -dot(before + row, gradients.v, dv) : 0;
    gradients.k[i] += token.write * dot(d_state + row, missing, dv) + token.decay * read_slope;
    gradients.decay += dot(d_state + row, before + row, dv) + token.k[i] * read_slope;
    for (int c = 0; c < dv; ++c) d_state[row + c] *= token.decay;
    if (sizes.overwrites) add_scaled(-token.decay * token.k[i], gradients.v, dv, d_state + row);
  }
}

float delta_weight(const DeltaToken& token, DeltaSizes sizes, float* u) {
  const float weight = token.write * dot(token.k, u, sizes.keys);
  const float overwritten = sizes.overwrites ? weight : 0;
  for (int i = 0; i < sizes.keys; ++i) u[i] = token.decay * (u[i] - overwritten * token.k[i]);
  return weight;
}

}  // namespace wf
