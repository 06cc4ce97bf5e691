// A tile of logits: the argument of bias_logits and accumulate.
#pragma once

#include <cstddef>

#include "tensor/view.h"

namespace wf {

struct TileWork;

// A tile has no more rows.
constexpr int kMaxTileRows = 48;

// Keys that a scheme hides, by index: those `window` or more before the query, except the first
// `kept` keys. A window of 0 hides none.
struct Reach {
  int window = 0, kept = 0;
};

// Logits of query rows [row0, row0 + rows) and key columns [column0, column0 + columns) of a head.
struct LogitTile {
  int head = 0;  // query head
  int kv_head = 0;
  int row0 = 0;
  int rows = 0;
  int column0 = 0;
  int columns = 0;
  float* logits = nullptr;  // [rows, stride]; scale · q·k plus the biases so far
  std::ptrdiff_t stride = 0;
  // Transformed rows of this tile, [rows, D] and [columns, D]; the rows of a scheme with
  // scored_channels go on behind their columns, as do those of the gradients below.
  ConstMatrix q, k;
  // While recording: a zeroed [rows, stride] tile for each of the scheme's bias terms.
  float* const* terms = nullptr;
  // If the scheme's traversal has reads_content: scale · q·k without biases, [rows, stride].
  const float* content = nullptr;
  // If it has carry_floats: 0 for visible keys, -infinity for hidden ones (plus the caller's
  // additive mask), [rows, stride].
  const float* mask = nullptr;
  // If the traversal has carry_floats: values carried from tile to tile of a row, [rows,
  // carry_floats]. In: carry from the tile on the right. Out: carry for the tile on the left.
  float* carry = nullptr;
  // Scratch memory and packed operands (schemes/tile_work.h), for tables that are multiplied by
  // whole tiles; null while recording.
  const TileWork* work = nullptr;

  // Destination of the term with this index: a separate tile while recording, otherwise the logits.
  float* term(int index) const { return terms ? terms[index] : logits; }
};

// Gradients that bias_logits_backward reads, and those to which it may add.
struct LogitTileGradient {
  const float* d_logits = nullptr;  // [rows, stride of the tile], of the whole logits
  float* d_content = nullptr;  // in the same layout, of scale · q·k; for schemes that read content
  Matrix d_q;  // [rows, D]
  Matrix d_k;  // [columns, D]
  // With carry_floats: the gradient of the carry, propagated from left to right. In: zero at the
  // first key, otherwise that from the tile on the left.
  float* carry = nullptr;
};

constexpr int kMaxCarryFloats = 4;

// How a bias needs the key tiles of a query block to be visited.
struct Traversal {
  bool right_to_left = false;  // last visible tile first
  int carry_floats = 0;  // carry of a row, zero before the first tile; also sets LogitTile::mask
  bool reads_content = false;  // sets LogitTile::content
  int work_floats = 0;  // TileWork::memory
};

}  // namespace wf
