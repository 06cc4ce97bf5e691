// A scheme's table for a list of positions, kept while scheme and positions are the same, so that
// all heads, layers and sequences of a batch share it.
#pragma once

#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {

// The largest position on any axis + 1; at least 1.
int sequence_length(const Positions& positions);

class PositionTable {
 public:
  // Recomputes only if the scheme, a position, the length, or a parameter on which the table
  // depends differs from the last call. `values`: the scheme's parameters.
  Status refresh(const Scheme& scheme, const Positions& positions, int sequence_length,
                 const float* const* values);
  RowPositions rows(const Positions& positions) const { return {positions, table_.data()}; }

 private:
  bool holds(const Scheme& scheme, const Positions& positions, int sequence_length,
             std::span<const float> trained) const;

  std::uint64_t serial_ = 0;
  int count_ = -1;
  int axes_ = 0;
  int sequence_length_ = 0;
  Buffer<std::int32_t> positions_;
  Buffer<float> trained_;  // the parameter from which the table was computed
  Buffer<float> table_;
};

}  // namespace wf
