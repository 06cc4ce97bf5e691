#include "calls/recorders.h"

namespace wf::calls {

Status Recorders::make(const Workspace& workspace, const Transformer& transformer,
                       const RecordRequest& record, const Beside& beside,
                       std::span<const std::int32_t> layers, int length) {
  clear();
  const ModelConfig& config = transformer.config();
  const auto layer_at = [&](int slot) { return layers.empty() ? slot : layers[slot]; };
  const int count = layers.empty() ? config.num_layers : static_cast<int>(layers.size());
  const int kinds = beside.memory ? 2 : 1;
  WF_RETURN_IF_ERROR(check_range("region.layers", count, 1, config.num_layers));
  list_ = std::make_unique<Recorder[]>(kinds * count);
  WF_RETURN_IF_ERROR(of_layer_.reserve(kinds * config.num_layers));
  of_layer_.fill_zero();
  for (int slot = 0; slot < kinds * count; ++slot) {
    const bool is_beside = slot >= count;
    const int index = slot % count, layer = layer_at(index);
    WF_RETURN_IF_ERROR(check_range("region.layers", layer, index ? layer_at(index - 1) + 1.0 : 0,
                                   config.num_layers - 1.0));
    const int keys = is_beside ? beside.memory->shared()->length() : length;
    const int heads =
        config.attends(layer) ? config.num_heads : config.architecture.delta_value_heads;
    WF_ASSIGN_OR_RETURN(list_[slot], make_recorder(workspace, is_beside ? beside.record : record,
                                                   transformer.layer_schemes(layer),
                                                   {heads, config.head_dim, length, keys,
                                                    config.attention(layer).value_channels()}));
    of_layer_[(is_beside ? config.num_layers : 0) + layer] = &list_[slot];
    if (list_[slot].pairs() != list_[slot - index].pairs())
      return Status::error(Code::kUnsupported,
                           "record: layers %d and %d rotate %d and %d pairs of channels; record "
                           "\"pairs\" only of layers that rotate as many",
                           layer_at(0), layer, list_[slot - index].pairs(), list_[slot].pairs());
  }
  count_ = kinds * count;
  return {};
}

Status Recorders::measure(std::span<const std::int32_t> ids) {
  for (int slot = 0; slot < count_; ++slot) WF_RETURN_IF_ERROR(list_[slot].measure(ids));
  return {};
}

std::unique_ptr<Record> Recorders::take(int slot) {
  if (!list_ || slot < 0 || slot >= count_ || !list_[slot].heads()) return nullptr;
  // Leaves an empty recorder, so that only one record is in memory twice.
  return std::make_unique<Record>(std::exchange(list_[slot], Recorder()));
}

}  // namespace wf::calls
