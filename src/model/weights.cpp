// Initialising, copying and storing the weights of a Transformer.
#include <algorithm>
#include <utility>

#include "model/transformer.h"

namespace wf {

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

Result<Transformer> Transformer::blank(const ModelConfig& config, WeightType type,
                                       std::shared_ptr<const Transformer> embedding_owner) {
  WF_RETURN_IF_ERROR(config.validate());
  const ModelConfig& other = embedding_owner ? embedding_owner->config() : config;
  if (other.vocab_size != config.vocab_size || other.width != config.width)
    return Status::error(Code::kInvalidArgument,
                         "embedding: %d × %d; allowed is the shared one's, %d × %d",
                         config.vocab_size, config.width, other.vocab_size, other.width);
  Transformer model;
  model.config_ = config;
  WF_ASSIGN_OR_RETURN(model.schemes_, ModelSchemes::make(config));
  WF_ASSIGN_OR_RETURN(
      model.table_, ParameterTable::make(config, model.schemes_, type, embedding_owner != nullptr));
  model.embedding_owner_ = std::move(embedding_owner);
  const ParameterTable& table = model.table_;
  WF_RETURN_IF_ERROR(model.values_.reserve(table.total()));
  WF_ASSIGN_OR_RETURN(model.scheme_pointers_,
                      table.scheme_pointers<const float>(model.values_.data()));
  if (type == WeightType::kF32) return model;
  WF_RETURN_IF_ERROR(model.quantised_.reserve(table.quantised_total()));
  const std::uint8_t* bytes = model.quantised_.data();
  WF_ASSIGN_OR_RETURN(model.quantised_blocks_, table.quantised_blocks(bytes));
  if (const TensorInfo* embedding = table.info_of(ModelTensor::kEmbedding))
    model.quantised_embedding_ = table.quantised(*embedding, bytes);
  if (const TensorInfo* head = table.info_of(ModelTensor::kHead))
    model.quantised_head_ = table.quantised(*head, bytes);
  return model;
}

Result<Transformer> Transformer::make(const ModelConfig& config, std::uint64_t seed,
                                      WeightType type) {
  WF_ASSIGN_OR_RETURN(Transformer model, blank(config, type));
  model.table_.initialise(seed, model.values_.data());
  Buffer<float> rows;
  for (int i = 0; i < model.table_.count(); ++i) {
    const TensorInfo& info = model.table_.tensor(i);
    if (info.type == WeightType::kF32) continue;
    WF_RETURN_IF_ERROR(rows.reserve(elements_of(kQuantisedRows, info.columns)));
    Random stream = stream_of(info, seed);
    for (int r = 0; r < info.rows; r += kQuantisedRows) {
      const int count = std::min(kQuantisedRows, info.rows - r);
      draw_values(info, stream, elements_of(count, info.columns), rows.data());
      WF_RETURN_IF_ERROR(model.store_rows(info, r, count, rows.data()));
    }
  }
  return model;
}

Result<Transformer> Transformer::reconfigured(const ModelConfig& config, std::uint64_t seed,
                                              const Transformer& original) {
  WF_ASSIGN_OR_RETURN(Transformer model,
                      blank(config, original.weight_type(), original.embedding_owner_));
  for (int i = 0; i < model.table_.count(); ++i) {
    const TensorInfo& info = model.table_.tensor(i);
    const TensorInfo* given = original.table_.find_setting(info.name);
    const bool has_shape = given && given->rows == info.rows && given->columns == info.columns;
    if (has_shape && given->type != info.type)
      return Status::error(Code::kUnsupported,
                           "scheme: these read %s as f32, which the model has as %s", info.name,
                           weight_type_name(original.weight_type()));
    if (has_shape && info.type != WeightType::kF32)
      std::copy_n(original.quantised_.data() + given->offset,
                  quantised_bytes(info.type, info.rows, info.columns),
                  model.quantised_.data() + info.offset);
    else if (has_shape)
      std::copy_n(original.values_.data() + given->offset, info.size(),
                  model.values_.data() + info.offset);
    else if (is_of_scheme(info))
      initialise_tensor(info, seed, model.values_.data() + info.offset);
    else
      return Status::error(Code::kUnsupported,
                           "scheme: these make %s, which the model has not trained", info.name);
  }
  return model;
}

Status Transformer::require_floats(const char* what) const {
  if (weight_type() == WeightType::kF32) return {};
  return Status::error(Code::kUnsupported, "dtype is \"%s\"; %s needs a model of \"f32\"",
                       weight_type_name(weight_type()), what);
}

Status Transformer::store_rows(const TensorInfo& info, int first, int count, const float* values) {
  if (info.type == WeightType::kF32) {
    const int columns = info.dimensions == 1 ? 1 : info.columns;
    std::copy_n(values, elements_of(count, columns),
                values_.data() + info.offset + elements_of(first, columns));
    return {};
  }
  std::uint8_t* bytes = quantised_.data();
  if (quantise_rows(values, first, count, table_.quantised(info, bytes), bytes + info.offset))
    return {};
  if (!is_integer(info.type))
    return Status::error(Code::kUnsupported,
                         "dtype is \"%s\", whose largest number is smaller than one of tensor %s; "
                         "allowed for these weights: %s\"f32\"",
                         weight_type_name(info.type), info.name,
                         info.type == WeightType::kF16 ? "\"bf16\", " : "");
  return Status::error(Code::kMalformedFile,
                       "tensor %s has numbers that are not finite; allowed in a model of \"f32\"",
                       info.name);
}

BlockTensors<const float> Transformer::block(int layer) const {
  BlockTensors<const float> tensors = table_.block(values_.data(), layer);
  if (weight_type() != WeightType::kF32)
    tensors.quantised = quantised_blocks_.data() + elements_of(layer, kBlockTensors);
  return tensors;
}

Weight Transformer::model_weight(ModelTensor which) const {
  if (embedding_owner_ && which == ModelTensor::kEmbedding)
    return embedding_owner_->model_weight(which);
  if (weight_type() == WeightType::kF32) return {table_.of_model(values_.data(), which), nullptr};
  return {nullptr, which == ModelTensor::kHead ? &quantised_head_ : &quantised_embedding_};
}

}  // namespace wf
