// The arguments of a scheme's hooks that describe a layer.
#pragma once

#include <cstdint>

#include "schemes/projections.h"
#include "schemes/relative_range.h"
#include "schemes/shape.h"
#include "tensor/view.h"

namespace wf {

// What a transform changes; an output is the sum of a head's weighted values, at the positions of
// the queries.
enum class Projection : std::uint8_t { kQuery, kKey, kValue, kOutput };

struct LayerContext {
  int layer = 0;
  Positions query_positions = {};
  Positions key_positions = {};
  RelativeRange distances = {};  // between queries and keys; has spare rows while decoding
  float scale = 1;               // multiplies q·k
  int sequence_length = 1;       // the largest position of the call + 1
  bool is_causal = false;
  // The scheme's parameters in this layer, in the order of parameters().
  const float* const* values = nullptr;
  // The gradients to which hooks add; null outside training.
  float* const* gradients = nullptr;
  // The layer's query and key projections, for schemes that share them with positions.
  LayerProjections projections = {};
  // The output of prepare_layer, and its gradient, to which hooks add (null outside training).
  const float* table = nullptr;
  float* d_table = nullptr;
  // The heads in the table of a scheme with tables_by_head; a count of 0 means all.
  int first_head = 0, head_count = 0;
  // [T or S, F] the output of compute_features, and its gradient, to which hooks add (without data
  // outside training).
  ConstMatrix features = {};
  Matrix d_features = {};
};

// Multiplications and additions that a scheme adds to one forward pass: before the first layer, and
// in each layer. A sine, a logarithm or a look-up counts as one.
struct ExtraFlops {
  double once = 0;
  double layer = 0;
};

// The rows of a projection: their positions, and the scheme's position table for these (its own
// layout; null if it has none). In a backward pass also the rows after all transforms.
struct RowPositions {
  Positions positions;
  const float* table = nullptr;
  ConstMatrix transformed = {};
};

}  // namespace wf
