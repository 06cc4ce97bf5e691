// Fast forward pass of a ClippedTile with few table entries: a block of queries is multiplied by
// all entries once, for all its tiles, and each logit looks up its product.
#pragma once

#include "schemes/clipped_table.h"
#include "schemes/tile_work.h"

namespace wf {

// Uses TileWork::memory for the panels of both tables, kept during the call; the products of a
// block with the keys' table, kept during the block; and temporary rows (`passing`).
class ClippedBlocks {
 public:
  // Unused, for large tables.
  ClippedBlocks() = default;
  // `entries` vectors of key_dim channels for keys and of value_dim for values; a width of 0 means
  // no table.
  ClippedBlocks(int entries, int key_dim, int value_dim)
      : entries_(entries), key_dim_(key_dim), value_dim_(value_dim) {}

  bool exist() const { return entries_ > 0; }
  // Not for few queries, which are not packed, nor for a recorder, which has no scratch memory.
  bool can_multiply(const LogitTile& tile) const {
    return exist() && tile.work && tile.work->q_strips;
  }
  bool hold_values(const LogitTile& block) const {
    return can_multiply(block) && block.work->kept != WorkKept::kNothing;
  }

  int memory_floats() const { return passing_at() + ClippedTable::kPassingFloats; }
  // Scratch memory for ClippedTable's methods.
  float* passing(const LogitTile& tile) const { return tile.work->memory + passing_at(); }

  // The tile's logits += scale · q · the entry of each logit.
  void add_products(const ClippedTile&, const LogitTile&, float scale, Operand keys,
                    Operand values) const;
  // output [rows, Dv] += sums [rows, entries] · entries, which add_products has packed.
  void add_values(const LogitTile& block, const float* sums, Matrix output) const;

 private:
  int values_at() const { return static_cast<int>(panel_floats(key_dim_, entries_)); }
  int products_at() const {
    return values_at() + static_cast<int>(panel_floats(entries_, value_dim_));
  }
  int passing_at() const { return products_at() + kTileStride * product_stride(); }
  int product_stride() const { return rounded_up(entries_, kPanelColumns); }

  int entries_ = 0, key_dim_ = 0, value_dim_ = 0;
};

}  // namespace wf
