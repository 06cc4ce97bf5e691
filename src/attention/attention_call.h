// What forward and backward share: one call's view of its inputs, and the logits of a tile. Private
// to this folder.
#pragma once

#include <limits>

#include "attention/attention.h"
#include "attention/logit_terms.h"
#include "executor.h"

namespace wf::detail {

constexpr int kMostLanes = kMayHaveThreads ? kMostThreads : 1;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

inline int value_dim(const AttentionConfig& config) {
  return config.value_dim ? config.value_dim : config.head_dim;
}

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns);
Status check_input(const AttentionConfig& config, const LayerSchemes& schemes,
                   const AttentionInput& input);

// The schemes with the hooks that act in this attention. Errors: kUnsupported.
Result<LayerSchemes> acting(const AttentionConfig& config, const LayerSchemes& schemes);

// What each scheme is told, and the transformed projections.
struct AttentionCall {
  const AttentionConfig& config;
  const LayerSchemes& schemes;
  const AttentionInput& input;
  LayerContext contexts[kMostStackedSchemes];
  Mask mask;
  float scale;
  int group;  // query heads that share a key head
  int length;  // of the sequence: one more than the largest position
  bool right_to_left = false;
  ConstHeads q, k;

  AttentionCall(const AttentionConfig& config, const LayerSchemes& schemes,
                const AttentionInput& input);

  HeadLogits head_logits(int head) const;
  LogitTile tile(int head, int row0, int rows, int column0, int columns, float* logits) const;
};

Status refresh_tables(const AttentionCall& call, const Positions& positions, PositionTable* tables);
void transform_head(const AttentionCall& call, Projection projection, int head,
                    const Positions& positions, const PositionTable* tables, Matrix x);
void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, Matrix d_x);
// In how many lanes heads are worked on at once, where all of them multiply so often; 1 where they
// add to the same gradients, or where memory for more is refused. Each lane but the first has
// memory of its own, which all attentions of the program share.
int lanes_with_memory(const AttentionCall& call, double multiplications);
AttentionScratch& other_lane(int lane);
inline int lanes_of(const AttentionCall& call, double multiplications) {
  if constexpr (!kMayHaveThreads) return 1;
  return lanes_with_memory(call, multiplications);
}
inline AttentionScratch& lane_scratch(int lane, AttentionScratch& first) {
  if constexpr (!kMayHaveThreads) return first;
  return lane == 0 ? first : other_lane(lane);
}

// Fills call.q and call.k with transformed projections, where a scheme transforms.
Status transform_call(AttentionCall& call, AttentionSaved& saved, AttentionScratch& scratch);

// How many heads may be worked on before the schemes' layer tables are made for the next ones.
int heads_of_tables(const AttentionCall& call);
// Computes the schemes' layer tables into `scratch`, for heads from `first_head` on. Those that are
// not by head are made for the first.
Status prepare_layer(AttentionCall& call, AttentionScratch& scratch, int first_head,
                     int head_count);
// The same for all heads; their gradients are cleared, to be added to.
Status prepare_layer_backward(AttentionCall& call, AttentionScratch& scratch);

// Floats that the schemes carry for each row, all together, and those of one of them.
int carry_floats(const LayerSchemes& schemes);

// Before the tiles of a block of query rows. Errors: kOutOfMemory.
Status begin_block(AttentionScratch& scratch, ConstMatrix q);

// Memory that the schemes' tile hooks work in, and what of it a tile is given.
Status reserve_for_tiles(const LayerSchemes& schemes, AttentionScratch& scratch);
void lend(const AttentionCall& call, AttentionScratch& scratch, LogitTile& tile);

// Logits of one tile: product and biases. `carry` [carry_floats, kBlockRows] is where the tile
// visited before left it, and is moved on. `content`, unless null, receives the logits as
// bias_logits sees them.
void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                    float* carry, float* content = nullptr);
// 0 where the query may look and -infinity where not, for schemes that ask; null if none does.
const float* mask_tile(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile);
void cap_and_mask(const AttentionCall& call, const LogitTile& tile);

// Key tiles of a query block, in the order that the schemes ask for.
struct KeyTiles {
  int begin, end, count;
  bool right_to_left;

  KeyTiles(const AttentionCall& call, int row0, int rows);
  // First column of the i-th tile to visit, and its number of columns.
  int column0(int i) const { return begin + (right_to_left ? count - 1 - i : i) * kBlockColumns; }
  int columns(int i) const {
    const int left = end - column0(i);
    return left < kBlockColumns ? left : kBlockColumns;
  }
};

// The part of `tile` that scheme `index` is given: its own carry.
LogitTile with_carry(const AttentionCall& call, const LogitTile& tile, int index, float* carry);

}  // namespace wf::detail
