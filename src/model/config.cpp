#include "model/config.h"

#include <cmath>

namespace wf {
namespace {

struct Bound {
  const char* name;
  int value;
  int max;
};

Status check(const Bound& bound) {
  if (bound.value >= 1 && bound.value <= bound.max) return {};
  return Status::error(Code::kInvalidArgument, "%s is %d; allowed: 1 to %d", bound.name,
                       bound.value, bound.max);
}

Status check_softcap(const char* name, float cap) {
  if (cap >= 0 && cap < INFINITY) return {};
  return Status::error(Code::kInvalidArgument, "%s is %g; allowed: 0 (off) and more", name,
                       static_cast<double>(cap));
}

Status check_scale(const char* name, float scale) {
  if (scale > 0 && scale < INFINITY) return {};
  return Status::error(Code::kInvalidArgument, "%s is %g; allowed: above 0", name,
                       static_cast<double>(scale));
}

Status check(const Architecture& a) {
  const auto refuse = [](const char* what) {
    return Status::error(Code::kUnsupported, "architecture: %s", what);
  };
  if (a.norm_bias && a.norm != NormKind::kLayer) return refuse("an RMSNorm has no bias");
  if (a.is_parallel() && a.norm_place != NormPlace::kBefore)
    return refuse("a parallel residual has its norms before attention and feed-forward");
  if (a.residual_scale != 1 && a.norm_place != NormPlace::kBefore)
    return refuse("a residual_scale has norms before attention and feed-forward");
  if (a.head_bias && a.head == Head::kNone) return refuse("a head's bias asks for a head");
  if (a.cross_attention && a.normalises_inputs() == a.normalises_outputs())
    return refuse("cross-attention has a norm before it or after the sum");
  if (a.cross_attention && (a.norm_place == NormPlace::kOutput || a.is_parallel()))
    return refuse("cross-attention stands between attention and feed-forward");
  if (a.token_types < 0 || a.token_types > 1 << 16)
    return Status::error(Code::kInvalidArgument, "token_types is %d; allowed: 0 to %d",
                         a.token_types, 1 << 16);
  WF_RETURN_IF_ERROR(check_scale("embedding_scale", a.embedding_scale));
  WF_RETURN_IF_ERROR(check_scale("residual_scale", a.residual_scale));
  WF_RETURN_IF_ERROR(check_scale("logit_scale", a.logit_scale));
  return a.attention_scale == 0 ? Status() : check_scale("attention_scale", a.attention_scale);
}

Status check_cutoffs(const ModelConfig& config) {
  const std::span<const int> cutoffs = config.architecture.clusters();
  if (cutoffs.empty()) return {};
  if (config.architecture.head == Head::kNone || config.final_softcap > 0)
    return Status::error(Code::kUnsupported,
                         "architecture: cutoffs ask for a head without final_logit_softcapping");
  int last = 0;
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    if (cutoffs[i] <= last || cutoffs[i] >= config.vocab_size)
      return Status::error(Code::kInvalidArgument, "cutoffs[%zu] is %d; allowed: %d to %d", i,
                           cutoffs[i], last + 1, config.vocab_size - 1);
    last = cutoffs[i];
  }
  return {};
}

Status check_pieces(const ModelConfig& config) {
  const Architecture& a = config.architecture;
  constexpr int kMax = 1 << 14;
  if (a.embedding_width < 0 || a.embedding_width > kMax)
    return Status::error(Code::kInvalidArgument, "embedding_width is %d; allowed: 0 to %d",
                         a.embedding_width, kMax);
  const int max = a.embedding_width ? kMax : 1;
  if (a.cluster_divisor < 1 || a.cluster_divisor > max)
    return Status::error(Code::kInvalidArgument,
                         "cluster_divisor is %d; allowed: 1 to %d with an embedding_width of %d",
                         a.cluster_divisor, max, a.embedding_width);
  if (!a.embedding_width) return {};
  if (a.cross_attention)
    return Status::error(Code::kUnsupported,
                         "architecture: cross-attention has no embedding_width");
  if (config.piece(a.cluster_count).width) return {};
  return Status::error(
      Code::kInvalidArgument,
      "cluster_divisor is %d; allowed: what leaves each of %d clusters a column of "
      "%d",
      a.cluster_divisor, a.cluster_count, a.embedding_width);
}

Status check(const LayerType& layer_type, bool is_causal) {
  if (layer_type.scheme_count < 0 || layer_type.scheme_count > kMaxSchemes) {
    return Status::error(Code::kInvalidArgument, "schemes has %d entries; allowed: 0 to %d",
                         layer_type.scheme_count, kMaxSchemes);
  }
  for (int i = 0; i < layer_type.scheme_count; ++i) {
    const SchemeChoice& choice = layer_type.schemes[i];
    if (!choice.entry)
      return Status::error(Code::kInvalidArgument, "schemes[%d] names no scheme", i);
    if (!is_causal && !choice.entry->description->claims.bidirectional) {
      return Status::error(Code::kUnsupported,
                           "is_causal is false; scheme %s is for causal models only",
                           choice.entry->description->id);
    }
    for (int j = 0; j < i; ++j) {
      if (layer_type.schemes[j].is_same(choice))
        return Status::error(Code::kInvalidArgument, "schemes[%d] repeats schemes[%d], %s", i, j,
                             choice.entry->description->id);
    }
  }
  if (layer_type.sliding_window < 0)
    return Status::error(Code::kInvalidArgument, "sliding_window is %d; allowed: 0 (none) and more",
                         layer_type.sliding_window);
  if (layer_type.chunk_size < 0)
    return Status::error(Code::kInvalidArgument,
                         "attention_chunk_size is %d; allowed: 0 (none) and more",
                         layer_type.chunk_size);
  return {};
}

// Checks that all schemes agree on the number of position axes.
Status check_axes_of(const ModelConfig& config) {
  const bool is_grid = config.position_axes() == 2;
  for (int i = 0; i < config.layer_type_count; ++i)
    for (const SchemeChoice& choice : config.layer_types[i].list()) {
      const SchemeDescription& description = *choice.entry->description;
      if (description.position_axes == 0 || (description.position_axes == 2) == is_grid) continue;
      return Status::error(Code::kUnsupported,
                           "scheme %s reads positions of a text; another one reads a grid's",
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
    return Status::error(Code::kInvalidArgument,
                         "%d schemes of a layer make its projections; allowed: one", latent);
  const ProjectionPlan plan = config.projections_of(layer_type);
  if (plan.content < 1 || plan.content + plan.slice != config.head_dim)
    return Status::error(
        Code::kInvalidArgument,
        "head_dim is %d; allowed: %d, the content (%d) and the slice (%d) of a key",
        config.head_dim, plan.content + plan.slice, plan.content, plan.slice);
  if (layer_type.query_key_norm != QueryKeyNorm::kNone)
    return Status::error(
        Code::kUnsupported,
        "query_key_norm: a layer of latent projections normalises its latent vectors "
        "and nothing else");
  if (config.architecture.cross_attention)
    return Status::error(Code::kUnsupported, "cross_attention: latent projections have none");
  if (config.architecture.query_bias)
    return Status::error(Code::kUnsupported, "query_bias: latent projections have none");
  return {};
}

// Checks that every layer has a layer type, and every layer type a layer.
Status check_layer_types(const ModelConfig& config) {
  bool used[kMaxLayerTypes] = {};
  for (int layer = 0; layer < config.num_layers; ++layer) {
    if (config.layer_type_of[layer] >= config.layer_type_count)
      return Status::error(Code::kInvalidArgument, "layer %d is of kind %d; allowed: 0 to %d",
                           layer, config.layer_type_of[layer], config.layer_type_count - 1);
    used[config.layer_type_of[layer]] = true;
  }
  for (int i = 0; i < config.layer_type_count; ++i)
    if (!used[i])
      return Status::error(Code::kInvalidArgument, "no layer is of kind %d of %d", i,
                           config.layer_type_count);
  return {};
}

}  // namespace

bool SchemeChoice::is_same(const SchemeChoice& other) const {
  return entry == other.entry && options == other.options;
}

Status ModelConfig::validate_sizes() const {
  const Bound bounds[] = {
      {"vocab_size", vocab_size, 1 << 20},           {"hidden_size", width, 1 << 14},
      {"num_hidden_layers", num_layers, kMaxLayers}, {"num_attention_heads", num_heads, 256},
      {"num_key_value_heads", num_kv_heads, 256},    {"head_dim", head_dim, 1024},
      {"intermediate_size", intermediate, 1 << 16},
  };
  for (const Bound& bound : bounds) WF_RETURN_IF_ERROR(check(bound));
  if (num_heads % num_kv_heads != 0) {
    return Status::error(Code::kInvalidArgument,
                         "num_key_value_heads is %d; allowed: a divisor of "
                         "num_attention_heads, which is %d",
                         num_kv_heads, num_heads);
  }
  if (!(norm_epsilon > 0 && norm_epsilon <= 1)) {
    return Status::error(Code::kInvalidArgument, "rms_norm_eps is %g; allowed: above 0, up to 1",
                         static_cast<double>(norm_epsilon));
  }
  if (!(initializer_range > 0 && initializer_range <= 1)) {
    return Status::error(Code::kInvalidArgument,
                         "initializer_range is %g; allowed: above 0, up to 1",
                         static_cast<double>(initializer_range));
  }
  WF_RETURN_IF_ERROR(check(architecture));
  WF_RETURN_IF_ERROR(check_cutoffs(*this));
  WF_RETURN_IF_ERROR(check_pieces(*this));
  WF_RETURN_IF_ERROR(check_softcap("attn_logit_softcapping", softcap));
  return check_softcap("final_logit_softcapping", final_softcap);
}

Status ModelConfig::validate() const {
  WF_RETURN_IF_ERROR(validate_sizes());
  if (layer_type_count < 1 || layer_type_count > kMaxLayerTypes) {
    return Status::error(Code::kInvalidArgument, "layers are of %d kinds; allowed: 1 to %d",
                         layer_type_count, kMaxLayerTypes);
  }
  for (int i = 0; i < layer_type_count; ++i) {
    WF_RETURN_IF_ERROR(check(layer_types[i], is_causal));
    WF_RETURN_IF_ERROR(check_projections(*this, layer_types[i]));
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
