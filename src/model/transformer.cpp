#include "model/transformer.h"

#include <algorithm>
#include <utility>

#include "attention/recorder.h"
#include "model/cross_attention.h"

namespace wf {

Result<Transformer> Transformer::blank(const ModelConfig& config, WeightType type,
                                       std::shared_ptr<const Transformer> embedding_owner) {
  WF_RETURN_IF_ERROR(config.validate());
  const ModelConfig& other = embedding_owner ? embedding_owner->config() : config;
  if (other.vocab_size != config.vocab_size || other.width != config.width ||
      other.input_width() != config.input_width())
    return WF_UNEXPECTED("embedding", "%d × %d", "%d × %d, as the shared one", config.vocab_size,
                         config.input_width(), other.vocab_size, other.input_width());
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
                           "scheme: the new schemes read %s as f32, and the model has it as %s",
                           info.name, word_of(original.weight_type()));
    if (has_shape && info.type != WeightType::kF32)
      std::copy_n(original.quantised_.data() + given->offset,
                  static_cast<std::size_t>(info.bytes()), model.quantised_.data() + info.offset);
    else if (has_shape)
      std::copy_n(original.values_.data() + given->offset, info.size(),
                  model.values_.data() + info.offset);
    else if (is_of_scheme(info))
      initialise_tensor(info, seed, model.values_.data() + info.offset);
    else
      return Status::error(Code::kUnsupported,
                           "scheme: the new schemes need %s, which the model has not trained",
                           info.name);
  }
  return model;
}

Status Transformer::require_floats(const char* what) const {
  if (weight_type() == WeightType::kF32) return {};
  return WF_UNEXPECTED_AS(Code::kUnsupported, "dtype", "\"%s\"", "\"f32\" for %s",
                          word_of(weight_type()), what);
}

Status Transformer::store_rows(const TensorInfo& info, int first, int count, const float* values) {
  if (info.type == WeightType::kF32) {
    const int columns = info.dimensions == 1 ? 1 : info.columns;
    std::copy_n(values, elements_of(count, columns),
                values_.data() + info.offset + elements_of(first, columns));
    return {};
  }
  const QuantisedMatrix part = table_.quantised(info, quantised_.data());
  const std::size_t part_bytes = quantised_bytes(part.type, part.rows, part.columns);
  std::uint8_t* bytes = quantised_.data() + info.offset;
  bool is_stored = true;
  for (int done = 0, row = first; done < count && is_stored;) {
    const int index = row / part.rows, rows = std::min(count - done, (index + 1) * part.rows - row);
    is_stored = quantise_rows(values + elements_of(done, part.columns), row - index * part.rows,
                              rows, part, bytes + static_cast<std::size_t>(index) * part_bytes);
    done += rows;
    row += rows;
  }
  if (is_stored) return {};
  if (!is_integer(info.type))
    return WF_UNEXPECTED_AS(Code::kDtypeOverflow, "dtype", "\"%s\"",
                            "%s\"f32\", since tensor %s has larger numbers", word_of(info.type),
                            info.type == WeightType::kF16 ? "\"bf16\" or " : "", info.name);
  return WF_UNEXPECTED_AS(Code::kMalformedFile, "tensor %s", "NaN or infinity",
                          "finite numbers, or dtype \"f32\"", info.name);
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

Result<Gradients> Transformer::make_gradients() const {
  WF_RETURN_IF_ERROR(require_floats("training"));
  if (config_.architecture.cross_attention || embedding_owner_)
    return WF_UNEXPECTED_AS(Code::kUnsupported, "architecture.crossAttention", "true",
                            "false in training, since cross-attention has no gradients");
  Gradients gradients;
  WF_RETURN_IF_ERROR(gradients.values_.reserve(table_.total()));
  WF_ASSIGN_OR_RETURN(gradients.scheme_pointers_,
                      table_.scheme_pointers<float>(gradients.values_.data()));
  return gradients;
}

LayerSchemes Transformer::layer_schemes(int layer, Gradients* gradients) const {
  const int layer_type = config_.layer_type_of[layer];
  LayerSchemes list;
  list.layer = layer;
  list.first_table = layer_type * kMaxSchemes;
  list.count = schemes_.count_in(layer_type);
  std::size_t first = table_.scheme_tensors_before(layer);
  for (int i = 0; i < list.count; ++i) {
    const SchemeInstance& instance = schemes_.at(layer_type, i);
    LayerScheme& item = list.items[i];
    item.scheme = instance.scheme.get();
    item.description = &instance.description();
    item.hooks = instance.hooks;
    item.values = scheme_pointers_.data() + first;
    if (gradients) item.gradients = gradients->scheme_pointers_.data() + first;
    first += item.scheme->parameters().size();
    if (!item.scheme->needs_projections()) continue;
    const std::size_t query = table_.block_tensor(layer, BlockTensor::kQuery);
    const std::size_t key = table_.block_tensor(layer, BlockTensor::kKey);
    item.projections = {.query = values_.data() + query, .key = values_.data() + key};
    const BlockTensors<const float> weights = block(layer);
    item.projections.query_bias = weights.query_bias;
    item.projections.key_bias = weights.key_bias;
    if (gradients) {
      item.projections.d_query = gradients->values() + query;
      item.projections.d_key = gradients->values() + key;
      const BlockTensors<float> trained = table_.block(gradients->values(), layer);
      item.projections.d_query_bias = trained.query_bias;
      item.projections.d_key_bias = trained.key_bias;
    }
  }
  return list;
}

void Transformer::constrain() {
  for (int layer = 0; layer < config_.num_layers; ++layer) {
    const int layer_type = config_.layer_type_of[layer];
    int index = 0;
    for (int i = 0; i < schemes_.count_in(layer_type); ++i) {
      const SchemeInstance& instance = schemes_.at(layer_type, i);
      const int count = static_cast<int>(instance.scheme->parameters().size());
      float* values[kMaxSchemeParameters];
      for (int p = 0; p < count; ++p)
        values[p] = values_.data() + table_.scheme_tensor(layer, index++);
      if (instance.has(kHookConstrain)) instance.scheme->constrain(values);
    }
  }
}

Status Transformer::check(const TokenBatch& batch,
                          const TransformerActivations& activations) const {
  if (!activations.fits(batch.batch, batch.length)) {
    return WF_UNEXPECTED("batch", "%d sequences of %d tokens", "1 to %d of 1 to %d", batch.batch,
                         batch.length, activations.batch(), activations.length());
  }
  if (batch.positions.data && batch.positions.count != batch.length) {
    return WF_UNEXPECTED("positions", "%d tokens", "%d", batch.positions.count, batch.length);
  }
  if (batch.embedding_positions.data && batch.embedding_positions.count != batch.length) {
    return WF_UNEXPECTED("positions of token vectors", "%d tokens", "%d",
                         batch.embedding_positions.count, batch.length);
  }
  if (batch.vectors && config_.architecture.input_width)
    return Status::error(Code::kUnsupported,
                         "vectors: not supported with inputWidth, whose projection follows them");
  WF_RETURN_IF_ERROR(check_memory(batch.memory));
  if (batch.memory && batch.batch != 1)
    return WF_UNEXPECTED("batch", "%d sequences", "1 with cross-attention", batch.batch);
  const int rows = batch.batch * batch.length;
  for (int i = 0; i < rows; ++i) {
    if (!batch.vectors && (batch.ids[i] < 0 || batch.ids[i] >= config_.vocab_size)) {
      return WF_UNEXPECTED("ids[%d]", "%d", "0 to %d", i, batch.ids[i], config_.vocab_size - 1);
    }
    const int types = config_.architecture.token_types;
    if (batch.types && (batch.types[i] < 0 || batch.types[i] >= types)) {
      return WF_UNEXPECTED("types[%d]", "%d", "0 to %d", i, batch.types[i], types - 1);
    }
  }
  for (int b = 0; batch.lengths && b < batch.batch; ++b) {
    if (batch.lengths[b] < 1 || batch.lengths[b] > batch.length) {
      return WF_UNEXPECTED("lengths[%d]", "%d", "1 to %d", b, batch.lengths[b], batch.length);
    }
  }
  return {};
}

Status Transformer::check_memory(const CrossMemory* memory) const {
  if ((memory != nullptr) == config_.architecture.cross_attention &&
      (!memory || memory->fits(config_)))
    return {};
  return Status::error(
      Code::kUnsupported, "%s",
      !memory ? "the model has cross-attention, so it reads another sequence beside its own"
      : config_.architecture.cross_attention
          ? "the encoded sequence belongs to a model of other sizes"
          : "the model has no cross-attention, so it reads no other sequence");
}

Status Transformer::check_targets(const TokenBatch& batch, const std::int32_t* targets) const {
  const int rows = batch.batch * batch.length;
  for (int i = 0; i < rows; ++i) {
    if (targets[i] < -1 || targets[i] >= config_.vocab_size) {
      return WF_UNEXPECTED("targets[%d]", "%d", "-1 to %d", i, targets[i], config_.vocab_size - 1);
    }
  }
  return {};
}

SequenceLayout Transformer::layout_of(const TokenBatch& batch,
                                      TransformerActivations& activations) const {
  SequenceLayout layout{.batch = batch.batch,
                        .length = batch.length,
                        .positions = batch.positions,
                        .segments = batch.segments,
                        .visible = batch.visible,
                        .lengths = batch.lengths,
                        .memory = batch.memory};
  if (!layout.positions.data)
    layout.positions = activations.default_positions(batch.length, config_.position_axes());
  return layout;
}

Status Transformer::use(Arithmetic arithmetic, TransformerActivations& activations) const {
  if (arithmetic == Arithmetic::kExact || !is_integer(weight_type())) return {};
  return activations.scratch().matmul.reserve_quick(parameters().widest_quantised());
}

// Maps of attention, or of a layer with states its effective weights.
static Status check_recorder(const ModelConfig& config, int layer, const Recorder& recorder) {
  const bool is_effective = recorder.wants(kRecordEffective);
  if (config.attends(layer) && !is_effective) return {};
  const bool is_alone = recorder.kinds() == kRecordEffective && !recorder.measures();
  if (config.layer_type(layer).keeps_state() && is_alone) return {};
  return WF_UNEXPECTED_AS(
      Code::kUnsupported, "record", "layer %d, %s attention", "layers %s", layer,
      config.attends(layer) ? "with" : "without",
      is_effective ? "with the delta rule or Mamba-2, and no other map" : "with attention");
}

Result<SequenceLayout> Transformer::begin_forward(const TokenBatch& batch,
                                                  TransformerActivations& activations,
                                                  std::span<Recorder* const> recorders,
                                                  const PassStates& states) const {
  WF_RETURN_IF_ERROR(check(batch, activations));
  WF_RETURN_IF_ERROR(states.check(config_, batch.batch, batch.length));
  const int attentions = config_.num_layers * (batch.memory ? 2 : 1);
  if (!recorders.empty() &&
      (batch.batch != 1 || recorders.size() != static_cast<std::size_t>(attentions))) {
    return WF_UNEXPECTED("recorders", "%d for %d sequences",
                         "one for each layer (%d) and one sequence",
                         static_cast<int>(recorders.size()), batch.batch, attentions);
  }
  for (int layer = 0; layer < config_.num_layers && !recorders.empty(); ++layer)
    if (recorders[layer]) WF_RETURN_IF_ERROR(check_recorder(config_, layer, *recorders[layer]));
  const SequenceLayout layout = layout_of(batch, activations);
  const int e = config_.width, in = config_.input_width();
  for (int b = 0; b < layout.batch; ++b) {
    const std::size_t row = static_cast<std::size_t>(b) * layout.length;
    WF_RETURN_IF_ERROR(embed(batch.ids ? batch.ids + row : nullptr,
                             batch.types ? batch.types + row : nullptr,
                             embedding_positions(batch, layout), activations.narrow(),
                             {activations.embedding_in() + row * in, layout.length, in, in},
                             batch.vectors ? batch.vectors + row * e : nullptr));
  }
  finish_embeddings(layout.rows(), activations);
  states.change_stream(-1, {activations.embedded(), layout.rows(), e, e});
  return layout;
}

Status Transformer::forward(const TokenBatch& batch, TransformerActivations& activations,
                            std::span<Recorder* const> recorders,
                            std::span<const Surgery> surgeries, const PassStates& states) const {
  WF_ASSIGN_OR_RETURN(const SequenceLayout layout,
                      begin_forward(batch, activations, recorders, states));
  const int e = config_.width;
  for (int layer = 0; layer < config_.num_layers; ++layer) {
    LayerSchemes schemes = layer_schemes(layer);
    if (!surgeries.empty()) schemes.surgery = &surgeries[layer];
    const auto recorder = [&](int index) {
      return std::cmp_less(index, recorders.size()) ? recorders[index] : nullptr;
    };
    WF_RETURN_IF_ERROR(block_forward(config_, block(layer), schemes, layout, activations,
                                     recorder(layer), recorder(config_.num_layers + layer),
                                     states));
    states.change_stream(layer, {activations.block(layer).output, layout.rows(), e, e});
  }
  finish_stream(0, layout.rows(), activations);
  return {};
}

Status Transformer::forward_logits(const TokenBatch& batch, TransformerActivations& activations,
                                   float* logits) const {
  WF_RETURN_IF_ERROR(check_head());
  WF_RETURN_IF_ERROR(forward(batch, activations));
  head(activations, 0, batch.batch * batch.length, logits);
  return {};
}

Status Transformer::forward_last_logits(const TokenBatch& batch,
                                        TransformerActivations& activations, float* logits) const {
  WF_RETURN_IF_ERROR(check_head());
  WF_RETURN_IF_ERROR(forward(batch, activations));
  for (int b = 0; b < batch.batch; ++b) {
    const int last = (batch.lengths ? batch.lengths[b] : batch.length) - 1;
    head(activations, b * batch.length + last, 1,
         logits + static_cast<std::size_t>(b) * config_.vocab_size);
  }
  return {};
}

Result<LossSum> Transformer::loss(const TokenBatch& batch, const std::int32_t* targets,
                                  TransformerActivations& activations,
                                  std::span<const Surgery> surgeries,
                                  const PassStates& states) const {
  WF_RETURN_IF_ERROR(check_head());
  WF_RETURN_IF_ERROR(check_targets(batch, targets));
  WF_RETURN_IF_ERROR(forward(batch, activations, {}, surgeries, states));
  return head_losses(batch.batch * batch.length, targets, activations);
}

Result<LossSum> Transformer::loss_and_gradient(const TokenBatch& batch, const std::int32_t* targets,
                                               float weight, TransformerActivations& activations,
                                               Gradients& gradients) const {
  if (activations.purpose() != Purpose::kTraining) {
    return Status::error(Code::kInvalidArgument,
                         "activations made for inference have no data for a backward pass");
  }
  if (batch.vectors)
    return Status::error(Code::kUnsupported, "vectors in place of ids have no gradient");
  WF_RETURN_IF_ERROR(check_head());
  WF_RETURN_IF_ERROR(check_targets(batch, targets));
  WF_RETURN_IF_ERROR(forward(batch, activations));
  const SequenceLayout layout = layout_of(batch, activations);
  const LossSum sum = head_backward(layout.rows(), targets, weight, activations, gradients);
  for (int layer = config_.num_layers - 1; layer >= 0; --layer) {
    WF_RETURN_IF_ERROR(block_backward(config_, block(layer),
                                      table_.block(gradients.values(), layer),
                                      layer_schemes(layer, &gradients), layout, activations));
  }
  finish_embeddings_backward(layout.rows(), activations, gradients);
  embed_backward(batch, layout, activations, gradients);
  return sum;
}

}  // namespace wf
