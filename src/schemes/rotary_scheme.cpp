#include "schemes/rotary_scheme.h"

#include <cmath>

#include "kernels/rotate_pairs.h"
#include "schemes/frequencies.h"
#include "tensor/extent.h"

namespace wf {
namespace {

const float* sines(const RowPositions& rows, int pairs) {
  return rows.table + std::ptrdiff_t{rows.positions.count} * pairs;
}

}  // namespace

std::size_t RotaryScheme::position_table_floats(int count) const {
  return elements_of(2, count, pairs());
}

void RotaryScheme::frequencies_at(int sequence_length, const float* trained,
                                  double* frequencies) const {
  frequencies_.at(sequence_length, frequencies);
  for (int t = 0; trained && t < pairs(); ++t)
    frequencies[t] *= std::exp(static_cast<double>(trained[t]));
}

void RotaryScheme::fill_position_table(const Positions& positions, int sequence_length,
                                       const float* trained, float* table) const {
  double frequencies[kMaxPairs];
  frequencies_at(sequence_length, trained, frequencies);
  rotation_table(positions, frequencies, pairs(), frequencies_.attention_factor(), table,
                 table + std::ptrdiff_t{positions.count} * pairs(), axes_.data());
}

void RotaryScheme::transform_projections(const LayerContext&, Projection projection, int,
                                         const RowPositions& rows, Matrix x) const {
  const bool is_back = projection == Projection::kOutput;
  (is_back ? rotate_pairs_back : rotate_pairs)(rows.table, sines(rows, pairs()), pairs(),
                                               interleaved_, x);
}

// The inverse of a rotation is its transpose, so gradients are rotated in the opposite direction.
// The derivative of a rotated pair (a, b) by its angle is (-b, a), and that of the angle by alpha
// the angle itself.
void RotaryScheme::transform_projections_backward(const LayerContext& context,
                                                  Projection projection, int,
                                                  const RowPositions& rows, ConstMatrix,
                                                  Matrix d_x) const {
  const bool is_back = projection == Projection::kOutput;
  if (is_trained_ && context.gradients) {
    double frequencies[kMaxPairs];
    frequencies_at(context.sequence_length, context.values[0], frequencies);
    for (int t = 0; t < pairs(); ++t) {
      double sum = 0;
      for (int i = 0; i < d_x.rows; ++i) {
        const float *x = rows.transformed.row(i), *d = d_x.row(i);
        sum += rows.positions.at(i) * (x[first(t)] * d[second(t)] - x[second(t)] * d[first(t)]);
      }
      context.gradients[0][t] += static_cast<float>((is_back ? -1 : 1) * frequencies[t] * sum);
    }
  }
  (is_back ? rotate_pairs : rotate_pairs_back)(rows.table, sines(rows, pairs()), pairs(),
                                               interleaved_, d_x);
}

ExtraFlops RotaryScheme::extra_flops(const SchemeShape& shape, double queries, double keys) const {
  const double each = rotates_values_ ? 12.0 : 6.0;
  return {.layer = each * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
}

int RotaryScheme::channel_pairs(std::int32_t* channels) const {
  for (int t = 0; t < pairs(); ++t) {
    channels[2 * t] = first(t);
    channels[2 * t + 1] = second(t);
  }
  return pairs();
}

int RotaryScheme::frequencies(int sequence_length, double* frequencies,
                              double* attention_factor) const {
  if (is_trained_) return 0;
  frequencies_.at(sequence_length, frequencies);
  *attention_factor = frequencies_.attention_factor();
  return pairs();
}

}  // namespace wf
