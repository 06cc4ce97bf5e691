#include "calls/model_surgery.h"

#include <algorithm>

namespace wf::calls {
namespace {

constexpr int kMaxPatches = 1 << 20;

}  // namespace

Result<std::unique_ptr<ModelSurgery>> ModelSurgery::make(int num_layers, int patches) {
  WF_RETURN_IF_ERROR(check_range("layers", num_layers, 1, kMaxLayers));
  WF_RETURN_IF_ERROR(check_range("patches", patches, 0, kMaxPatches));
  auto surgery = std::make_unique<ModelSurgery>();
  surgery->layers_ = std::make_unique<Surgery[]>(num_layers);
  surgery->num_layers_ = num_layers;
  surgery->patch_memory_ = std::make_unique<PatchMemory[]>(patches);
  WF_RETURN_IF_ERROR(surgery->patches_.reserve(patches));
  return surgery;
}

Status ModelSurgery::check(const ModelConfig& config) const {
  WF_RETURN_IF_ERROR(check_range("layers", static_cast<double>(num_layers_), config.num_layers,
                                 config.num_layers));
  if (num_heads_ == 0) return {};
  WF_RETURN_IF_ERROR(check_range("heads", num_heads_, config.num_heads, config.num_heads));
  return check_range("headDim", head_dim_, config.head_dim, config.head_dim);
}

Result<std::span<const Surgery>> ModelSurgery::of(const Transformer& model) const {
  WF_RETURN_IF_ERROR(check(model.config()));
  return std::span<const Surgery>(layers_.get(), num_layers_);
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

Status ModelSurgery::set_heads(const Workspace& workspace, const Transformer& model,
                               List ablations) {
  const ModelConfig& config = model.config();
  WF_RETURN_IF_ERROR(check(config));
  Reader reader(workspace);
  const auto* given = reader.array<const std::uint8_t>(
      "ablate", ablations, {1.0 * config.num_layers, 1.0 * config.num_heads});
  WF_RETURN_IF_ERROR(reader.status());
  for (int i = 0; i < ablations.length; ++i)
    WF_RETURN_IF_ERROR(check_range("ablate", given[i], 0, kWordsOf<HeadAblation>.size() - 1.0));
  WF_ASSIGN_OR_RETURN(heads_, Buffer<HeadAblation>::make(ablations.length));
  for (int i = 0; i < ablations.length; ++i) heads_[i] = static_cast<HeadAblation>(given[i]);
  num_heads_ = config.num_heads;
  head_dim_ = config.head_dim;
  return {};
}

Status ModelSurgery::add_patch(const Workspace& workspace, const Transformer& model, int layer,
                               int head, List rows, List values) {
  const ModelConfig& config = model.config();
  WF_RETURN_IF_ERROR(check(config));
  WF_RETURN_IF_ERROR(check_range("patches", patch_count_ + 1.0, 1, patches_.size()));
  WF_RETURN_IF_ERROR(check_range("patch.head", head, -1, config.num_heads - 1.0));
  WF_RETURN_IF_ERROR(check_range("patch.layer", layer, head < 0 ? -1 : 0, config.num_layers - 1.0));
  const int width = head < 0 ? config.width : config.attended_width(layer) / config.num_heads;
  Reader reader(workspace);
  const auto indices = reader.integers("patch.rows", rows);
  for (std::size_t i = 0; i < indices.size(); ++i)
    reader.refuse(check_range("patch.rows", indices[i], i ? indices[i - 1] + 1.0 : 0, INT32_MAX));
  const int count = indices.empty() ? values.length / width : static_cast<int>(indices.size());
  const float* given = reader.floats("patch.values", values, {1.0 * count, 1.0 * width});
  reader.forbid_not_finite(values);
  WF_RETURN_IF_ERROR(reader.status());
  PatchMemory& memory = patch_memory_[patch_count_];
  WF_RETURN_IF_ERROR(memory.rows.reserve(indices.size()));
  WF_RETURN_IF_ERROR(memory.values.reserve(values.length));
  std::copy(indices.begin(), indices.end(), memory.rows.data());
  std::copy_n(given, values.length, memory.values.data());
  patches_[patch_count_++] = {.layer = layer,
                              .head = head,
                              .rows = {memory.rows.data(), memory.rows.size()},
                              .count = count,
                              .width = width,
                              .values = memory.values.data()};
  return {};
}

Result<PassStates> ModelSurgery::states_of(const Transformer& model) const {
  WF_RETURN_IF_ERROR(check(model.config()));
  return PassStates{.ablations = {heads_.data(), heads_.size()},
                    .patches = {patches_.data(), static_cast<std::size_t>(patch_count_)},
                    .record = {}};
}

}  // namespace wf::calls
