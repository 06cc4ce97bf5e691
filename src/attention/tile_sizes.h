// How large the tiles are in which attention works. Private to this folder.
#pragma once

#include <cstddef>

#include "kernels/matmul.h"

namespace wf::detail {

// A multiple of kStripRows. A tile has more than the first cache holds: what a row does once a tile
// (maximum, sum, mask) costs more than its weights wait for (docs/kernels.md).
constexpr int kBlockRows = 48;
constexpr int kBlockColumns = kTileStride;
constexpr std::size_t kTileFloats = std::size_t{kBlockRows} * kBlockColumns;

}  // namespace wf::detail
