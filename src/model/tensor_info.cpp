#include "model/tensor_info.h"

#include <cmath>

#include "format.h"

namespace wf {
namespace {

// Layer -1 means a tensor outside the blocks.
void write_name(int layer, const char* part, const char* kind, TensorInfo& info) {
  if (layer < 0)
    format_text(info.name, sizeof(info.name), "model.%s.%s", part, kind);
  else
    format_text(info.name, sizeof(info.name), "model.layers.%d.%s.%s", layer, part, kind);
}

TensorInfo matrix(int layer, const char* part, int rows, int columns, float deviation) {
  TensorInfo info;
  write_name(layer, part, "weight", info);
  info.rows = rows;
  info.columns = columns;
  info.decays = true;
  info.deviation = deviation;
  return info;
}

TensorInfo norm(int layer, const char* part, int columns) {
  TensorInfo info;
  write_name(layer, part, "weight", info);
  info.dimensions = 1;
  info.columns = columns;
  info.initialiser = Initialiser::kOne;
  return info;
}

TensorInfo bias(int layer, const char* part, int columns) {
  TensorInfo info;
  write_name(layer, part, "bias", info);
  info.dimensions = 1;
  info.columns = columns;
  info.initialiser = Initialiser::kZero;
  return info;
}

// A number for each head.
TensorInfo of_heads(int layer, const char* part, int heads, float deviation) {
  TensorInfo info;
  format_text(info.name, sizeof(info.name), "model.layers.%d.%s", layer, part);
  info.dimensions = 1;
  info.columns = heads;
  info.deviation = deviation;
  return info;
}

// Describes the tensors of a block. For a tensor that does not exist columns is 0.
struct BlockInfos {
  const ModelConfig& config;
  int layer;
  TensorInfo* infos;  // [kBlockTensors]

  const Architecture& a = config.architecture;
  int e = config.width, q = config.query_width(), k = config.key_width();
  float deviation = config.initializer_range;
  // Projections into the residual stream start smaller, so that its variance does not grow with
  // depth (Radford et al. 2019, GPT-2, section 2.3).
  float residual = deviation / std::sqrt(2.0f * static_cast<float>(config.num_layers));

  TensorInfo& at(BlockTensor which) const { return infos[static_cast<int>(which)]; }
  void add_norm(BlockTensor weight, BlockTensor bias_of_it, const char* part) const {
    at(weight) = norm(layer, part, e);
    if (a.norm_bias) at(bias_of_it) = bias(layer, part, e);
  }

  void add_projections() const {
    const ProjectionPlan plan = config.projections(layer);
    if (plan.query_rank > 0) {
      at(BlockTensor::kQueryDown) =
          matrix(layer, "self_attn.q_a_proj", plan.query_rank, e, deviation);
      at(BlockTensor::kQueryDownNorm) = norm(layer, "self_attn.q_a_layernorm", plan.query_rank);
      at(BlockTensor::kQuery) = matrix(layer, "self_attn.q_b_proj", q, plan.query_rank, deviation);
    } else {
      at(BlockTensor::kQuery) = matrix(layer, "self_attn.q_proj", q, e, deviation);
    }
    if (plan.is_latent()) {
      at(BlockTensor::kLatentDown) =
          matrix(layer, "self_attn.kv_a_proj_with_mqa", plan.cached(), e, deviation);
      at(BlockTensor::kLatentNorm) = norm(layer, "self_attn.kv_a_layernorm", plan.rank);
      at(BlockTensor::kLatentUp) =
          matrix(layer, "self_attn.kv_b_proj", config.value_width(layer), plan.rank, deviation);
    } else {
      at(BlockTensor::kKey) = matrix(layer, "self_attn.k_proj", k, e, deviation);
      at(BlockTensor::kValue) = matrix(layer, "self_attn.v_proj", k, e, deviation);
    }
    at(BlockTensor::kOutput) =
        matrix(layer, "self_attn.o_proj", e, config.attended_width(layer), residual);
    if (a.query_bias) {
      at(BlockTensor::kQueryBias) = bias(layer, "self_attn.q_proj", q);
      at(BlockTensor::kKeyBias) = bias(layer, "self_attn.k_proj", k);
      at(BlockTensor::kValueBias) = bias(layer, "self_attn.v_proj", k);
    }
    if (a.output_bias) at(BlockTensor::kOutputBias) = bias(layer, "self_attn.o_proj", e);
    const int gate = config.gate_width(layer);
    if (gate)
      at(BlockTensor::kAttentionGate) = matrix(layer, "self_attn.gate_proj", gate, e, deviation);
    if (gate && a.query_bias)
      at(BlockTensor::kAttentionGateBias) = bias(layer, "self_attn.gate_proj", gate);
  }

  // Norms of queries and keys, and the sinks of the heads.
  void add_heads() const {
    const int d = config.head_dim;
    const QueryKeyNorm kind = config.layer_type(layer).query_key_norm;
    if (kind != QueryKeyNorm::kNone && kind != QueryKeyNorm::kPlain) {
      const bool is_shared = kind != QueryKeyNorm::kWhole && kind != QueryKeyNorm::kLayerHeads;
      at(BlockTensor::kQueryNorm) = norm(layer, "self_attn.q_norm", is_shared ? d : q);
      at(BlockTensor::kKeyNorm) = norm(layer, "self_attn.k_norm", is_shared ? d : k);
    }
    if (kind == QueryKeyNorm::kLayer) {
      at(BlockTensor::kQueryNormBias) = bias(layer, "self_attn.q_norm", d);
      at(BlockTensor::kKeyNormBias) = bias(layer, "self_attn.k_norm", d);
    }
    if (config.sinks)
      at(BlockTensor::kSinks) = of_heads(layer, "self_attn.sinks", config.num_heads, deviation);
  }

  void add_norms() const {
    if (a.normalises_inputs()) {
      if (layer > 0 || a.first_norm)
        add_norm(BlockTensor::kInputNorm, BlockTensor::kInputNormBias, "input_layernorm");
      if (a.residual != Residual::kShared)
        add_norm(BlockTensor::kPostNorm, BlockTensor::kPostNormBias, "post_attention_layernorm");
    }
    if (a.normalises_outputs()) {
      add_norm(BlockTensor::kAttentionNorm, BlockTensor::kAttentionNormBias, "attention_norm");
      add_norm(BlockTensor::kFeedNorm, BlockTensor::kFeedNormBias, "feed_norm");
    }
  }

  void add_cross_attention() const {
    add_norm(BlockTensor::kCrossNorm, BlockTensor::kCrossNormBias, "cross_norm");
    at(BlockTensor::kCrossQuery) = matrix(layer, "cross_attn.q_proj", q, e, deviation);
    at(BlockTensor::kCrossKey) = matrix(layer, "cross_attn.k_proj", k, e, deviation);
    at(BlockTensor::kCrossValue) = matrix(layer, "cross_attn.v_proj", k, e, deviation);
    at(BlockTensor::kCrossOutput) = matrix(layer, "cross_attn.o_proj", e, q, residual);
    if (a.query_bias) {
      at(BlockTensor::kCrossQueryBias) = bias(layer, "cross_attn.q_proj", q);
      at(BlockTensor::kCrossKeyBias) = bias(layer, "cross_attn.k_proj", k);
      at(BlockTensor::kCrossValueBias) = bias(layer, "cross_attn.v_proj", k);
    }
    if (a.output_bias) at(BlockTensor::kCrossOutputBias) = bias(layer, "cross_attn.o_proj", e);
  }

  void add_convolution() const {
    const int taps = config.layer_type(layer).convolution;
    at(BlockTensor::kMixerIn) = matrix(layer, "conv.in_proj", 3 * e, e, deviation);
    at(BlockTensor::kConvolution) = matrix(layer, "conv.conv", e, taps, deviation);
    at(BlockTensor::kMixerOut) = matrix(layer, "conv.out_proj", e, e, residual);
    if (!a.convolution_bias) return;
    at(BlockTensor::kMixerInBias) = bias(layer, "conv.in_proj", 3 * e);
    at(BlockTensor::kConvolutionBias) = bias(layer, "conv.conv", e);
    at(BlockTensor::kMixerOutBias) = bias(layer, "conv.out_proj", e);
  }

  void add_delta_rule() const {
    const int heads = a.delta_value_heads, mixed = a.delta_mixed(), values = a.delta_values();
    at(BlockTensor::kMixerIn) = matrix(layer, "linear_attn.in_proj_qkv", mixed, e, deviation);
    at(BlockTensor::kDeltaGate) = matrix(layer, "linear_attn.in_proj_z", values, e, deviation);
    at(BlockTensor::kDeltaWrite) = matrix(layer, "linear_attn.in_proj_b", heads, e, deviation);
    at(BlockTensor::kDeltaDecay) = matrix(layer, "linear_attn.in_proj_a", heads, e, deviation);
    // The uniform distribution of PyTorch's convolutions has this deviation.
    at(BlockTensor::kConvolution) = matrix(layer, "linear_attn.conv1d", mixed, a.delta_taps,
                                           1 / std::sqrt(3.0f * static_cast<float>(a.delta_taps)));
    at(BlockTensor::kDeltaStep) = of_heads(layer, "linear_attn.dt_bias", heads, 1);
    at(BlockTensor::kDeltaStep).initialiser = Initialiser::kOne;
    // Heads forget at different rates, from a few tokens to dozens.
    at(BlockTensor::kDeltaRate) = of_heads(layer, "linear_attn.A_log", heads, 1.5f);
    at(BlockTensor::kDeltaRate).mean = -2;
    at(BlockTensor::kDeltaNorm) = norm(layer, "linear_attn.norm", a.delta_value_dim);
    at(BlockTensor::kMixerOut) = matrix(layer, "linear_attn.out_proj", e, values, residual);
  }

  void add_state_space() const {
    const int heads = a.delta_value_heads, mixed = a.delta_mixed(), values = a.delta_values();
    at(BlockTensor::kMixerIn) = matrix(layer, "mamba.in_proj", mixed, e, deviation);
    at(BlockTensor::kDeltaGate) = matrix(layer, "mamba.gate_proj", values, e, deviation);
    at(BlockTensor::kDeltaDecay) = matrix(layer, "mamba.dt_proj", heads, e, deviation);
    at(BlockTensor::kConvolution) = matrix(layer, "mamba.conv1d", mixed, a.delta_taps,
                                           1 / std::sqrt(3.0f * static_cast<float>(a.delta_taps)));
    if (a.convolution_bias) at(BlockTensor::kConvolutionBias) = bias(layer, "mamba.conv1d", mixed);
    at(BlockTensor::kDeltaStep) = of_heads(layer, "mamba.dt_bias", heads, 1);
    // Steps from a hundredth to a tenth, so that heads forget within dozens of tokens.
    at(BlockTensor::kDeltaStep).mean = -3.5f;
    at(BlockTensor::kDeltaRate) = of_heads(layer, "mamba.A_log", heads, 1);
    at(BlockTensor::kStateSkip) = of_heads(layer, "mamba.D", heads, 1);
    at(BlockTensor::kStateSkip).initialiser = Initialiser::kOne;
    at(BlockTensor::kDeltaNorm) = norm(layer, "mamba.norm", values);
    at(BlockTensor::kMixerOut) = matrix(layer, "mamba.out_proj", e, values, residual);
  }

  TensorInfo of_experts(const char* part, int rows, int columns, float deviation_of_it) const {
    TensorInfo info = matrix(layer, part, a.experts * rows, columns, deviation_of_it);
    info.parts = a.experts;
    return info;
  }

  void add_experts() const {
    const int f = a.expert_size, n = a.experts;
    at(BlockTensor::kRouter) = matrix(layer, "mlp.router", n, e, deviation);
    if (a.router_bias) at(BlockTensor::kRouterBias) = bias(layer, "mlp.router", n);
    if (a.router_preference)
      at(BlockTensor::kRouterPreference) = bias(layer, "mlp.router_preference", n);
    at(BlockTensor::kExpertGate) = of_experts("mlp.experts.gate_proj", f, e, deviation);
    at(BlockTensor::kExpertUp) = of_experts("mlp.experts.up_proj", f, e, deviation);
    at(BlockTensor::kExpertDown) = of_experts("mlp.experts.down_proj", e, f, residual);
    if (a.feed_bias) {
      at(BlockTensor::kExpertGateBias) = bias(layer, "mlp.experts.gate_proj", n * f);
      at(BlockTensor::kExpertUpBias) = bias(layer, "mlp.experts.up_proj", n * f);
      at(BlockTensor::kExpertDownBias) = bias(layer, "mlp.experts.down_proj", n * e);
    }
    if (!a.shared_size) return;
    const int s = a.shared_size;
    at(BlockTensor::kSharedGate) = matrix(layer, "mlp.shared_expert.gate_proj", s, e, deviation);
    at(BlockTensor::kSharedUp) = matrix(layer, "mlp.shared_expert.up_proj", s, e, deviation);
    at(BlockTensor::kSharedDown) = matrix(layer, "mlp.shared_expert.down_proj", e, s, residual);
    if (a.shared_scale)
      at(BlockTensor::kSharedScale) = matrix(layer, "mlp.shared_expert_gate", 1, e, deviation);
  }

  void add_feed_forward() const {
    const int f = config.intermediate;
    if (a.gated) at(BlockTensor::kGate) = matrix(layer, "mlp.gate_proj", f, e, deviation);
    if (a.feed_bias) {
      if (a.gated) at(BlockTensor::kGateBias) = bias(layer, "mlp.gate_proj", f);
      at(BlockTensor::kUpBias) = bias(layer, "mlp.up_proj", f);
      at(BlockTensor::kDownBias) = bias(layer, "mlp.down_proj", e);
    }
    at(BlockTensor::kUp) = matrix(layer, "mlp.up_proj", f, e, deviation);
    at(BlockTensor::kDown) = matrix(layer, "mlp.down_proj", e, f, residual);
  }
};

}  // namespace

std::uint64_t TensorInfo::bytes() const {
  const std::uint64_t one = quantised_bytes(type, rows / parts, columns);
  const std::uint64_t max = (std::uint64_t{1} << 60) / static_cast<std::uint64_t>(parts);
  return (one < max ? one : max) * static_cast<std::uint64_t>(parts);
}

void block_infos(const ModelConfig& config, int layer, TensorInfo infos[kBlockTensors]) {
  const BlockInfos block = {config, layer, infos};
  if (config.layer_type(layer).convolution) {
    block.add_convolution();
  } else if (config.layer_type(layer).delta_rule) {
    block.add_delta_rule();
  } else if (config.layer_type(layer).state_space) {
    block.add_state_space();
  } else {
    block.add_projections();
    block.add_heads();
  }
  block.add_norms();
  if (config.architecture.cross_attention) block.add_cross_attention();
  if (config.has_experts(layer))
    block.add_experts();
  else
    block.add_feed_forward();
}

void choose_types(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                  WeightType type, TensorInfo infos[kBlockTensors]) {
  bool keeps_projections = config.projections(layer).is_latent();
  const int layer_type = config.layer_type_of[layer];
  for (int i = 0; i < schemes.count_in(layer_type); ++i)
    keeps_projections |= schemes.at(layer_type, i).scheme->needs_projections();
  for (const BlockTensor which :
       {BlockTensor::kQuery,      BlockTensor::kKey,         BlockTensor::kValue,
        BlockTensor::kOutput,     BlockTensor::kGate,        BlockTensor::kUp,
        BlockTensor::kDown,       BlockTensor::kCrossQuery,  BlockTensor::kCrossKey,
        BlockTensor::kCrossValue, BlockTensor::kCrossOutput, BlockTensor::kExpertGate,
        BlockTensor::kExpertUp,   BlockTensor::kExpertDown,  BlockTensor::kSharedGate,
        BlockTensor::kSharedUp,   BlockTensor::kSharedDown,  BlockTensor::kMixerIn,
        BlockTensor::kMixerOut,   BlockTensor::kDeltaGate,   BlockTensor::kAttentionGate}) {
    const bool is_kept = keeps_projections && which <= BlockTensor::kValue;
    if (!is_kept) infos[static_cast<int>(which)].type = type;
  }
}

void model_infos(const ModelConfig& config, TensorInfo infos[kModelTensors]) {
  const int e = config.width, v = config.vocab_size, in = config.input_width();
  const float deviation = config.initializer_range;
  const Architecture& a = config.architecture;
  const auto at = [&](ModelTensor which) -> TensorInfo& { return infos[static_cast<int>(which)]; };
  if (!a.embedding_width)
    at(ModelTensor::kEmbedding) = matrix(-1, "embed_tokens", v, in, deviation);
  if (a.token_types)
    at(ModelTensor::kTokenTypes) = matrix(-1, "token_types", a.token_types, in, deviation);
  const auto add_norm = [&](ModelTensor weight, ModelTensor bias_of_it, const char* part,
                            int width) {
    at(weight) = norm(-1, part, width);
    if (a.norm_bias) at(bias_of_it) = bias(-1, part, width);
  };
  if (a.embedding_norm)
    add_norm(ModelTensor::kEmbeddingNorm, ModelTensor::kEmbeddingNormBias, "embedding_norm", in);
  if (a.input_width) {
    at(ModelTensor::kInputProjection) = matrix(-1, "input_projection", e, in, deviation);
    at(ModelTensor::kInputProjectionBias) = bias(-1, "input_projection", e);
  }
  if (a.final_norm) add_norm(ModelTensor::kFinalNorm, ModelTensor::kFinalNormBias, "norm", e);
  // Outside "model.", as in Hugging Face.
  const auto add_head = [&](ModelTensor which, const char* name, const TensorInfo& info) {
    at(which) = info;
    format_text(at(which).name, sizeof(at(which).name), "%s", name);
  };
  const auto add_scores = [&](ModelTensor which, const char* name, int rows) {
    const int width = a.embedding_width ? a.embedding_width : e;
    add_head(which, name, matrix(-1, "head", rows, width, deviation));
  };
  const int clusters = a.cluster_count;
  if (a.head == Head::kOwn && !a.embedding_width)
    add_scores(ModelTensor::kHead, "lm_head.weight", v);
  if (a.head_bias) add_head(ModelTensor::kHeadBias, "lm_head.bias", bias(-1, "head", v));
  if (clusters) add_scores(ModelTensor::kClusters, "lm_head.clusters.weight", clusters);
  if (clusters && a.head_bias)
    add_head(ModelTensor::kClusterBias, "lm_head.clusters.bias", bias(-1, "head", clusters));
}

TensorInfo scheme_tensor_info(const ParameterSpec& spec, const char* id, int layer, int earlier) {
  TensorInfo info;
  char scheme[32];
  if (earlier == 0)
    format_text(scheme, sizeof(scheme), "%s", id);
  else
    format_text(scheme, sizeof(scheme), "%s.%d", id, earlier);
  if (spec.scope == ParameterScope::kModel)
    format_text(info.name, sizeof(info.name), "model.position.%s.%s", scheme, spec.name);
  else
    format_text(info.name, sizeof(info.name), "model.layers.%d.self_attn.position.%s.%s", layer,
                scheme, spec.name);
  info.dimensions = spec.rows == 1 ? 1 : 2;
  info.rows = spec.rows;
  info.columns = spec.columns;
  info.decays = spec.decays;
  info.initialiser = spec.initialiser;
  info.given = spec.given;
  info.deviation = spec.deviation;
  info.mean = spec.mean;
  return info;
}

}  // namespace wf
