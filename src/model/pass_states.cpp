#include "model/pass_states.h"

#include <algorithm>
#include <cstring>

#include "tensor/extent.h"

namespace wf {
namespace {

// Channels whose sums are kept at once.
constexpr int kMeanChannels = 32;

void set_to_mean(Matrix x, const std::uint8_t* visible) {
  for (int first = 0; first < x.columns; first += kMeanChannels) {
    const int channels = std::min(kMeanChannels, x.columns - first);
    double sums[kMeanChannels] = {};
    int counted = 0;
    for (int t = 0; t < x.rows; ++t) {
      if (visible && !visible[t]) continue;
      ++counted;
      for (int c = 0; c < channels; ++c) sums[c] += static_cast<double>(x.row(t)[first + c]);
    }
    for (int t = 0; t < x.rows; ++t)
      for (int c = 0; c < channels; ++c)
        x.row(t)[first + c] = counted ? static_cast<float>(sums[c] / counted) : 0.0f;
  }
}

void clear(Matrix x) {
  for (int t = 0; t < x.rows; ++t) std::fill_n(x.row(t), x.columns, 0.0f);
}

void replace_rows(const Patch& patch, Matrix x) {
  for (int i = 0; i < patch.count; ++i)
    std::copy_n(patch.values + elements_of(i, patch.width), patch.width,
                x.row(patch.rows.empty() ? i : patch.rows[i]));
}

// Copies rows of x; returns the address after the copy.
float* copy_rows(std::span<const std::int32_t> rows, ConstMatrix x, float* copy) {
  const int count = rows.empty() ? x.rows : static_cast<int>(rows.size());
  for (int i = 0; i < count; ++i, copy += x.columns)
    std::copy_n(x.row(rows.empty() ? i : rows[i]), x.columns, copy);
  return copy;
}

Status without_attention(const char* what, int layer) {
  return WF_UNEXPECTED_AS(Code::kUnsupported, "%s", "layer %d, without attention",
                          "layers with attention", what, layer);
}

}  // namespace

Status PassStates::check(const ModelConfig& config, int batch, int length) const {
  if (batch != 1 && (!patches.empty() || record.stream || record.outputs))
    return WF_UNEXPECTED("batch", "%d sequences", "1, to patch or record states", batch);
  if (!ablations.empty() && ablations.size() != elements_of(config.num_layers, config.num_heads))
    return WF_UNEXPECTED("ablate", "%d heads", "%d for each of %d layers",
                         static_cast<int>(ablations.size()), config.num_heads, config.num_layers);
  for (std::size_t i = 0; i < ablations.size(); ++i) {
    const int layer = static_cast<int>(i / static_cast<std::size_t>(config.num_heads));
    if (!config.attends(layer) && ablations[i] != HeadAblation::kNone)
      return without_attention("ablate", layer);
  }
  const bool is_of_all = record.layers.empty();
  const int recorded = is_of_all ? config.num_layers : static_cast<int>(record.layers.size());
  for (int i = 0; record.outputs && i < recorded; ++i)
    if (const int layer = is_of_all ? i : record.layers[i]; !config.attends(layer))
      return without_attention("record", layer);
  for (const Patch& patch : patches) {
    const bool is_stream = patch.head < 0;
    if (patch.layer < (is_stream ? -1 : 0) || patch.layer >= config.num_layers ||
        patch.head >= config.num_heads)
      return WF_UNEXPECTED("patch", "head %d of layer %d", "one of this model", patch.head,
                           patch.layer);
    if (!is_stream && !config.attends(patch.layer)) return without_attention("patch", patch.layer);
    const int width =
        is_stream ? config.width : config.attended_width(patch.layer) / config.num_heads;
    if (patch.width != width)
      return WF_UNEXPECTED("patch.values", "rows of %d numbers", "%d", patch.width, width);
    if (patch.rows.empty() && patch.count != length)
      return WF_UNEXPECTED("patch.values", "%d rows", "%d, one for each token", patch.count,
                           length);
    for (const std::int32_t row : patch.rows)
      if (row < 0 || row >= length)
        return WF_UNEXPECTED("patch.rows", "%d", "0 to %d", row, length - 1);
  }
  return {};
}

void PassStates::change_outputs(int layer, Heads outputs, const std::uint8_t* visible) const {
  for (int head = 0; head < outputs.heads && !ablations.empty(); ++head) {
    const HeadAblation ablation = ablations[elements_of(layer, outputs.heads) + head];
    if (ablation == HeadAblation::kZero) clear(outputs.head(head));
    if (ablation == HeadAblation::kMean) set_to_mean(outputs.head(head), visible);
  }
  for (const Patch& patch : patches)
    if (patch.layer == layer && patch.head >= 0) replace_rows(patch, outputs.head(patch.head));
  if (!record.outputs) return;
  const std::span<const std::int32_t> layers = record.layers;
  const auto found = std::lower_bound(layers.begin(), layers.end(), layer);
  if (!layers.empty() && (found == layers.end() || *found != layer)) return;
  const int slot = layers.empty() ? layer : static_cast<int>(found - layers.begin());
  const int heads = record.heads.empty() ? outputs.heads : static_cast<int>(record.heads.size());
  const int rows = record.rows.empty() ? outputs.rows : static_cast<int>(record.rows.size());
  float* copy = record.outputs + elements_of(slot, heads, rows, outputs.columns);
  for (int i = 0; i < heads; ++i)
    copy = copy_rows(record.rows, outputs.head(record.heads.empty() ? i : record.heads[i]), copy);
}

void PassStates::change_stream(int layer, Matrix stream) const {
  for (const Patch& patch : patches)
    if (patch.layer == layer && patch.head < 0) replace_rows(patch, stream);
  if (!record.stream) return;
  const int rows = record.rows.empty() ? stream.rows : static_cast<int>(record.rows.size());
  copy_rows(record.rows, stream, record.stream + elements_of(layer + 1, rows, stream.columns));
}

}  // namespace wf
