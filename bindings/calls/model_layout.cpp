#include "calls/model_layout.h"

#include <algorithm>
#include <cfloat>

namespace wf::calls {

Result<std::unique_ptr<ModelLayout>> ModelLayout::make(const ModelSizes& sizes) {
  const struct {
    const char* name;
    double value;
  } numbers[] = {{"rmsNormEps", sizes.norm_epsilon},
                 {"initializerRange", sizes.initializer_range},
                 {"softcap", sizes.softcap},
                 {"finalSoftcap", sizes.final_softcap}};
  for (const auto& [name, value] : numbers)
    WF_RETURN_IF_ERROR(check_range(name, value, 0, FLT_MAX));
  std::unique_ptr<ModelLayout> layout(new ModelLayout);
  ModelConfig& config = layout->config_;
  config.vocab_size = sizes.vocab_size;
  config.width = sizes.hidden_size;
  config.num_layers = sizes.num_layers;
  config.num_heads = sizes.num_heads;
  config.num_kv_heads = sizes.num_kv_heads;
  config.head_dim = sizes.head_dim;
  config.intermediate = sizes.intermediate_size;
  config.norm_epsilon = static_cast<float>(sizes.norm_epsilon);
  config.is_causal = sizes.is_causal;
  config.initializer_range = static_cast<float>(sizes.initializer_range);
  config.softcap = static_cast<float>(sizes.softcap);
  config.final_softcap = static_cast<float>(sizes.final_softcap);
  config.sinks = sizes.sinks;
  WF_RETURN_IF_ERROR(config.validate_sizes());
  return layout;
}

Status ModelLayout::set_architecture(const ArchitectureChoice& choice) {
  const struct {
    const char* name;
    int value, max;
  } words[] = {{"norm", choice.norm, static_cast<int>(NormKind::kLayer)},
               {"normPlace", choice.norm_place, static_cast<int>(NormPlace::kAround)},
               {"residual", choice.residual, static_cast<int>(Residual::kShared)},
               {"activation", choice.activation, kActivations - 1},
               {"head", choice.head, static_cast<int>(Head::kNone)}};
  for (const auto& [name, value, max] : words) WF_RETURN_IF_ERROR(check_range(name, value, 0, max));
  const struct {
    const char* name;
    double value;
  } scales[] = {{"embeddingScale", choice.embedding_scale},
                {"attentionScale", choice.attention_scale},
                {"residualScale", choice.residual_scale},
                {"logitScale", choice.logit_scale}};
  for (const auto& [name, value] : scales) WF_RETURN_IF_ERROR(check_range(name, value, 0, FLT_MAX));
  config_.architecture = {
      .norm = static_cast<NormKind>(choice.norm),
      .norm_bias = choice.norm_bias,
      .norm_place = static_cast<NormPlace>(choice.norm_place),
      .residual = static_cast<Residual>(choice.residual),
      .activation = static_cast<Activation>(choice.activation),
      .gated = choice.gated,
      .query_bias = choice.query_bias,
      .output_bias = choice.output_bias,
      .feed_bias = choice.feed_bias,
      .head = static_cast<Head>(choice.head),
      .head_bias = choice.head_bias,
      .final_norm = choice.final_norm,
      .first_norm = choice.first_norm,
      .embedding_norm = choice.embedding_norm,
      .cross_attention = choice.cross_attention,
      .token_types = choice.token_types,
      .embedding_scale = static_cast<float>(choice.embedding_scale),
      .attention_scale = static_cast<float>(choice.attention_scale),
      .residual_scale = static_cast<float>(choice.residual_scale),
      .logit_scale = static_cast<float>(choice.logit_scale),
      .embedding_width = choice.embedding_width,
      .cluster_divisor = choice.cluster_divisor,
  };
  return config_.validate_sizes();
}

Status ModelLayout::set_cutoffs(const Workspace& workspace, List cutoffs) {
  WF_RETURN_IF_ERROR(check_range("cutoffs", cutoffs.length, 1, kMaxClusters));
  Reader reader(workspace);
  const auto* given = reader.array<const std::int32_t>("cutoffs", cutoffs, {1.0 * cutoffs.length});
  WF_RETURN_IF_ERROR(reader.status());
  ModelConfig changed = config_;
  changed.architecture.cluster_count = cutoffs.length;
  std::copy_n(given, cutoffs.length, changed.architecture.cutoffs);
  WF_RETURN_IF_ERROR(changed.validate_sizes());
  config_ = changed;
  return {};
}

Status ModelLayout::add_layer_type(int sliding_window, int chunk_size, int query_key_norm) {
  if (config_.layer_type_count == kMaxLayerTypes)
    return WF_UNEXPECTED("layers", "more than %d layer types", "at most %d", kMaxLayerTypes,
                         kMaxLayerTypes);
  WF_RETURN_IF_ERROR(check_range("slidingWindow", sliding_window, 0, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("chunkSize", chunk_size, 0, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("queryKeyNorm", query_key_norm, 0,
                                 static_cast<double>(QueryKeyNorm::kLayerHeads)));
  LayerType& layer_type = config_.layer_types[config_.layer_type_count++];
  layer_type = {};
  layer_type.sliding_window = sliding_window;
  layer_type.chunk_size = chunk_size;
  layer_type.query_key_norm = static_cast<QueryKeyNorm>(query_key_norm);
  return {};
}

Status ModelLayout::add_scheme(const ChosenScheme& scheme) {
  WF_RETURN_IF_ERROR(check_range("layers", config_.layer_type_count, 1, kMaxLayerTypes));
  LayerType& layer_type = config_.layer_types[config_.layer_type_count - 1];
  if (layer_type.scheme_count == kMaxSchemes)
    return WF_UNEXPECTED("scheme", "more than %d schemes", "at most %d", kMaxSchemes, kMaxSchemes);
  layer_type.add(scheme.choice());
  return {};
}

Status ModelLayout::set_layer_types(const Workspace& workspace, List kinds) {
  Reader reader(workspace);
  const auto* given = reader.array<const std::uint8_t>("layers", kinds, {1.0 * config_.num_layers});
  WF_RETURN_IF_ERROR(reader.status());
  for (int layer = 0; layer < config_.num_layers; ++layer)
    WF_RETURN_IF_ERROR(check_range("layers", given[layer], 0, config_.layer_type_count - 1.0));
  std::copy_n(given, config_.num_layers, config_.layer_type_of);
  return {};
}

}  // namespace wf::calls
