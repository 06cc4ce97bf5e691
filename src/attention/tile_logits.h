// Step 5 of an attention call, first half: the logits of one tile are scale · q·k, then biases,
// softcap and mask. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"
#include "schemes/tile_work.h"

namespace wf::detail {

// Floats that all schemes together carry for each row.
int carry_floats(const LayerSchemes& schemes);

// Call before the tiles of a block of query rows. Errors: kOutOfMemory.
Status begin_block(AttentionScratch& scratch, ConstMatrix q);

// Allocates scratch memory for the schemes' tile hooks. Errors: kOutOfMemory.
Status reserve_for_tiles(const LayerSchemes& schemes, AttentionScratch& scratch);
// Sets `work` to that memory and to the block's packed queries.
void attach_work(const AttentionCall& call, AttentionScratch& scratch, TileWork& work);

// Computes the logits of one tile: product and biases. `work` may have offsets. `carry`
// [carry_floats, kBlockRows] is the carry of the previously visited tile, and is updated.
void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                    TileWork& work, float* carry);
// The tile with its content, as stored by compute_logits, and its mask, if a scheme reads these.
LogitTile with_content(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile);
void cap_and_mask(const AttentionCall& call, const LogitTile& tile);

// A copy of `tile` with the carry of scheme `index`.
LogitTile with_carry(const AttentionCall& call, const LogitTile& tile, int index, float* carry);

}  // namespace wf::detail
