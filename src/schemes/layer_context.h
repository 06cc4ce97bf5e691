// What a scheme's hooks are told of a layer.
#pragma once

#include <cstdint>

#include "schemes/projections.h"
#include "schemes/relative_range.h"
#include "tensor/view.h"

namespace wf {

// The sizes that a scheme may depend on.
struct SchemeShape {
  int num_heads = 1;     // H
  int num_kv_heads = 1;  // K, divides H
  int head_dim = 1;      // D
  int value_dim = 0;     // Dv; 0 means D
  int width = 0;         // E; 0 where attention stands alone

  int value_channels() const { return value_dim ? value_dim : head_dim; }
  int model_width() const { return width ? width : num_heads * head_dim; }
};

enum class Projection : std::uint8_t { kQuery, kKey, kValue };

struct LayerContext {
  int layer = 0;
  Positions query_positions = {};
  Positions key_positions = {};
  RelativeRange distances = {};  // between them; has more rows than they need while decoding
  float scale = 1;               // multiplies q·k
  bool is_causal = false;
  // The scheme's own parameters for this layer, in the order of parameters().
  const float* const* values = nullptr;
  // Where their gradients are added; null outside training.
  float* const* gradients = nullptr;
  // The layer's own query and key projections, for schemes that share them with positions.
  LayerProjections projections = {};
  // What prepare_layer wrote, and where hooks add its gradient (null outside training).
  const float* table = nullptr;
  float* d_table = nullptr;
  // The heads that the table holds, of a scheme with tables_by_head; no count: all of them.
  int first_head = 0, head_count = 0;
};

// Multiplications and additions that a scheme adds to one forward pass: before the first layer, and
// in each layer. A sine, a logarithm or a look-up counts as one.
struct ExtraFlops {
  double once = 0;
  double layer = 0;
};

// The rows of a projection: their positions, and what the scheme computed from those (its own
// layout; null where it asks for none).
struct RowPositions {
  Positions positions;
  const float* table = nullptr;
};

}  // namespace wf
