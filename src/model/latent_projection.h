// Latent projections of a layer (multi-head latent attention: DeepSeek-AI 2024, DeepSeek-V2, arXiv
// 2405.04434, section 2.1; weights are named as in Hugging Face's DeepseekV3Attention).
//
// Each token is projected to one vector [c | k^R] of d_c + d_R channels (kv_a_proj_with_mqa); c is
// normalised, and the content of every head's key and its value are projections of c (kv_b_proj).
// Queries are projected from the input, or from a normalised vector of their own (q_a_proj,
// q_b_proj).
//
// There are two forms, equal but for rounding. Naive: keys [W_UK c | k^R] and values W_UV c of K
// heads, for texts that are processed at once. Absorbed: queries [W_UKᵀ q^C | q^R] and a single key
// [c | k^R] with value c, then W_UV; for decoding, which then caches d_c + d_R numbers for each
// token.
#pragma once

#include "model/activations.h"
#include "model/parameters.h"

namespace wf {

// The naive form's queries, keys and values of n rows: from block.attention_in [n,E] to block.q,
// block.k [n,·D] and block.v [n,K·(D - d_R + Dv)], where a head's values follow the content of its
// key.
void latent_projections(const ModelConfig& config, int layer,
                        const BlockTensors<const float>& weights, int n,
                        const BlockActivations& block, MatmulScratch& scratch);

// From space.q, space.k and the values in space.v; adds to space.normed and to the gradients of the
// weights.
void latent_projections_backward(const ModelConfig& config, int layer,
                                 const BlockTensors<const float>& weights,
                                 const BlockTensors<float>& gradients, int n,
                                 const BlockActivations& block, const BackwardSpace& space,
                                 MatmulScratch& scratch);

// The absorbed form's queries, to block.absorbed [n,H·(d_c + d_R)]; its key is block.latent [n,d_c
// + d_R].
void absorbed_projections(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights, int n,
                          const BlockActivations& block, MatmulScratch& scratch);

// Applies W_UV to the output of the absorbed form: from block.context [n,H·d_c] to block.attended
// [n,H·Dv].
void expand_context(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                    int n, const BlockActivations& block, MatmulScratch& scratch);

}  // namespace wf
