// Rotation where each pair of channels turns by one axis of the position: what the rotary schemes of
// pictures and videos share. rope.cpp has the rotation itself.
#pragma once

#include "kernels/rotate_pairs.h"
#include "schemes/frequencies.h"
#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {

// Radians a unit of position, and the axis, of each pair.
struct AxialPairs {
  Buffer<double> frequencies;
  Buffer<std::uint8_t> axes;

  static Result<AxialPairs> make(int count) {
    AxialPairs pairs;
    WF_ASSIGN_OR_RETURN(pairs.frequencies, Buffer<double>::make(count));
    WF_ASSIGN_OR_RETURN(pairs.axes, Buffer<std::uint8_t>::make(count));
    return pairs;
  }
  int count() const { return static_cast<int>(frequencies.size()); }
};

class AxialRotation : public Scheme {
 public:
  AxialRotation(AxialPairs pairs, bool interleaved)
      : pairs_(std::move(pairs)), interleaved_(interleaved) {}

  // Cosines [T, pairs], then sines.
  std::size_t position_table_floats(int count) const override {
    return std::size_t{2} * count * pairs_.count();
  }
  void fill_position_table(const Positions& positions, int, float* table) const override {
    rotation_table(positions, pairs_.frequencies.data(), pairs_.count(), 1, table,
                   table + std::ptrdiff_t{positions.count} * pairs_.count(), pairs_.axes.data());
  }

  void transform_projections(const LayerContext&, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs(rows.table, sines(rows), pairs_.count(), interleaved_, x);
  }
  void transform_projections_backward(const LayerContext&, Projection projection, int,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs_back(rows.table, sines(rows), pairs_.count(), interleaved_, d_x);
  }

  int channel_pairs(std::int32_t* channels) const override {
    for (int t = 0; t < pairs_.count(); ++t) {
      channels[2 * t] = interleaved_ ? 2 * t : t;
      channels[2 * t + 1] = interleaved_ ? 2 * t + 1 : t + pairs_.count();
    }
    return pairs_.count();
  }
  int frequencies(int, double* frequencies, double* attention_factor) const override {
    for (int t = 0; t < pairs_.count(); ++t) frequencies[t] = pairs_.frequencies[t];
    *attention_factor = 1;
    return pairs_.count();
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    return {.layer = 6.0 * pairs_.count() *
                     (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

 private:
  const float* sines(const RowPositions& rows) const {
    return rows.table + std::ptrdiff_t{rows.positions.count} * pairs_.count();
  }

  AxialPairs pairs_;
  bool interleaved_;
};

}  // namespace wf
