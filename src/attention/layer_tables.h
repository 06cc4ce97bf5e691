// Step 3 of an attention call: tables that hold for all heads of a layer (prepare_layer), made
// before its tiles, kept by a KV cache, or made for some heads at a time. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"

namespace wf::detail {

// How many heads may be worked on before the schemes' layer tables are made for the next ones.
int heads_of_tables(const AttentionCall& call);

// Computes the schemes' layer tables into `scratch`, for heads from `first_head` on. Those that are
// not by head are made for the first.
Status prepare_layer(AttentionCall& call, AttentionScratch& scratch, int first_head,
                     int head_count);
// Before a backward pass: the tables of all heads, and their gradients, cleared to be added to.
Status prepare_layer_gradients(AttentionCall& call, AttentionScratch& scratch);
// After it: from the tables' gradients to those of the schemes' parameters.
void prepare_layer_backward(const AttentionCall& call, AttentionScratch& scratch);

}  // namespace wf::detail
