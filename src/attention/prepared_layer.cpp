#include "attention/prepared_layer.h"

namespace wf {

Status PreparedLayer::compare(const LayerScheme& item, bool& same) {
  std::size_t total = 0;
  for (const ParameterSpec& spec : item.scheme->parameters()) total += spec.size();
  same = values_.size() == total;
  WF_RETURN_IF_ERROR(values_.reserve(total));
  float* kept = values_.data();
  int index = 0;
  for (const ParameterSpec& spec : item.scheme->parameters()) {
    const float* now = item.values[index++];
    const std::size_t size = spec.size();
    // Compares bits, so that NaN equals itself; memcmp of the wasm library compares single bytes,
    // which is slow.
    std::uint32_t different = 0;
    for (std::size_t i = 0; i < size; ++i) {
      std::uint32_t a, b;
      std::memcpy(&a, now + i, sizeof(a));
      std::memcpy(&b, kept + i, sizeof(b));
      different |= a ^ b;
    }
    if (different) {
      same = false;
      std::memcpy(kept, now, sizeof(float) * size);
    }
    kept += size;
  }
  return {};
}

Status PreparedLayer::refresh(const LayerScheme& item, LayerContext& context,
                              MatmulScratch& scratch) {
  bool same = false;
  WF_RETURN_IF_ERROR(compare(item, same));
  if (!same || serial_ != item.scheme->serial() || !distances_.covers(context.distances)) {
    forget();  // invalid until everything is computed
    context.distances.reserve();
    distances_ = context.distances;
    WF_RETURN_IF_ERROR(table_.reserve(item.scheme->layer_table_floats(context)));
    item.scheme->prepare_layer(context, table_.data(), scratch);
    serial_ = item.scheme->serial();
  }
  context.distances.take_rows(distances_);
  context.table = table_.data();
  return {};
}

}  // namespace wf
