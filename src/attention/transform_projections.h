// Step 2 of an attention call: schemes change queries and keys (rotations, temperatures) by what
// their position tables say. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"

namespace wf::detail {

// Applies the schemes' transforms to new keys [K,T,D] at `positions` in place, where they are the
// last of those at `key_positions`.
Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, const Positions& key_positions, Heads k,
                      AttentionScratch& scratch);

// Brings the schemes' position tables up to date. Errors: kInvalidArgument for a position that a
// scheme has not; kOutOfMemory.
Status refresh_tables(const AttentionCall& call, const Positions& positions, PositionTable* tables);

// Fills call.q and call.k with transformed projections, where a scheme transforms.
Status transform_projections(AttentionCall& call, AttentionSaved& saved, AttentionScratch& scratch);
// Takes back from `saved` what the forward pass left there, for the backward pass.
Status restore_projections(AttentionCall& call, const AttentionSaved& saved,
                           AttentionScratch& scratch);
// Turns the gradient of a head's transformed rows into that of its raw rows, in place.
void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, Matrix d_x);

}  // namespace wf::detail
