#include "model/parameters.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "tensor/random.h"

namespace wf {
namespace {

// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

// Layer -1 is the model's own part.
void write_name(int layer, const char* part, TensorInfo& info) {
  if (layer < 0)
    std::snprintf(info.name, sizeof(info.name), "model.%s.weight", part);
  else
    std::snprintf(info.name, sizeof(info.name), "model.layers.%d.%s.weight", layer, part);
}

TensorInfo matrix(int layer, const char* part, int rows, int columns, float deviation) {
  TensorInfo info;
  write_name(layer, part, info);
  info.rows = rows;
  info.columns = columns;
  info.decays = true;
  info.deviation = deviation;
  return info;
}

TensorInfo norm(int layer, const char* part, int columns) {
  TensorInfo info;
  write_name(layer, part, info);
  info.dimensions = 1;
  info.columns = columns;
  info.initialiser = Initialiser::kOne;
  return info;
}

void block_infos(const ModelConfig& config, int layer, TensorInfo infos[kBlockTensors]) {
  const int e = config.width, q = config.query_width(), k = config.key_width();
  const int f = config.intermediate;
  // Projections into the residual stream start smaller, so that its variance does not grow with
  // depth (Radford et al. 2019, GPT-2, section 2.3).
  const float deviation = config.initializer_range;
  const float residual = deviation / std::sqrt(2.0f * static_cast<float>(config.num_layers));
  int i = 0;
  infos[i++] = norm(layer, "input_layernorm", e);
  infos[i++] = matrix(layer, "self_attn.q_proj", q, e, deviation);
  infos[i++] = matrix(layer, "self_attn.k_proj", k, e, deviation);
  infos[i++] = matrix(layer, "self_attn.v_proj", k, e, deviation);
  infos[i++] = matrix(layer, "self_attn.o_proj", e, q, residual);
  infos[i++] = norm(layer, "post_attention_layernorm", e);
  infos[i++] = matrix(layer, "mlp.gate_proj", f, e, deviation);
  infos[i++] = matrix(layer, "mlp.up_proj", f, e, deviation);
  infos[i++] = matrix(layer, "mlp.down_proj", e, f, residual);
}

int parameters_of_scope(std::span<const SchemeInstance> instances, ParameterScope scope) {
  int count = 0;
  for (const SchemeInstance& instance : instances)
    for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.scope == scope;
  return count;
}

}  // namespace

TensorInfo scheme_tensor_info(const ParameterSpec& spec, const char* scheme, int layer) {
  TensorInfo info;
  if (spec.scope == ParameterScope::kModel)
    std::snprintf(info.name, sizeof(info.name), "model.position.%s.%s", scheme, spec.name);
  else
    std::snprintf(info.name, sizeof(info.name), "model.layers.%d.self_attn.position.%s.%s", layer,
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

void ParameterTable::add(const TensorInfo& info, std::uint64_t& offset) {
  TensorInfo& slot = tensors_[filled_++];
  slot = info;
  slot.offset = static_cast<std::size_t>(offset);
  offset += static_cast<std::uint64_t>(info.rows) * info.columns;
}

void ParameterTable::add_scheme_tensors(int layer, std::span<const SchemeInstance> instances,
                                        std::uint64_t& offset) {
  const ParameterScope wanted = layer < 0 ? ParameterScope::kModel : ParameterScope::kLayer;
  for (const SchemeInstance& instance : instances) {
    for (const ParameterSpec& spec : instance.scheme->parameters()) {
      if (spec.scope == wanted)
        add(scheme_tensor_info(spec, instance.entry->description->id, layer), offset);
    }
  }
}

Result<ParameterTable> ParameterTable::make(const ModelConfig& config,
                                            std::span<const SchemeInstance> instances) {
  ParameterTable table;
  table.layers_ = config.num_layers;
  table.layer_scoped_ = parameters_of_scope(instances, ParameterScope::kLayer);
  table.model_scoped_ = parameters_of_scope(instances, ParameterScope::kModel);
  const std::size_t tensors = 2 + table.model_scoped_ +
                              static_cast<std::size_t>(config.num_layers) *
                                  (kBlockTensors + table.layer_scoped_);
  WF_ASSIGN_OR_RETURN(table.tensors_, Buffer<TensorInfo>::make(tensors));
  WF_ASSIGN_OR_RETURN(table.scheme_slots_, Buffer<int>::make(table.scheme_tensor_count()));

  std::uint64_t offset = 0;
  table.add(matrix(-1, "embed_tokens", config.vocab_size, config.width,
                   config.initializer_range), offset);
  for (int layer = 0; layer < config.num_layers; ++layer) {
    TensorInfo infos[kBlockTensors];
    block_infos(config, layer, infos);
    for (const TensorInfo& info : infos) table.add(info, offset);
    table.add_scheme_tensors(layer, instances, offset);
  }
  table.add(norm(-1, "norm", config.width), offset);
  table.add_scheme_tensors(-1, instances, offset);

  int slot = 0, layer_slot = 0, model_slot = 0;
  for (const SchemeInstance& instance : instances)
    for (const ParameterSpec& spec : instance.scheme->parameters())
      table.scheme_slots_[slot++] =
          spec.scope == ParameterScope::kLayer ? layer_slot++ : -1 - model_slot++;

  if (offset > static_cast<std::size_t>(-1) / 2 / sizeof(float)) {
    return Status::error(Code::kOutOfMemory, "out of memory: a model of %.0f parameters",
                         static_cast<double>(offset));
  }
  table.total_ = static_cast<std::size_t>(offset);
  return table;
}

const TensorInfo* ParameterTable::find(const char* name) const {
  for (const TensorInfo& info : tensors_)
    if (std::strcmp(info.name, name) == 0) return &info;
  return nullptr;
}

std::size_t ParameterTable::final_norm() const {
  return tensors_[1 + layers_ * (kBlockTensors + layer_scoped_)].offset;
}

std::size_t ParameterTable::block_tensor(int layer, BlockTensor which) const {
  return tensors_[1 + layer * (kBlockTensors + layer_scoped_) + static_cast<int>(which)].offset;
}

std::size_t ParameterTable::scheme_tensor(int layer, int index) const {
  const int slot = scheme_slots_[index];
  if (slot < 0) return tensors_[2 + layers_ * (kBlockTensors + layer_scoped_) - 1 - slot].offset;
  return tensors_[1 + layer * (kBlockTensors + layer_scoped_) + kBlockTensors + slot].offset;
}

void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values) {
  Random random(seed ^ hash_of(info.name));
  for (std::size_t i = 0; i < info.size(); ++i) {
    switch (info.initialiser) {
      case Initialiser::kZero: values[i] = 0; break;
      case Initialiser::kOne: values[i] = 1; break;
      case Initialiser::kConstant: values[i] = info.deviation; break;
      case Initialiser::kNormal: values[i] = info.mean + info.deviation * random.normal(); break;
      case Initialiser::kUniform:
        values[i] = info.mean + info.deviation * (2 * random.uniform() - 1);
        break;
    }
  }
}

void ParameterTable::initialise(std::uint64_t seed, float* values) const {
  for (const TensorInfo& info : tensors_) initialise_tensor(info, seed, values + info.offset);
}

}  // namespace wf
