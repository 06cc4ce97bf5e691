#include "schemes/rotary_scheme.h"

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

void RotaryScheme::fill_position_table(const Positions& positions, int sequence_length,
                                       float* table) const {
  double frequencies[kMaxPairs];
  frequencies_.at(sequence_length, frequencies);
  rotation_table(positions, frequencies, pairs(), frequencies_.attention_factor(), table,
                 table + std::ptrdiff_t{positions.count} * pairs(), axes_.data());
}

void RotaryScheme::transform_projections(const LayerContext&, Projection projection, int,
                                         const RowPositions& rows, Matrix x) const {
  if (projection == Projection::kValue) return;
  rotate_pairs(rows.table, sines(rows, pairs()), pairs(), interleaved_, x);
}

// The inverse of a rotation is its transpose, so gradients are rotated in the opposite direction.
void RotaryScheme::transform_projections_backward(const LayerContext&, Projection projection, int,
                                                  const RowPositions& rows, ConstMatrix,
                                                  Matrix d_x) const {
  if (projection == Projection::kValue) return;
  rotate_pairs_back(rows.table, sines(rows, pairs()), pairs(), interleaved_, d_x);
}

ExtraFlops RotaryScheme::extra_flops(const SchemeShape& shape, double queries, double keys) const {
  return {.layer = 6.0 * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
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
  frequencies_.at(sequence_length, frequencies);
  *attention_factor = frequencies_.attention_factor();
  return pairs();
}

}  // namespace wf
