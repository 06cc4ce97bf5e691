// Scratch memory shared by tiles, and packed operands, for fast biases by table (distance_table,
// clipped_table, …) and schemes that multiply whole tiles.
#pragma once

#include <cstdint>

#include "kernels/matmul.h"
#include "schemes/tile.h"

namespace wf {

// The data that TileWork::memory still has from bias_logits: none; that of a tile of this call, of
// any head; that of the previous tile, of the same rows and head.
enum class WorkKept : std::uint8_t { kNothing, kOfCall, kOfBlock };

struct TileWork {
  // [rows]: a hook may add here a number for all logits of a row, instead of to each; or null.
  float* offsets = nullptr;
  // [rows]: sums of the weights, if the tile holds weights.
  const float* sums = nullptr;
  // The rows of q, packed as in kernels/panels.h, or null if there are too few.
  const float* q_strips = nullptr;
  // Traversal::work_floats numbers; below, the packing memory of products.
  float* memory = nullptr;
  WorkKept kept = WorkKept::kNothing;
  MatmulScratch* matmul = nullptr;
};

}  // namespace wf
