// Latent projections of a layer (multi-head latent attention: DeepSeek-AI 2024, DeepSeek-V2, arXiv
// 2405.04434, section 2.1; names of weights as in Hugging Face's DeepseekV3Attention).
//
// One vector [c | k^R] of d_c + d_R channels is made for each token (kv_a_proj_with_mqa), c is
// normalised, and from it come the content of every head's key and its value (kv_b_proj). Queries
// come from the input or from a normalised vector of their own (q_a_proj, q_b_proj).
//
// Two forms, equal but for rounding. Naive: keys [W_UK c | k^R] and values W_UV c of K heads, for
// texts read at once. Absorbed: queries [W_UKᵀ q^C | q^R] against the one key [c | k^R] with value
// c, then W_UV; for decoding, which then keeps d_c + d_R numbers a token.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// The naive form's queries, keys and values of n rows: block.attention_in [n,E] to block.q, block.k
// [n,·D] and block.v [n,K·(D - d_R + Dv)], where a head's values follow the content of its key.
void latent_projections(const ModelConfig& config, int layer,
                        const BlockTensors<const float>& weights, int n,
                        const BlockActivations& block, MatmulScratch& scratch);

// From space.q, space.k and the values' part of space.v to space.normed, which is written; adds the
// gradients of the weights.
void latent_projections_backward(const ModelConfig& config, int layer,
                                 const BlockTensors<const float>& weights,
                                 const BlockTensors<float>& gradients, int n,
                                 const BlockActivations& block, const BackwardSpace& space,
                                 MatmulScratch& scratch);

// The absorbed form's queries, in block.absorbed [n,H·(d_c + d_R)]; its key is block.latent
// [n,d_c + d_R].
void absorbed_projections(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights, int n,
                          const BlockActivations& block, MatmulScratch& scratch);

// W_UV on what the absorbed form attended to: block.context [n,H·d_c] to block.attended [n,H·Dv].
void expand_context(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                    int n, const BlockActivations& block, MatmulScratch& scratch);

}  // namespace wf
