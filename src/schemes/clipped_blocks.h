// Fast forward passes of a ClippedTile with few places: a block of queries is multiplied with the
// vectors of all places once, for all of its tiles, and each logit picks its product.
#pragma once

#include "schemes/clipped_table.h"
#include "schemes/tile_work.h"

namespace wf {

// Works in TileWork::memory: the panels of both tables, which are kept for the call; the products
// of a block with the keys' table, kept for the block; and what passes.
class ClippedBlocks {
 public:
  // None: where there are many places.
  ClippedBlocks() = default;
  // Vectors of key_dim channels for `places` places, and of value_dim; 0 where there are none.
  ClippedBlocks(int entries, int key_dim, int value_dim)
      : entries_(entries), key_dim_(key_dim), value_dim_(value_dim) {}

  bool exist() const { return entries_ > 0; }
  // Few queries are not packed, and a recorder has no working memory.
  bool can_multiply(const LogitTile& tile) const {
    return exist() && tile.work && tile.work->q_strips;
  }
  bool hold_values(const LogitTile& block) const {
    return can_multiply(block) && block.work->kept != WorkKept::kNothing;
  }

  int memory_floats() const { return passing_at() + ClippedTable::kPassingFloats; }
  // Room that ClippedTable's methods ask for.
  float* passing(const LogitTile& tile) const { return tile.work->memory + passing_at(); }

  // The tile's logits += scale · q · the vector of each logit's place.
  void add_products(const ClippedTile&, const LogitTile&, float scale, Operand keys,
                    Operand values) const;
  // output [rows, Dv] += sums [rows, places] · vectors, where add_products has packed these.
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
