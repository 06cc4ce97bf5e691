// What forward and backward share: one call's view of its inputs, and the logits of a tile. Private
// to this folder.
#pragma once

#include <limits>

#include "attention/attention.h"

namespace wf::detail {

constexpr int kBlockRows = 64;
constexpr int kBlockColumns = 128;
constexpr std::size_t kTileFloats = std::size_t{kBlockRows} * kBlockColumns;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

inline int value_dim(const AttentionConfig& config) {
  return config.value_dim ? config.value_dim : config.head_dim;
}

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns);
Status check_input(const AttentionConfig& config, const AttentionInput& input);

// What each scheme is told, and the transformed projections.
struct AttentionCall {
  const AttentionConfig& config;
  const LayerSchemes& schemes;
  const AttentionInput& input;
  LayerContext contexts[kMostStackedSchemes];
  Mask mask;
  float scale;
  int group;  // query heads that share a key head
  ConstHeads q, k;

  AttentionCall(const AttentionConfig& config, const LayerSchemes& schemes,
                const AttentionInput& input);

  LogitTile tile(int head, int row0, int rows, int column0, int columns, float* logits) const;
};

Status refresh_tables(const LayerSchemes& schemes, const Positions& positions,
                      PositionTable* tables);
void transform_head(const AttentionCall& call, Projection projection, int head,
                    const Positions& positions, const PositionTable* tables, Matrix x);
void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, Matrix d_x);
// Fills call.q and call.k with transformed projections, where a scheme transforms.
Status transform_call(AttentionCall& call, AttentionSaved& saved, AttentionScratch& scratch);

// Logits of one tile: product and biases.
void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile);
void cap_and_mask(const AttentionCall& call, const LogitTile& tile);

}  // namespace wf::detail
