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

Status ModelLayout::add_stack(int sliding_window, int chunk_size, int query_key_norm) {
  if (config_.stack_count == kMostStacks)
    return Status::error(Code::kInvalidArgument, "layers: more than %d kinds; allowed are 1 to %d",
                         kMostStacks, kMostStacks);
  WF_RETURN_IF_ERROR(check_range("slidingWindow", sliding_window, 0, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("chunkSize", chunk_size, 0, INT32_MAX));
  WF_RETURN_IF_ERROR(
      check_range("queryKeyNorm", query_key_norm, 0, static_cast<double>(QueryKeyNorm::kPlain)));
  LayerStack& stack = config_.stacks[config_.stack_count++];
  stack = {};
  stack.sliding_window = sliding_window;
  stack.chunk_size = chunk_size;
  stack.query_key_norm = static_cast<QueryKeyNorm>(query_key_norm);
  return {};
}

Status ModelLayout::add_scheme(const ChosenScheme& scheme) {
  WF_RETURN_IF_ERROR(check_range("layers", config_.stack_count, 1, kMostStacks));
  LayerStack& stack = config_.stacks[config_.stack_count - 1];
  if (stack.scheme_count == kMostStackedSchemes)
    return Status::error(Code::kInvalidArgument, "scheme: more than %d; allowed are 0 to %d",
                         kMostStackedSchemes, kMostStackedSchemes);
  stack.add(scheme.choice());
  return {};
}

Status ModelLayout::set_stack_of(const Workspace& workspace, List kinds) {
  Reader reader(workspace);
  const auto* given = reader.array<const std::uint8_t>("layers", kinds, {1.0 * config_.num_layers});
  WF_RETURN_IF_ERROR(reader.status());
  for (int layer = 0; layer < config_.num_layers; ++layer)
    WF_RETURN_IF_ERROR(check_range("layers", given[layer], 0, config_.stack_count - 1.0));
  std::copy_n(given, config_.num_layers, config_.stack_of);
  return {};
}

}  // namespace wf::calls
