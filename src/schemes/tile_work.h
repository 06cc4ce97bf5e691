// What makes biases by table fast: memory that tiles share, and operands that are packed already.
// For the shared tables (distance_table, clipped_table, …) and schemes that multiply whole tiles.
#pragma once

#include <cstdint>

#include "kernels/matmul.h"
#include "schemes/tile.h"

namespace wf {

// What of TileWork::memory is as bias_logits left it: nothing; at a tile of the same call, of
// whatever head; at the tile before, of the same rows and head.
enum class WorkKept : std::uint8_t { kNothing, kOfCall, kOfBlock };

struct TileWork {
  // [rows] where a hook may add a number for all logits of a row, instead of to each; else null.
  float* offsets = nullptr;
  // Beside weights: [rows], their sums.
  const float* sums = nullptr;
  // The rows of q packed as kernels/panels.h has it, or null where they are too few to.
  const float* q_strips = nullptr;
  // Traversal::work_floats numbers, and what products pack into.
  float* memory = nullptr;
  WorkKept kept = WorkKept::kNothing;
  MatmulScratch* matmul = nullptr;
};

}  // namespace wf
