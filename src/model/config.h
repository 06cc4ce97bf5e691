// The sizes of a transformer, and the schemes that tell it the order of its tokens.
#pragma once

#include <cstdint>
#include <span>

#include "attention/attention.h"
#include "model/architecture.h"
#include "schemes/registry.h"
#include "status.h"

namespace wf {

// A scheme with its options, before it is made for a shape.
struct SchemeChoice {
  const SchemeEntry* entry = nullptr;
  OptionValues options;

  bool is_same(const SchemeChoice& other) const;
};

constexpr int kMaxLayers = 256;

// The tokens [first, first + count), whose table has so many columns (architecture.h).
struct TokenPiece {
  int first, count, width;
};

// RMSNorm of each head of queries and keys, before the schemes' transforms. kWeighted has a weight
// for each channel, shared by the heads (Qwen3, Gemma 3). kPlain has none; since a rotation keeps
// lengths, it is also Llama 4's norm after RoPE. kWhole is one norm over all heads of a token, with
// a weight for each channel of each head (OLMo-2). The others are layer normalisations of each
// head: kLayer with weight and bias [D] for all heads (Phi), kLayerHeads with a weight [D] for each
// head (Cohere, StableLM).
enum class QueryKeyNorm : std::uint8_t { kNone, kWeighted, kPlain, kWhole, kLayer, kLayerHeads };

// What may differ from layer to layer: a list of schemes, what of the sequence is seen, and whether
// queries and keys are normalised.
struct LayerType {
  int scheme_count = 0;
  SchemeChoice schemes[kMaxSchemes];
  int sliding_window = 0;  // both as in AttentionConfig
  int chunk_size = 0;
  QueryKeyNorm query_key_norm = QueryKeyNorm::kNone;

  // There must be room.
  void add(const SchemeChoice& choice) { schemes[scheme_count++] = choice; }
  std::span<const SchemeChoice> list() const {
    return {schemes, static_cast<std::size_t>(scheme_count)};
  }
};

// A transformer, by default of Llama's kind (Touvron et al. 2023, arXiv 2302.13971, section 2.2):
// pre-norm, RMSNorm, attention without biases, SwiGLU, output head tied to the token embedding.
// What other families have instead is in `architecture`. Order comes from the schemes alone.
//
// Layers share a few stacks. A scheme that stands in several stacks with the same options is one
// scheme: what it trains for the whole model exists once, and what it does to token vectors happens
// once, before the first layer, whichever layers' list it stands in.
struct ModelConfig {
  int vocab_size = 0;  // V
  int width = 0;  // E
  int num_layers = 0;
  int num_heads = 0;  // H
  int num_kv_heads = 0;  // K, divides H
  int head_dim = 0;  // D
  int intermediate = 0;  // F
  float norm_epsilon = 1e-5f;
  bool is_causal = true;
  // Standard deviation of initial weights. 0.02 suits widths of a hundred and more; narrow models
  // learn faster from about 1/√E.
  float initializer_range = 0.02f;
  float softcap = 0;  // as AttentionConfig's
  float final_softcap = 0;  // cap of the scores of the vocabulary; 0 means off
  // Each head of each layer learns a logit that takes weight but has no value (gpt-oss).
  bool sinks = false;
  Architecture architecture;
  int layer_type_count = 1;
  LayerType layer_types[kMaxLayerTypes];
  std::uint8_t layer_type_of[kMaxLayers] = {};  // index into stacks, of each layer

  const LayerType& layer_type(int layer) const { return layer_types[layer_type_of[layer]]; }

  // Errors: kInvalidArgument, which names the size, its value and what is allowed.
  Status validate() const;
  // Looks at the sizes alone. Errors: as validate.
  Status validate_sizes() const;

  // Axes of the positions that a text has by default: 2 where a scheme reads a grid, else 1.
  int position_axes() const;

  // How many tables of tokens there are with projections; 0 where there is one without.
  int piece_count() const {
    return architecture.embedding_width ? architecture.cluster_count + 1 : 0;
  }
  TokenPiece piece(int index) const;

  AttentionConfig attention(int layer) const;
  SchemeShape scheme_shape() const {
    return {
        .num_heads = num_heads, .num_kv_heads = num_kv_heads, .head_dim = head_dim, .width = width};
  }
  // With the width of a stack's values.
  SchemeShape scheme_shape(const LayerType& layer_type) const {
    SchemeShape shape = scheme_shape();
    shape.value_dim = projections_of(layer_type).value_dim;
    return shape;
  }
  bool normalises_queries() const;  // in any layer
  int query_width() const { return num_heads * head_dim; }
  int key_width() const { return num_kv_heads * head_dim; }

  // How a layer's projections are made, its value_dim filled in.
  ProjectionPlan projections(int layer) const { return projections_of(layer_type(layer)); }
  ProjectionPlan projections_of(const LayerType& layer_type) const;
  // What is computed of a token beside queries and keys: its values, and in latent layers the
  // content of its keys between them.
  int value_width(int layer) const;
  int attended_width(int layer) const { return num_heads * projections(layer).value_dim; }
  // Whether a latent layer decodes in the absorbed form. It does not where a scheme beside it looks
  // into queries, keys or values, which are others in that form.
  bool absorbs(int layer) const;
  // Attention as decoding sees it: the absorbed form where the layer absorbs.
  AttentionConfig decoding_attention(int layer) const;
};

}  // namespace wf
