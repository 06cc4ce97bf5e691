// Sizes of attention's tiles. Private to this folder.
#pragma once

#include <cstddef>

#include "kernels/matmul.h"
#include "schemes/tile.h"

namespace wf::detail {

// A multiple of kStripRows. A tile is larger than the first-level cache: the work once for each row
// of a tile (maximum, sum, mask) costs more than the cache misses (docs/kernels.md).
constexpr int kBlockRows = kMaxTileRows;
constexpr int kBlockColumns = kTileStride;
constexpr std::size_t kTileFloats = std::size_t{kBlockRows} * kBlockColumns;

}  // namespace wf::detail
