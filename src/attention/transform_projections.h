// Step 3 of an attention call: schemes change queries and keys (rotations, temperatures), and a few
// also values and outputs, according to their position tables. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"

namespace wf::detail {

// Applies the schemes' transforms in place to new keys [K,T,D] and values [K,T,Dv] at `positions`,
// the last of `key_positions`.
Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, const Positions& key_positions, Heads k, Heads v,
                      AttentionScratch& scratch);

// Updates the schemes' position tables. Errors: kInvalidArgument for a position outside the
// scheme's table; kOutOfMemory.
Status refresh_tables(const AttentionCall& call, const Positions& positions, PositionTable* tables);

// Sets call.q, call.k and call.v to transformed projections, if a scheme transforms.
Status transform_projections(AttentionCall& call, AttentionSaved& saved, AttentionScratch& scratch);
// For the backward pass: sets them to the projections that the forward pass stored in `saved`.
Status restore_projections(AttentionCall& call, const AttentionSaved& saved,
                           AttentionScratch& scratch);
// Transforms the output [T,Dv] of a head in place, if a scheme does so.
void transform_output(const AttentionCall& call, int head, const PositionTable* tables, Matrix x);
// Converts the gradient of a head's weighted queries to that of its transformed ones, in place,
// and adds to the gradients of the weights. Leaves the transformed queries in `buffer`. Errors:
// kOutOfMemory.
Status weights_backward(const AttentionCall& call, int head, const PositionTable* tables,
                        Buffer<float>& buffer, Matrix d_q, ChannelWeights<float> gradients);
// Converts the gradient of a head's transformed rows to that of its raw rows, in place. `raw` is
// without data for outputs.
void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, ConstMatrix transformed, Matrix d_x);

}  // namespace wf::detail
