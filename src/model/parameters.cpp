#include "model/parameters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "format.h"

namespace wf {
namespace {

constexpr std::string_view kOfScheme = ".position.";

// Finds the part of a tensor's name that marks it as a scheme's; null if there is none.
const char* mark_of_scheme(const char* name) {
  const std::size_t at = std::string_view(name).find(kOfScheme);
  return at == std::string_view::npos ? nullptr : name + at;
}

int count_of_scope(const SchemeInstance& instance, ParameterScope scope) {
  int count = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.scope == scope;
  return count;
}

// Checks that a layer's tensors are those of the layer whose weights it has.
Status check_shared(const ModelConfig& config, const ModelSchemes& schemes, int source, int layer,
                    WeightType type, const TensorInfo infos[kBlockTensors]) {
  TensorInfo others[kBlockTensors];
  block_infos(config, source, others);
  choose_types(config, schemes, source, type, others);
  for (int i = 0; i < kBlockTensors; ++i)
    if (infos[i].rows != others[i].rows || infos[i].columns != others[i].columns ||
        infos[i].type != others[i].type)
      return Status::error(Code::kUnsupported,
                           "architecture.layerGroups: layers %d and %d share weights, so their "
                           "types must need the same ones",
                           source, layer);
  return {};
}

// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

}  // namespace

int ParameterTable::add(TensorInfo info, std::uint64_t& offset) {
  parameter_count_ += 1.0 * info.rows * info.columns;
  if (info.type == WeightType::kF32) {
    info.offset = static_cast<std::size_t>(offset);
    offset += static_cast<std::uint64_t>(info.rows) * info.columns;
  } else {
    info.offset = static_cast<std::size_t>(quantised_offset_);
    quantised_offset_ += info.bytes();  // the sum is checked later
  }
  tensors_[filled_] = info;
  return filled_++;
}

void ParameterTable::add_layer(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                               std::uint64_t& offset) {
  const int source = config.weights_of(layer);
  TensorInfo infos[kBlockTensors];
  block_infos(config, layer, infos);
  choose_types(config, schemes, layer, type_, infos);
  for (int i = 0; i < kBlockTensors; ++i) {
    int& slot = block_tensors_[layer * kBlockTensors + i];
    slot = source != layer    ? block_tensors_[source * kBlockTensors + i]
           : infos[i].columns ? add(infos[i], offset)
                              : -1;
  }
  const int layer_type = config.layer_type_of[layer];
  int* next = scheme_tensors_.data() + first_scheme_tensor_[layer];
  for (int i = 0; i < schemes.count_in(layer_type); ++i) {
    const SchemeInstance& instance = schemes.at(layer_type, i);
    for (const ParameterSpec& spec : instance.scheme->parameters()) {
      if (spec.scope == ParameterScope::kLayer)
        *next = add(scheme_tensor_info(spec, instance.entry->description->id, layer,
                                       schemes.earlier_in_layer_type(layer_type, i)),
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

// Adds the schemes' parameters for the whole model, and their indices for the layers.
void ParameterTable::add_of_model(const ModelConfig& config, const ModelSchemes& schemes,
                                  std::uint64_t& offset) {
  int first[kMaxLayerTypes * kMaxSchemes];
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
    const int layer_type = config.layer_type_of[layer];
    int* next = scheme_tensors_.data() + first_scheme_tensor_[layer];
    for (int i = 0; i < schemes.count_in(layer_type); ++i) {
      int tensor = first[schemes.index(layer_type, i)];
      for (const ParameterSpec& spec : schemes.at(layer_type, i).scheme->parameters()) {
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
  // Embedding and output head keep at least one byte for each number: every token reads the one
  // and is scored by the other.
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
    choose_types(config, schemes, layer, type, infos);
    if (const int source = config.weights_of(layer); source != layer)
      WF_RETURN_IF_ERROR(check_shared(config, schemes, source, layer, type, infos));
    else
      for (const TensorInfo& info : infos) tensors += info.columns > 0;
    const int layer_type = config.layer_type_of[layer];
    table.first_scheme_tensor_[layer + 1] =
        table.first_scheme_tensor_[layer] + schemes.parameters_of(layer_type);
    for (int i = 0; i < schemes.count_in(layer_type); ++i)
      tensors += count_of_scope(schemes.at(layer_type, i), ParameterScope::kLayer);
  }
  WF_RETURN_IF_ERROR(table.tensors_.reserve(tensors));
  WF_RETURN_IF_ERROR(table.scheme_tensors_.reserve(table.first_scheme_tensor_[layers]));

  std::uint64_t offset = 0;
  table.add_pieces(config, offset);
  table.add_model_tensors(of_model, ModelTensor::kEmbedding, ModelTensor::kInputProjectionBias,
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
  // For example "….position.t5.1.bias" in place of "….position.t5.bias".
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
  std::array<float*, kBlockTensors + 1> pointers = {};  // the last one is `quantised`
  for (int i = 0; i < kBlockTensors; ++i)
    if (const int index = slot(layer, static_cast<BlockTensor>(i));
        index >= 0 && tensors_[index].type == WeightType::kF32)
      pointers[i] = base + tensors_[index].offset;
  return std::bit_cast<BlockTensors<float>>(pointers);
}

BlockTensors<const float> ParameterTable::block(const float* base, int layer) const {
  return std::bit_cast<BlockTensors<const float>>(block(const_cast<float*>(base), layer));
}

Random stream_of(const TensorInfo& info, std::uint64_t seed) {
  return Random(seed ^ hash_of(info.name));
}

void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values) {
  Random random = stream_of(info, seed);
  draw_values(info, random, info.size(), values);
}

void draw_values(const TensorInfo& info, Random& random, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    switch (info.initialiser) {
      case Initialiser::kZero:
        values[i] = 0;
        break;
      case Initialiser::kOne:
        values[i] = 1;
        break;
      case Initialiser::kConstant:
        values[i] = info.deviation;
        break;
      case Initialiser::kNormal:
        values[i] = info.mean + info.deviation * random.normal();
        break;
      case Initialiser::kUniform:
        values[i] = info.mean + info.deviation * (2 * random.uniform() - 1);
        break;
      case Initialiser::kGiven:
        values[i] = info.given[i];
        break;
    }
  }
}

void ParameterTable::initialise(std::uint64_t seed, float* values) const {
  for (const TensorInfo& info : tensors_)
    if (info.type == WeightType::kF32) initialise_tensor(info, seed, values + info.offset);
}

Result<Buffer<QuantisedMatrix>> ParameterTable::quantised_blocks(const std::uint8_t* base) const {
  Buffer<QuantisedMatrix> matrices;
  if (type_ == WeightType::kF32) return matrices;
  WF_RETURN_IF_ERROR(matrices.reserve(block_tensors_.size()));
  for (std::size_t i = 0; i < matrices.size(); ++i)
    if (const int index = block_tensors_[i]; index >= 0 && tensors_[index].type != WeightType::kF32)
      matrices[i] = quantised(tensors_[index], base);
  return matrices;
}

int ParameterTable::widest_quantised() const {
  int widest = 0;
  for (const TensorInfo& info : tensors_)
    if (info.type != WeightType::kF32) widest = std::max(widest, info.columns);
  return widest;
}

}  // namespace wf
