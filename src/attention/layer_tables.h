// Step 3 of an attention call: tables shared by all heads of a layer (prepare_layer). They are
// computed before the tiles, kept by a KV cache, or computed for a few heads at a time. Private to
// this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"

namespace wf::detail {

// Number of heads whose layer tables are computed at a time.
int heads_of_tables(const AttentionCall& call);

// Computes the schemes' layer tables into `scratch` for heads from `first_head` on; tables that do
// not depend on the head are computed with the first only.
Status prepare_layer(AttentionCall& call, AttentionScratch& scratch, int first_head,
                     int head_count);
// Before a backward pass: computes the tables of all heads, and clears their gradients.
Status prepare_layer_gradients(AttentionCall& call, AttentionScratch& scratch);
// After a backward pass: adds the gradients of the schemes' parameters from those of the tables.
void prepare_layer_backward(const AttentionCall& call, AttentionScratch& scratch);

}  // namespace wf::detail
