// Features of tokens (SpecialHooks::compute_features): computed once for a call, or read from a KV
// cache. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"

namespace wf::detail {

// The features of a key for all schemes together, which a KV cache keeps; and those of new tokens.
int key_features(const LayerSchemes& schemes);
void compute_key_features(const LayerSchemes& schemes, ConstMatrix states, Matrix features,
                          MatmulScratch& scratch);

// Computes the features that the cache does not have, and sets those of all contexts. Errors:
// kOutOfMemory.
Status compute_features(AttentionCall& call, AttentionSaved& saved, MatmulScratch& scratch);

// Sets the features of all contexts to the saved ones, and their gradients to zeros. Errors:
// kOutOfMemory.
Status restore_features(AttentionCall& call, const AttentionSaved& saved,
                        AttentionScratch& scratch);
// Adds to the gradients of the layer's inputs, and of the parameters.
void features_backward(const AttentionCall& call, MatmulScratch& scratch, Matrix d_states,
                       Matrix d_key_states);

}  // namespace wf::detail
