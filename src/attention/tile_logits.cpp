#include "attention/tile_logits.h"

#include <algorithm>

#include "attention/tile_sizes.h"
#include "kernels/softcap.h"

namespace wf::detail {
namespace {

bool reads_content(const LayerSchemes& schemes) {
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias) && item.scheme->traversal().reads_content) return true;
  return false;
}

}  // namespace

int carry_floats(const LayerSchemes& schemes) {
  int total = 0;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) total += item.scheme->traversal().carry_floats;
  return total;
}

LogitTile with_carry(const AttentionCall& call, const LogitTile& tile, int index, float* carry) {
  LogitTile shifted = tile;
  shifted.carry = carry;
  for (int i = 0; i < index; ++i)
    if (call.schemes.items[i].has(kHookBias))
      shifted.carry +=
          std::ptrdiff_t{kBlockRows} * call.schemes.items[i].scheme->traversal().carry_floats;
  return shifted;
}

Status reserve_for_tiles(const LayerSchemes& schemes, AttentionScratch& scratch) {
  int max = 0;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) max = std::max(max, item.scheme->traversal().work_floats);
  WF_RETURN_IF_ERROR(scratch.work.reserve(max));
  scratch.work_kept = WorkKept::kNothing;
  // One for the logits and one for their gradients.
  return scratch.carry.reserve(std::size_t{2 * kBlockRows} * carry_floats(schemes));
}

void attach_work(const AttentionCall& call, AttentionScratch& scratch, TileWork& work) {
  int working = 0;  // the schemes share one scratch memory
  for (const LayerScheme& item : call.schemes) working += item.has(kHookBias);
  work.q_strips = scratch.operands.query_strips();
  work.memory = scratch.work.data();
  work.kept = working == 1 ? scratch.work_kept : WorkKept::kNothing;
  work.matmul = &scratch.matmul;
}

Status begin_block(AttentionScratch& scratch, ConstMatrix q) {
  if (scratch.work_kept == WorkKept::kOfBlock) scratch.work_kept = WorkKept::kOfCall;
  return scratch.operands.begin_block(q);
}

LogitTile with_content(const AttentionCall& call, AttentionScratch& scratch,
                       const LogitTile& tile) {
  LogitTile whole = tile;
  if (reads_content(call.schemes)) whole.content = scratch.tiles.data() + 3 * kTileFloats;
  if (carry_floats(call.schemes) == 0) return whole;
  float* mask = scratch.tiles.data() + 4 * kTileFloats;
  std::fill_n(mask, tile.rows * tile.stride, 0.0f);
  call.mask.apply(tile.head, tile.row0, tile.rows, tile.column0, tile.columns, mask, tile.stride);
  whole.mask = mask;
  return whole;
}

void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                    TileWork& work, float* carry) {
  scratch.operands.logits(tile, call.scale, scratch.matmul);
  if (reads_content(call.schemes))
    std::copy_n(tile.logits, tile.rows * tile.stride, scratch.tiles.data() + 3 * kTileFloats);
  scratch.distance.add(tile);
  if (!call.schemes.any(kHookBias)) return;
  attach_work(call, scratch, work);
  LogitTile given = with_content(call, scratch, tile);
  given.work = &work;
  int index = 0;
  for (const LayerScheme& item : call.schemes) {
    if (item.has(kHookBias))
      item.scheme->bias_logits(call.contexts[index], with_carry(call, given, index, carry));
    ++index;
  }
  scratch.work_kept = WorkKept::kOfBlock;
}

void cap_and_mask(const AttentionCall& call, const LogitTile& tile) {
  if (call.config.softcap > 0)
    for (int i = 0; i < tile.rows; ++i)
      softcap_row(tile.logits + i * tile.stride, tile.columns, call.config.softcap);
  if (!call.mask.leaves_alone(tile.row0, tile.rows, tile.column0, tile.columns, call.k.rows))
    call.mask.apply(tile.head, tile.row0, tile.rows, tile.column0, tile.columns, tile.logits,
                    tile.stride);
}

}  // namespace wf::detail
