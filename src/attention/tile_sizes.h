// How large the tiles are in which attention works. Private to this folder.
#pragma once

#include <cstddef>

#include "kernels/matmul.h"

namespace wf::detail {

// A multiple of kStripRows: a tile of weights and a panel fit the L1 cache.
constexpr int kBlockRows = 48;
constexpr int kBlockColumns = kTileStride;
constexpr std::size_t kTileFloats = std::size_t{kBlockRows} * kBlockColumns;

}  // namespace wf::detail
