#include "calls/model_surgery.h"

namespace wf::calls {

Result<std::unique_ptr<ModelSurgery>> ModelSurgery::make(int num_layers) {
  WF_RETURN_IF_ERROR(check_range("layers", num_layers, 1, kMaxLayers));
  auto surgery = std::make_unique<ModelSurgery>();
  surgery->layers_ = std::make_unique<Surgery[]>(num_layers);
  surgery->count_ = num_layers;
  return surgery;
}

Status ModelSurgery::check(const ModelConfig& config) const {
  WF_RETURN_IF_ERROR(
      check_range("layers", static_cast<double>(count_), config.num_layers, config.num_layers));
  if (num_heads_ == 0) return {};
  WF_RETURN_IF_ERROR(check_range("heads", num_heads_, config.num_heads, config.num_heads));
  return check_range("headDim", head_dim_, config.head_dim, config.head_dim);
}

Result<std::span<const Surgery>> ModelSurgery::of(const Transformer& model) const {
  WF_RETURN_IF_ERROR(check(model.config()));
  return std::span<const Surgery>(layers_.get(), count_);
}

Status ModelSurgery::set_layer(const Workspace& workspace, const Transformer& model, int layer,
                               List ablations) {
  const ModelConfig& config = model.config();
  WF_RETURN_IF_ERROR(check(config));
  WF_RETURN_IF_ERROR(check_range("layer", layer, 0, config.num_layers - 1.0));
  Reader reader(workspace);
  const auto* given = reader.array<const std::uint8_t>(
      "ablations", ablations, {1.0 * config.num_heads, kMaxTerms + config.head_dim / 2 + 0.0});
  WF_RETURN_IF_ERROR(reader.status());
  const std::span<const std::uint8_t> bytes(given, ablations.length);
  for (const std::uint8_t ablation : bytes)
    WF_RETURN_IF_ERROR(check_range("ablation", ablation, 0, kWordsOf<Ablation>.size() - 1.0));
  WF_ASSIGN_OR_RETURN(layers_[layer], Surgery::make(bytes, model.layer_schemes(layer),
                                                    config.num_heads, config.head_dim));
  num_heads_ = config.num_heads;
  head_dim_ = config.head_dim;
  return {};
}

}  // namespace wf::calls
