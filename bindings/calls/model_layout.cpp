#include "calls/model_layout.h"

#include <algorithm>

namespace wf::calls {

Result<std::unique_ptr<ModelLayout>> ModelLayout::make(const ModelConfig& config) {
  std::unique_ptr<ModelLayout> layout(new ModelLayout(config));
  layout->config_.architecture.cluster_count = 0;
  layout->config_.layer_type_count = 0;
  WF_RETURN_IF_ERROR(layout->config_.validate_sizes());
  return layout;
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

Status ModelLayout::add_layer_type(const LayerType& layer_type) {
  if (config_.layer_type_count == kMaxLayerTypes)
    return WF_UNEXPECTED("layers", "more than %d layer types", "at most %d", kMaxLayerTypes,
                         kMaxLayerTypes);
  WF_RETURN_IF_ERROR(layer_type.check_ranges());
  LayerType& added = config_.layer_types[config_.layer_type_count++];
  added = layer_type;
  added.scheme_count = 0;
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
