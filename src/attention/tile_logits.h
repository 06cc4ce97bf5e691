// Step 4 of an attention call, first half: the logits of one tile are scale · q·k, then biases,
// softcap and mask. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"
#include "schemes/tile_work.h"

namespace wf::detail {

// Floats that the schemes carry for each row, all together, and those of one of them.
int carry_floats(const LayerSchemes& schemes);

// Before the tiles of a block of query rows. Errors: kOutOfMemory.
Status begin_block(AttentionScratch& scratch, ConstMatrix q);

// Takes the memory that the schemes' tile hooks work in. Errors: kOutOfMemory.
Status reserve_for_tiles(const LayerSchemes& schemes, AttentionScratch& scratch);
// Fills in a tile's part of that memory, and the block's packed queries.
void attach_work(const AttentionCall& call, AttentionScratch& scratch, TileWork& work);

// Logits of one tile: product and biases. `work` may have offsets. `carry` [carry_floats,
// kBlockRows] is where the tile visited before left it, and is moved on.
void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                    TileWork& work, float* carry);
// The tile with its content, as compute_logits kept it, and its mask, where a scheme reads these.
LogitTile with_content(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile);
void cap_and_mask(const AttentionCall& call, const LogitTile& tile);

// The part of `tile` that scheme `index` is given: its own carry.
LogitTile with_carry(const AttentionCall& call, const LogitTile& tile, int index, float* carry);

}  // namespace wf::detail
