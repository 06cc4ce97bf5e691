// The sizes and layer types of a model, collected step by step before the model is made.
#pragma once

#include <memory>

#include "calls/scheme_choice.h"

namespace wf::calls {

struct ModelSizes {
  int vocab_size, hidden_size, num_layers, num_heads, num_kv_heads, head_dim, intermediate_size;
  double norm_epsilon;
  bool is_causal;
  double initializer_range;
  double softcap, final_softcap;  // 0: off
  bool sinks;
};

// An Architecture as numbers for JavaScript; words by their index.
struct ArchitectureChoice {
  int norm, norm_place, residual, activation, head, token_types, embedding_width, cluster_divisor;
  bool norm_bias, gated, query_bias, output_bias, feed_bias, head_bias, final_norm, embedding_norm;
  bool first_norm, cross_attention;
  double embedding_scale, attention_scale, residual_scale, logit_scale;
};

class ModelLayout {
 public:
  // Errors: kInvalidArgument, naming the size.
  static Result<std::unique_ptr<ModelLayout>> make(const ModelSizes& sizes);

  // Errors: kInvalidArgument, kUnsupported for an invalid combination.
  Status set_architecture(const ArchitectureChoice& choice);
  // Sets the first tokens of an adaptive softmax's clusters (int32). Call it after
  // set_architecture.
  Status set_cutoffs(const Workspace& workspace, List cutoffs);
  // Adds a layer type. Window and chunk in tokens, 0: none; query_key_norm is a QueryKeyNorm.
  Status add_layer_type(int sliding_window, int chunk_size, int query_key_norm);
  // Adds a scheme to the layer type added last.
  Status add_scheme(const ChosenScheme& scheme);
  // Sets the layer type of each layer (bytes, from 0).
  Status set_layer_types(const Workspace& workspace, List kinds);

  const ModelConfig& config() const { return config_; }

 private:
  ModelLayout() { config_.layer_type_count = 0; }

  ModelConfig config_;
};

}  // namespace wf::calls
