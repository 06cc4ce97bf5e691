#include "model/parameters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "format.h"

namespace wf {
namespace {

constexpr std::string_view kOfScheme = ".position.";

// Where a tensor's name says that it is of a scheme; null where it does not.
const char* mark_of_scheme(const char* name) {
  const std::size_t at = std::string_view(name).find(kOfScheme);
  return at == std::string_view::npos ? nullptr : name + at;
}

// Layer -1 is the model's own part.
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

TensorInfo sinks(int layer, int heads, float deviation) {
  TensorInfo info;
  format_text(info.name, sizeof(info.name), "model.layers.%d.self_attn.sinks", layer);
  info.dimensions = 1;
  info.columns = heads;
  info.deviation = deviation;
  return info;
}

// Where a block lacks a tensor its info has no columns.
void block_infos(const ModelConfig& config, int layer, TensorInfo infos[kBlockTensors]) {
  const int e = config.width, q = config.query_width(), k = config.key_width();
  const int d = config.head_dim, f = config.intermediate;
  // Projections into the residual stream start smaller, so that its variance does not grow with
  // depth (Radford et al. 2019, GPT-2, section 2.3).
  const float deviation = config.initializer_range;
  const float residual = deviation / std::sqrt(2.0f * static_cast<float>(config.num_layers));
  const auto at = [&](BlockTensor which) -> TensorInfo& { return infos[static_cast<int>(which)]; };
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
  const QueryKeyNorm kind = config.stack(layer).query_key_norm;
  if (kind != QueryKeyNorm::kNone && kind != QueryKeyNorm::kPlain) {
    const bool is_shared = kind == QueryKeyNorm::kWeighted || kind == QueryKeyNorm::kLayer;
    at(BlockTensor::kQueryNorm) = norm(layer, "self_attn.q_norm", is_shared ? d : q);
    at(BlockTensor::kKeyNorm) = norm(layer, "self_attn.k_norm", is_shared ? d : k);
  }
  if (kind == QueryKeyNorm::kLayer) {
    at(BlockTensor::kQueryNormBias) = bias(layer, "self_attn.q_norm", d);
    at(BlockTensor::kKeyNormBias) = bias(layer, "self_attn.k_norm", d);
  }
  if (config.sinks) at(BlockTensor::kSinks) = sinks(layer, config.num_heads, deviation);
  const Architecture& a = config.architecture;
  if (a.query_bias) {
    at(BlockTensor::kQueryBias) = bias(layer, "self_attn.q_proj", q);
    at(BlockTensor::kKeyBias) = bias(layer, "self_attn.k_proj", k);
    at(BlockTensor::kValueBias) = bias(layer, "self_attn.v_proj", k);
  }
  if (a.output_bias) at(BlockTensor::kOutputBias) = bias(layer, "self_attn.o_proj", e);
  const auto add_norm = [&](BlockTensor weight, BlockTensor bias_of_it, const char* part) {
    at(weight) = norm(layer, part, e);
    if (a.norm_bias) at(bias_of_it) = bias(layer, part, e);
  };
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
  if (a.cross_attention) {
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
  if (a.gated) at(BlockTensor::kGate) = matrix(layer, "mlp.gate_proj", f, e, deviation);
  if (a.feed_bias) {
    if (a.gated) at(BlockTensor::kGateBias) = bias(layer, "mlp.gate_proj", f);
    at(BlockTensor::kUpBias) = bias(layer, "mlp.up_proj", f);
    at(BlockTensor::kDownBias) = bias(layer, "mlp.down_proj", e);
  }
  at(BlockTensor::kUp) = matrix(layer, "mlp.up_proj", f, e, deviation);
  at(BlockTensor::kDown) = matrix(layer, "mlp.down_proj", e, f, residual);
}

// Quantised are the matrices that products read whole: not those of latent layers, which are cut
// into heads, nor queries and keys that a scheme reads for itself.
void choose_types(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                  WeightType type, TensorInfo infos[kBlockTensors]) {
  bool keeps_projections = config.projections(layer).is_latent();
  const int stack = config.stack_of[layer];
  for (int i = 0; i < schemes.count_in(stack); ++i)
    keeps_projections |= schemes.at(stack, i).scheme->needs_projections();
  for (const BlockTensor which :
       {BlockTensor::kQuery, BlockTensor::kKey, BlockTensor::kValue, BlockTensor::kOutput,
        BlockTensor::kGate, BlockTensor::kUp, BlockTensor::kDown, BlockTensor::kCrossQuery,
        BlockTensor::kCrossKey, BlockTensor::kCrossValue, BlockTensor::kCrossOutput}) {
    const bool is_kept = keeps_projections && which <= BlockTensor::kValue;
    if (!is_kept) infos[static_cast<int>(which)].type = type;
  }
}

void model_infos(const ModelConfig& config, TensorInfo infos[kModelTensors]) {
  const int e = config.width, v = config.vocab_size;
  const float deviation = config.initializer_range;
  const Architecture& a = config.architecture;
  const auto at = [&](ModelTensor which) -> TensorInfo& { return infos[static_cast<int>(which)]; };
  if (!a.embedding_width) at(ModelTensor::kEmbedding) = matrix(-1, "embed_tokens", v, e, deviation);
  if (a.token_types)
    at(ModelTensor::kTokenTypes) = matrix(-1, "token_types", a.token_types, e, deviation);
  const auto add_norm = [&](ModelTensor weight, ModelTensor bias_of_it, const char* part) {
    at(weight) = norm(-1, part, e);
    if (a.norm_bias) at(bias_of_it) = bias(-1, part, e);
  };
  if (a.embedding_norm)
    add_norm(ModelTensor::kEmbeddingNorm, ModelTensor::kEmbeddingNormBias, "embedding_norm");
  if (a.final_norm) add_norm(ModelTensor::kFinalNorm, ModelTensor::kFinalNormBias, "norm");
  // Outside "model.", as Hugging Face names them.
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

int count_of_scope(const SchemeInstance& instance, ParameterScope scope) {
  int count = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.scope == scope;
  return count;
}

}  // namespace

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
  info.deviation = spec.deviation;
  info.mean = spec.mean;
  return info;
}

int ParameterTable::add(TensorInfo info, std::uint64_t& offset) {
  parameter_count_ += 1.0 * info.rows * info.columns;
  if (info.type == WeightType::kF32) {
    info.offset = static_cast<std::size_t>(offset);
    offset += static_cast<std::uint64_t>(info.rows) * info.columns;
  } else {
    info.offset = static_cast<std::size_t>(quantised_offset_);
    const std::uint64_t bytes = quantised_bytes(info.type, info.rows, info.columns);
    // No model of 2^60 bytes is made: the sum then says so.
    quantised_offset_ += bytes < std::uint64_t{1} << 60 ? bytes : std::uint64_t{1} << 60;
  }
  tensors_[filled_] = info;
  return filled_++;
}

void ParameterTable::add_layer(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                               std::uint64_t& offset) {
  TensorInfo infos[kBlockTensors];
  block_infos(config, layer, infos);
  choose_types(config, schemes, layer, type_, infos);
  for (int i = 0; i < kBlockTensors; ++i)
    block_tensors_[layer * kBlockTensors + i] = infos[i].columns ? add(infos[i], offset) : -1;
  const int stack = config.stack_of[layer];
  int* next = scheme_tensors_.data() + first_scheme_tensor_[layer];
  for (int i = 0; i < schemes.count_in(stack); ++i) {
    const SchemeInstance& instance = schemes.at(stack, i);
    for (const ParameterSpec& spec : instance.scheme->parameters()) {
      if (spec.scope == ParameterScope::kLayer)
        *next = add(scheme_tensor_info(spec, instance.entry->description->id, layer,
                                       schemes.earlier_in_stack(stack, i)),
                    offset);
      ++next;
    }
  }
}

void ParameterTable::add_model_tensors(const TensorInfo infos[], ModelTensor first,
                                       ModelTensor last, std::uint64_t& offset) {
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i)
    model_tensors_[i] = infos[i].columns ? add(infos[i], offset) : -1;
}

// What schemes train for the whole model, and where the layers find it.
void ParameterTable::add_of_model(const ModelConfig& config, const ModelSchemes& schemes,
                                  std::uint64_t& offset) {
  int first[kMostStacks * kMostStackedSchemes];
  int instances = 0;
  for (const SchemeInstance& instance : schemes.all()) {
    first[instances] = filled_;
    for (const ParameterSpec& spec : instance.scheme->parameters()) {
      if (spec.scope == ParameterScope::kModel)
        add(scheme_tensor_info(spec, instance.entry->description->id, -1,
                               schemes.earlier_in_model(instances)),
            offset);
    }
    ++instances;
  }
  for (int layer = 0; layer < config.num_layers; ++layer) {
    const int stack = config.stack_of[layer];
    int* next = scheme_tensors_.data() + first_scheme_tensor_[layer];
    for (int i = 0; i < schemes.count_in(stack); ++i) {
      int tensor = first[schemes.index(stack, i)];
      for (const ParameterSpec& spec : schemes.at(stack, i).scheme->parameters()) {
        if (spec.scope == ParameterScope::kModel) *next = tensor++;
        ++next;
      }
    }
  }
}

Result<ParameterTable> ParameterTable::make(const ModelConfig& config, const ModelSchemes& schemes,
                                            WeightType type, bool shares_embedding) {
  ParameterTable table;
  table.type_ = type;
  const int layers = config.num_layers;
  WF_RETURN_IF_ERROR(table.block_tensors_.reserve(layers * kBlockTensors));
  WF_RETURN_IF_ERROR(table.first_scheme_tensor_.reserve(layers + 1));
  int tensors = 0;
  TensorInfo of_model[kModelTensors];
  model_infos(config, of_model);
  if (shares_embedding) of_model[static_cast<int>(ModelTensor::kEmbedding)] = {};
  // A byte at least for both: every token reads one and is chosen by the other.
  if (type != WeightType::kF32)
    for (const ModelTensor which : {ModelTensor::kEmbedding, ModelTensor::kHead})
      of_model[static_cast<int>(which)].type = type == WeightType::kInt4 ? WeightType::kInt8 : type;
  for (const TensorInfo& info : of_model) tensors += info.columns > 0;
  const Head head = config.architecture.head;
  table.tensors_of_piece_ = head == Head::kNone ? 2 : head == Head::kTied ? 3 : 4;
  tensors += config.piece_count() * table.tensors_of_piece_;
  for (const SchemeInstance& instance : schemes.all())
    tensors += count_of_scope(instance, ParameterScope::kModel);
  for (int layer = 0; layer < layers; ++layer) {
    TensorInfo infos[kBlockTensors];
    block_infos(config, layer, infos);
    for (const TensorInfo& info : infos) tensors += info.columns > 0;
    const int stack = config.stack_of[layer];
    table.first_scheme_tensor_[layer + 1] =
        table.first_scheme_tensor_[layer] + schemes.parameters_of(stack);
    for (int i = 0; i < schemes.count_in(stack); ++i)
      tensors += count_of_scope(schemes.at(stack, i), ParameterScope::kLayer);
  }
  WF_RETURN_IF_ERROR(table.tensors_.reserve(tensors));
  WF_RETURN_IF_ERROR(table.scheme_tensors_.reserve(table.first_scheme_tensor_[layers]));

  std::uint64_t offset = 0;
  table.add_pieces(config, offset);
  table.add_model_tensors(of_model, ModelTensor::kEmbedding, ModelTensor::kEmbeddingNormBias,
                          offset);
  for (int layer = 0; layer < layers; ++layer) table.add_layer(config, schemes, layer, offset);
  table.add_model_tensors(of_model, ModelTensor::kFinalNorm, ModelTensor::kClusterBias, offset);
  table.add_of_model(config, schemes, offset);
  if (offset > static_cast<std::size_t>(-1) / 2 / sizeof(float) ||
      table.quantised_offset_ > static_cast<std::size_t>(-1) / 2) {
    return Status::error(Code::kOutOfMemory, "out of memory: a model of %.0f parameters",
                         table.parameter_count_);
  }
  table.quantised_total_ = static_cast<std::size_t>(table.quantised_offset_);
  table.total_ = static_cast<std::size_t>(offset);
  return table;
}

const TensorInfo* ParameterTable::find(const char* name) const {
  for (const TensorInfo& info : tensors_)
    if (std::strcmp(info.name, name) == 0) return &info;
  return nullptr;
}

const TensorInfo* ParameterTable::find_setting(const char* name) const {
  const TensorInfo* found = find(name);
  const char* number = mark_of_scheme(name);
  if (found || !number) return found;
  // "….position.t5.1.bias" is "….position.t5.bias" elsewhere.
  while (*number && !(number[0] == '.' && number[1] >= '0' && number[1] <= '9')) ++number;
  const char* rest = *number ? std::strchr(number + 1, '.') : nullptr;
  if (!rest) return nullptr;
  TensorInfo plain;
  format_text(plain.name, sizeof(plain.name), "%.*s%s", static_cast<int>(number - name), name,
              rest);
  return find(plain.name);
}

bool is_of_scheme(const TensorInfo& info) { return mark_of_scheme(info.name); }

BlockTensors<float> ParameterTable::block(float* base, int layer) const {
  std::array<float*, kBlockTensors + 1> pointers = {};  // the last is that of `quantised`
  for (int i = 0; i < kBlockTensors; ++i)
    if (const int index = slot(layer, static_cast<BlockTensor>(i));
        index >= 0 && tensors_[index].type == WeightType::kF32)
      pointers[i] = base + tensors_[index].offset;
  return std::bit_cast<BlockTensors<float>>(pointers);
}

BlockTensors<const float> ParameterTable::block(const float* base, int layer) const {
  return std::bit_cast<BlockTensors<const float>>(block(const_cast<float*>(base), layer));
}

}  // namespace wf
