// The sizes of a transformer and its positional schemes.
#pragma once

#include <cstdint>
#include <span>

#include "attention/attention.h"
#include "model/architecture.h"
#include "schemes/registry.h"
#include "status.h"

namespace wf {

// A scheme with its options, independent of a shape.
struct SchemeChoice {
  const SchemeEntry* entry = nullptr;
  OptionValues options;

  bool is_same(const SchemeChoice& other) const;
};

// The tokens [first, first + count), whose embedding table has this number of columns
// (architecture.h).
struct TokenPiece {
  int first, count, width;
};

// Norm of each head of queries and keys, before the schemes' transforms. kWeighted: RMSNorm with a
// weight for each channel, shared by the heads (Qwen3, Gemma 3). kPlain: without weights; since a
// rotation keeps lengths, it is also Llama 4's norm after RoPE. kWhole: one RMSNorm over all heads
// of a token, with a weight for each channel of each head (OLMo-2). The others are layer
// normalisations of each head: kLayer with weight and bias [D] for all heads (Phi), kLayerHeads
// with a weight [D] for each head (Cohere, StableLM). kWeightedAfter: kWeighted after the schemes'
// transforms (Hunyuan).
#define WF_QUERY_KEY_NORMS(X)  \
  X(kNone, "none")             \
  X(kWeighted, "weighted")     \
  X(kPlain, "plain")           \
  X(kWhole, "whole")           \
  X(kLayer, "layer")           \
  X(kLayerHeads, "layerHeads") \
  X(kWeightedAfter, "weightedAfter")
WF_ENUM_WITH_WORDS(QueryKeyNorm, WF_QUERY_KEY_NORMS)
#undef WF_QUERY_KEY_NORMS

// The properties that may differ between layers: schemes, visible keys, the norm of queries and
// keys, a mixer in place of attention, and in a model with experts the kind of feed-forward
// layer.
struct LayerType {
  int scheme_count = 0;
  SchemeChoice schemes[kMaxSchemes];
#define WF_FIELD WF_FIELD_MEMBER
#include "attention/window_fields.def"
#define WF_FIELD WF_FIELD_MEMBER
#include "model/layer_type_fields.def"

  static std::span<const Field> fields();
  // Checks the ranges of the fields. Errors: kInvalidArgument.
  Status check_ranges() const;

  // Whether it keeps a matrix for each head in place of keys (state_layer.h).
  bool keeps_state() const { return delta_rule || state_space; }
  // There must be fewer than kMaxSchemes.
  void add(const SchemeChoice& choice) { schemes[scheme_count++] = choice; }
  std::span<const SchemeChoice> list() const {
    return {schemes, static_cast<std::size_t>(scheme_count)};
  }
};

// A transformer, by default like Llama (Touvron et al. 2023, arXiv 2302.13971, section 2.2):
// pre-norm, RMSNorm, attention without biases, SwiGLU, output head tied to the token embedding.
// `architecture` holds the differences of other families. Positions are encoded by the schemes
// only.
//
// Layers have one of a few layer types. A scheme that is in several layer types with the same
// options exists once: its parameters for the whole model are shared, and it changes the token
// vectors once, before the first layer, even if that layer does not have it.
struct ModelConfig {
#define WF_FIELD WF_FIELD_MEMBER
#include "model/model_fields.def"
  Architecture architecture = {};
  int layer_type_count = 1;
  LayerType layer_types[kMaxLayerTypes] = {};
  std::uint8_t layer_type_of[kMaxLayers] = {};  // index into layer_types, for each layer

  const LayerType& layer_type(int layer) const { return layer_types[layer_type_of[layer]]; }

  // Width of token vectors before they enter the stream.
  int input_width() const { return architecture.input_width ? architecture.input_width : width; }
  // The layer whose weights a layer has: the first of its group.
  int weights_of(int layer) const {
    const int groups = architecture.layer_groups;
    return groups ? layer - layer % (num_layers / groups) : layer;
  }
  bool has_experts(int layer) const { return architecture.experts && !layer_type(layer).dense; }
  bool attends(int layer) const {
    return !layer_type(layer).convolution && !layer_type(layer).keeps_state();
  }
  // Of a layer without attention: channels of its first projection, of its convolution, and of its
  // input to the last projection.
  int mixer_in_width(int layer) const;
  int convolution_width(int layer) const;
  int mixed_width(int layer) const;
  // Numbers that it keeps of all tokens for decoding.
  std::size_t mixer_state(int layer) const;
  // Width of the gate of attention's outputs; 0 if there is none.
  int gate_width(int layer) const;
  // Numbers that a token has within the feed-forward layer.
  int feed_width(int layer) const {
    return has_experts(layer)
               ? architecture.chosen_experts * architecture.expert_size + architecture.shared_size
               : intermediate;
  }

  static std::span<const Field> fields();

  // Errors: kInvalidArgument, which names the size, its value and what is allowed.
  Status validate() const;
  // Checks only the sizes. Errors: as validate.
  Status validate_sizes() const;

  // Default number of position axes of a text: 2 if a scheme reads a grid, otherwise 1.
  int position_axes() const;

  // Number of embedding tables with projections; 0 for a single table without.
  int piece_count() const {
    return architecture.embedding_width ? architecture.cluster_count + 1 : 0;
  }
  TokenPiece piece(int index) const;

  AttentionConfig attention(int layer) const;
  SchemeShape scheme_shape() const {
    return {
        .num_heads = num_heads, .num_kv_heads = num_kv_heads, .head_dim = head_dim, .width = width};
  }
  // Includes the value width of the layer type.
  SchemeShape scheme_shape(const LayerType& layer_type) const {
    SchemeShape shape = scheme_shape();
    shape.value_dim = projections_of(layer_type).value_dim;
    return shape;
  }
  bool normalises_queries() const;  // in any layer
  int query_width() const { return num_heads * head_dim; }
  int key_width() const { return num_kv_heads * head_dim; }

  // How a layer's projections are made, with value_dim set.
  ProjectionPlan projections(int layer) const { return projections_of(layer_type(layer)); }
  ProjectionPlan projections_of(const LayerType& layer_type) const;
  // Width of the projected values of a token; in latent layers including the content of its keys,
  // which is interleaved with them.
  int value_width(int layer) const;
  int attended_width(int layer) const { return num_heads * projections(layer).value_dim; }
  // Whether a latent layer decodes in the absorbed form. It does not if another scheme of the layer
  // reads queries, keys or values, which differ in that form.
  bool absorbs(int layer) const;
  // Attention for decoding: in the absorbed form, if the layer absorbs.
  AttentionConfig decoding_attention(int layer) const;
};

}  // namespace wf
