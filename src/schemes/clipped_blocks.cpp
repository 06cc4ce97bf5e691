#include "schemes/clipped_blocks.h"

namespace wf {

void ClippedBlocks::add_products(const ClippedTile& clipped, const LogitTile& tile, float scale,
                                 Operand keys, Operand values) const {
  const TileWork& work = *tile.work;
  const int stride = product_stride();
  float* products = work.memory + products_at();
  if (work.kept == WorkKept::kNothing) {
    pack_panels(keys.transposed(), key_dim_, entries_, work.memory);
    if (value_dim_) pack_panels(values, entries_, value_dim_, work.memory + values_at());
  }
  if (work.kept != WorkKept::kOfBlock)
    multiply_panels(rounded_up(tile.rows, kStripRows), stride, key_dim_, scale, Strips::kPacked,
                    work.q_strips, {work.memory, kPanelColumns * key_dim_}, products, stride,
                    Accumulate::kNo);
  clipped.spread(products, stride, tile.logits, work.offsets);
}

void ClippedBlocks::add_values(const LogitTile& block, const float* sums, Matrix output) const {
  pack_strips({sums, entries_}, output.rows, entries_, passing(block));
  multiply_panels(output.rows, value_dim_, entries_, 1, Strips::kPacked, passing(block),
                  {block.work->memory + values_at(), kPanelColumns * entries_}, output.data,
                  output.stride, Accumulate::kYes);
}

}  // namespace wf
