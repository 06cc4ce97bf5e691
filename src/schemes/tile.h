// A tile of logits, as bias_logits and accumulate see it.
#pragma once

#include <cstddef>

#include "tensor/view.h"

namespace wf {

struct TileWork;

// Logits of query rows [row0, row0 + rows) and key columns [column0, column0 + columns) of a head.
struct LogitTile {
  int head = 0;  // query head
  int kv_head = 0;
  int row0 = 0;
  int rows = 0;
  int column0 = 0;
  int columns = 0;
  float* logits = nullptr;  // [rows, stride]; scale · q·k and what is added to it so far
  std::ptrdiff_t stride = 0;
  ConstMatrix q;  // transformed rows of this tile, [rows, D]
  ConstMatrix k;  // [columns, D]
  // While recording: a zeroed [rows, stride] tile for each of the scheme's bias terms.
  float* const* terms = nullptr;
  // Where the scheme's traversal reads content: scale · q·k alone, whatever other schemes add; and
  // 0 where the query may look, -infinity where not (plus the caller's additive mask). Both [rows,
  // stride].
  const float* content = nullptr;
  const float* mask = nullptr;
  // Where it asks for that: what the scheme carries from tile to tile of a row, [rows,
  // carry_floats]. Holds what the tile to the right left; the hook leaves what the tile to the left
  // needs.
  float* carry = nullptr;
  // Memory and packed operands (schemes/tile_work.h), for tables that are multiplied with whole
  // tiles; null while recording.
  const TileWork* work = nullptr;

  // Where to add the term of this index: its own tile while recording, else the logits.
  float* term(int index) const { return terms ? terms[index] : logits; }
};

// Gradients that bias_logits_backward reads, and those that it may add to.
struct LogitTileGradient {
  const float* d_logits = nullptr;  // [rows, stride of the tile], of the whole logits
  float* d_content = nullptr;  // alike, of scale · q·k, for who reads content
  Matrix d_q;  // [rows, D]
  Matrix d_k;  // [columns, D]
  // Where the scheme carries: zero at the first key, and from there on what the hook left in the
  // tile to the left. Backward goes the other way.
  float* carry = nullptr;
};

constexpr int kMaxCarryFloats = 4;

// How a bias wants the key tiles of a query block visited, and what with.
struct Traversal {
  bool right_to_left = false;  // last visible tile first
  int carry_floats = 0;  // a row's carry, zero before the first tile
  bool reads_content = false;  // LogitTile::content and mask
  int work_floats = 0;  // TileWork::memory
};

}  // namespace wf
