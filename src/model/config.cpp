#include "model/config.h"

namespace wf {
namespace {

constexpr Field kModelFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "model/model_fields.def"
};

constexpr Field kLayerTypeFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "attention/window_fields.def"
#define WF_FIELD WF_FIELD_ENTRY
#include "model/layer_type_fields.def"
};

Status check(const Architecture& a) {
  const auto refuse = [](const char* what) {
    return Status::error(Code::kUnsupported, "architecture: %s", what);
  };
  if (a.norm_bias && a.norm != NormKind::kLayer) return refuse("an RMSNorm has no bias");
  if (a.is_parallel() && a.norm_place != NormPlace::kBefore)
    return refuse("a parallel residual needs norms before attention and feed-forward");
  if (a.residual_scale != 1 && a.norm_place != NormPlace::kBefore)
    return refuse("residualScale needs norms before attention and feed-forward");
  if (a.experts && !a.gated) return refuse("experts need gated");
  if (a.shared_scale && !a.shared_size) return refuse("sharedExpertGate needs sharedExpertSize");
  if ((a.shared_size || a.router_preference || a.router_bias || a.router_scales_inputs) &&
      !a.experts)
    return refuse("a router and a shared expert need experts");
  if (a.input_width && (a.head == Head::kTied || a.embedding_width))
    return refuse("inputWidth needs an output head of its own or none, and no embeddingWidth");
  if (a.head_bias && a.head == Head::kNone) return refuse("headBias needs an output head");
  if (a.cross_attention && a.normalises_inputs() == a.normalises_outputs())
    return refuse("cross-attention needs a norm before it or after the sum");
  if (a.cross_attention && (a.norm_place == NormPlace::kOutput || a.is_parallel()))
    return refuse("cross-attention needs separate attention and feed-forward");
  return {};
}

Status check_experts(const Architecture& a) {
  if (!a.experts) return {};
  if (a.chosen_experts < 1 || a.chosen_experts > a.experts)
    return WF_UNEXPECTED("architecture.expertsPerToken", "%d", "1 to %d", a.chosen_experts,
                         a.experts);
  if (a.expert_size < 1)
    return WF_UNEXPECTED("architecture.expertSize", "%d", "1 or more", a.expert_size);
  return {};
}

Status check_cutoffs(const ModelConfig& config) {
  const std::span<const int> cutoffs = config.architecture.clusters();
  if (cutoffs.empty()) return {};
  if (config.architecture.head == Head::kNone || config.final_softcap > 0)
    return Status::error(Code::kUnsupported,
                         "architecture.cutoffs: they need an output head without finalSoftcap");
  int last = 0;
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    if (cutoffs[i] <= last || cutoffs[i] >= config.vocab_size)
      return WF_UNEXPECTED("architecture.cutoffs[%zu]", "%d", "%d to %d", i, cutoffs[i], last + 1,
                           config.vocab_size - 1);
    last = cutoffs[i];
  }
  return {};
}

Status check_groups(const ModelConfig& config) {
  const int groups = config.architecture.layer_groups;
  if (groups == 0 || config.num_layers % groups == 0) return {};
  return WF_UNEXPECTED("architecture.layerGroups", "%d", "a divisor of numLayers, %d", groups,
                       config.num_layers);
}

Status check_pieces(const ModelConfig& config) {
  const Architecture& a = config.architecture;
  if (!a.embedding_width && a.cluster_divisor != 1)
    return WF_UNEXPECTED("architecture.clusterDivisor", "%d", "1 without embeddingWidth",
                         a.cluster_divisor);
  if (!a.embedding_width) return {};
  if (a.cross_attention)
    return Status::error(Code::kUnsupported,
                         "architecture.embeddingWidth: not supported with crossAttention");
  if (config.piece(a.cluster_count).width) return {};
  return WF_UNEXPECTED(
      "architecture.clusterDivisor", "%d",
      "a divisor that leaves each of %d clusters at least one of embeddingWidth %d columns",
      a.cluster_divisor, a.cluster_count, a.embedding_width);
}

Status check(const LayerType& layer_type, bool is_causal) {
  if (layer_type.scheme_count < 0 || layer_type.scheme_count > kMaxSchemes) {
    return WF_UNEXPECTED("scheme", "%d schemes", "0 to %d", layer_type.scheme_count, kMaxSchemes);
  }
  for (int i = 0; i < layer_type.scheme_count; ++i) {
    const SchemeChoice& choice = layer_type.schemes[i];
    if (!choice.entry) return Status::error(Code::kInvalidArgument, "scheme[%d]: no scheme", i);
    if (!is_causal && !choice.entry->description->claims.bidirectional) {
      return WF_UNEXPECTED_AS(Code::kUnsupported, "isCausal", "false",
                              "true, since scheme %s is for causal models only",
                              choice.entry->description->id);
    }
    for (int j = 0; j < i; ++j) {
      if (layer_type.schemes[j].is_same(choice))
        return Status::error(Code::kInvalidArgument, "scheme[%d] repeats scheme[%d], %s", i, j,
                             choice.entry->description->id);
    }
  }
  return layer_type.check_ranges();
}

Status check_states(const Architecture& a) {
  const struct {
    const char* name;
    int value;
  } sizes[] = {{"deltaTaps", a.delta_taps},
               {"deltaKeyHeads", a.delta_key_heads},
               {"deltaValueHeads", a.delta_value_heads},
               {"deltaKeyDim", a.delta_key_dim},
               {"deltaValueDim", a.delta_value_dim}};
  for (const auto& [name, value] : sizes)
    if (value < 1) return WF_UNEXPECTED("architecture.%s", "%d", "1 or more", name, value);
  if (a.delta_value_heads % a.delta_key_heads == 0) return {};
  return WF_UNEXPECTED("architecture.deltaValueHeads", "%d", "a multiple of deltaKeyHeads, %d",
                       a.delta_value_heads, a.delta_key_heads);
}

Status check_mixer(const ModelConfig& config, const LayerType& layer_type) {
  const int kinds = (layer_type.convolution > 0) + layer_type.delta_rule + layer_type.state_space;
  if (kinds == 0) return {};
  const auto refuse = [&](const char* what) {
    return Status::error(Code::kUnsupported, "%s: %s",
                         layer_type.delta_rule    ? "deltaRule"
                         : layer_type.state_space ? "stateSpace"
                                                  : "convolution",
                         what);
  };
  if (kinds > 1) return refuse("a layer has this or another mixer in place of attention");
  if (layer_type.keeps_state()) WF_RETURN_IF_ERROR(check_states(config.architecture));
  if (layer_type.scheme_count || layer_type.query_key_norm != QueryKeyNorm::kNone)
    return refuse("such a layer has no attention, so no scheme and no norm of queries and keys");
  if (!config.is_causal) return refuse("it needs a causal model");
  const Architecture& a = config.architecture;
  if (!a.normalises_inputs() || a.is_parallel() || a.cross_attention)
    return refuse("it needs a norm before it, a serial residual and no cross-attention");
  return {};
}

// Checks that all schemes agree on the number of position axes.
Status check_axes_of(const ModelConfig& config) {
  const bool is_grid = config.position_axes() == 2;
  for (int i = 0; i < config.layer_type_count; ++i)
    for (const SchemeChoice& choice : config.layer_types[i].list()) {
      const SchemeDescription& description = *choice.entry->description;
      if (description.position_axes == 0 || (description.position_axes == 2) == is_grid) continue;
      return Status::error(
          Code::kUnsupported,
          "scheme %s reads positions of a text, and another scheme positions of a grid",
          description.id);
    }
  return {};
}

// Checks that the latent projections of a layer type match the sizes and the other options.
Status check_projections(const ModelConfig& config, const LayerType& layer_type) {
  int latent = 0;
  for (const SchemeChoice& choice : layer_type.list())
    latent += choice.entry->projections != nullptr;
  if (latent == 0) return {};
  if (latent > 1)
    return WF_UNEXPECTED("scheme", "%d schemes that make a layer's projections", "at most one",
                         latent);
  const ProjectionPlan plan = config.projections_of(layer_type);
  if (plan.content < 1 || plan.content + plan.slice != config.head_dim)
    return WF_UNEXPECTED("headDim", "%d", "%d, the content (%d) and the slice (%d) of a key",
                         config.head_dim, plan.content + plan.slice, plan.content, plan.slice);
  if (layer_type.query_key_norm != QueryKeyNorm::kNone)
    return Status::error(Code::kUnsupported,
                         "queryKeyNorm: not supported with latent projections, which normalise "
                         "their latent vectors");
  if (config.architecture.cross_attention)
    return Status::error(Code::kUnsupported,
                         "architecture.crossAttention: not supported with latent projections");
  if (config.architecture.query_bias)
    return Status::error(Code::kUnsupported,
                         "architecture.queryBias: not supported with latent projections");
  return {};
}

// Checks that every layer has a layer type, and every layer type a layer.
Status check_layer_types(const ModelConfig& config) {
  bool used[kMaxLayerTypes] = {};
  for (int layer = 0; layer < config.num_layers; ++layer) {
    if (config.layer_type_of[layer] >= config.layer_type_count)
      return WF_UNEXPECTED("layerTypes[%d]", "%d", "0 to %d", layer, config.layer_type_of[layer],
                           config.layer_type_count - 1);
    used[config.layer_type_of[layer]] = true;
  }
  for (int i = 0; i < config.layer_type_count; ++i)
    if (!used[i])
      return Status::error(Code::kInvalidArgument, "layerTypes: no layer has type %d of %d", i,
                           config.layer_type_count);
  return {};
}

}  // namespace

bool SchemeChoice::is_same(const SchemeChoice& other) const {
  return entry == other.entry && options == other.options;
}

std::span<const Field> LayerType::fields() { return kLayerTypeFields; }

Status LayerType::check_ranges() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "attention/window_fields.def"
#define WF_FIELD WF_FIELD_VALUE
#include "model/layer_type_fields.def"
  };
  return check_fields(kLayerTypeFields, values);
}

std::span<const Field> ModelConfig::fields() { return kModelFields; }

Status ModelConfig::validate_sizes() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "model/model_fields.def"
  };
  WF_RETURN_IF_ERROR(check_fields(kModelFields, values));
  WF_RETURN_IF_ERROR(check_kv_heads(num_kv_heads, num_heads));
  WF_RETURN_IF_ERROR(architecture.check_ranges());
  WF_RETURN_IF_ERROR(check(architecture));
  WF_RETURN_IF_ERROR(check_experts(architecture));
  WF_RETURN_IF_ERROR(check_groups(*this));
  WF_RETURN_IF_ERROR(check_cutoffs(*this));
  return check_pieces(*this);
}

Status ModelConfig::validate() const {
  WF_RETURN_IF_ERROR(validate_sizes());
  if (layer_type_count < 1 || layer_type_count > kMaxLayerTypes) {
    return WF_UNEXPECTED("layers", "%d layer types", "1 to %d", layer_type_count, kMaxLayerTypes);
  }
  for (int i = 0; i < layer_type_count; ++i) {
    WF_RETURN_IF_ERROR(check(layer_types[i], is_causal));
    WF_RETURN_IF_ERROR(check_projections(*this, layer_types[i]));
    WF_RETURN_IF_ERROR(check_mixer(*this, layer_types[i]));
  }
  WF_RETURN_IF_ERROR(check_axes_of(*this));
  return check_layer_types(*this);
}

int ModelConfig::position_axes() const {
  for (int i = 0; i < layer_type_count; ++i)
    for (const SchemeChoice& choice : layer_types[i].list())
      if (choice.entry->description->position_axes == 2) return 2;
  return 1;
}

TokenPiece ModelConfig::piece(int index) const {
  const std::span<const int> cutoffs = architecture.clusters();
  const auto at = static_cast<std::size_t>(index);
  const int first = index ? cutoffs[at - 1] : 0;
  int width = architecture.embedding_width;
  for (int i = 0; i < index; ++i) width /= architecture.cluster_divisor;
  return {first, (at < cutoffs.size() ? cutoffs[at] : vocab_size) - first, width};
}

AttentionConfig ModelConfig::attention(int layer) const {
  AttentionConfig attention;
  attention.num_heads = num_heads;
  attention.num_kv_heads = num_kv_heads;
  attention.head_dim = head_dim;
  attention.value_dim = projections(layer).value_dim;
  attention.scale = architecture.attention_scale;
  attention.is_causal = is_causal;
  attention.sliding_window = layer_type(layer).sliding_window;
  attention.softcap = softcap;
  attention.chunk_size = layer_type(layer).chunk_size;
  return attention;
}

int ModelConfig::mixer_in_width(int layer) const {
  return layer_type(layer).convolution     ? 3 * width
         : layer_type(layer).keeps_state() ? architecture.delta_mixed()
                                           : 0;
}

int ModelConfig::convolution_width(int layer) const {
  return layer_type(layer).convolution ? width : mixer_in_width(layer);
}

int ModelConfig::mixed_width(int layer) const {
  return layer_type(layer).convolution     ? width
         : layer_type(layer).keeps_state() ? architecture.delta_values()
                                           : 0;
}

std::size_t ModelConfig::mixer_state(int layer) const {
  if (!layer_type(layer).keeps_state()) return 0;
  return architecture.delta_state() +
         elements_of(architecture.delta_taps - 1, architecture.delta_mixed());
}

int ModelConfig::gate_width(int layer) const {
  if (!attends(layer)) return 0;
  switch (architecture.attention_gate) {
    case AttentionGate::kNone:
      return 0;
    case AttentionGate::kChannels:
      return attended_width(layer);
    case AttentionGate::kHeads:
      return num_heads;
  }
}

ProjectionPlan ModelConfig::projections_of(const LayerType& layer_type) const {
  ProjectionPlan plan;
  for (const SchemeChoice& choice : layer_type.list())
    if (choice.entry->projections) plan = choice.entry->projections(scheme_shape(), choice.options);
  if (plan.value_dim == 0) plan.value_dim = head_dim;
  return plan;
}

int ModelConfig::value_width(int layer) const {
  const ProjectionPlan plan = projections(layer);
  return num_kv_heads * ((plan.is_latent() ? plan.content : 0) + plan.value_dim);
}

bool ModelConfig::absorbs(int layer) const {
  bool latent = false;
  for (const SchemeChoice& choice : layer_type(layer).list()) {
    if (choice.entry->projections)
      latent = true;
    else if (choice.entry->hooks & (kHookTransform | kHookBias | kHookOutput))
      return false;
  }
  return latent;
}

AttentionConfig ModelConfig::decoding_attention(int layer) const {
  AttentionConfig attention = this->attention(layer);
  if (!attends(layer)) {  // a row of a convolution's input for each token, or a state of all
    const bool has_rows = layer_type(layer).convolution;
    attention.num_kv_heads = has_rows;
    attention.head_dim = attention.value_dim = has_rows ? width : 1;
    return attention;
  }
  if (!absorbs(layer)) return attention;
  const ProjectionPlan plan = projections(layer);
  attention.num_kv_heads = 1;
  attention.head_dim = plan.cached();
  attention.value_dim = plan.rank;
  return attention;
}

bool ModelConfig::normalises_queries() const {
  for (int i = 0; i < layer_type_count; ++i)
    if (layer_types[i].query_key_norm != QueryKeyNorm::kNone) return true;
  return false;
}

}  // namespace wf
