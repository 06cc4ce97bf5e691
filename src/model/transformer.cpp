#include "model/transformer.h"

#include <algorithm>

#include "model/cross_attention.h"

namespace wf {

Result<Gradients> Transformer::make_gradients() const {
  WF_RETURN_IF_ERROR(require_floats("training"));
  if (config_.architecture.cross_attention || embedding_owner_)
    return Status::error(Code::kUnsupported,
                         "architecture.crossAttention is true; allowed in training is false: what "
                         "a decoder reads of an encoder has no gradients");
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
    item.description = instance.entry->description;
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
    return Status::error(Code::kInvalidArgument,
                         "a batch of %d sequences of %d tokens; allowed: 1 to %d of 1 to %d",
                         batch.batch, batch.length, activations.batch(), activations.length());
  }
  if (batch.positions.data && batch.positions.count != batch.length) {
    return Status::error(Code::kInvalidArgument, "positions are of %d tokens; allowed: %d",
                         batch.positions.count, batch.length);
  }
  if (batch.embedding_positions.data && batch.embedding_positions.count != batch.length) {
    return Status::error(Code::kInvalidArgument,
                         "positions of token vectors are of %d tokens; allowed: %d",
                         batch.embedding_positions.count, batch.length);
  }
  WF_RETURN_IF_ERROR(check_memory(batch.memory));
  if (batch.memory && batch.batch != 1)
    return Status::error(Code::kInvalidArgument, "%d sequences; allowed with cross-attention: 1",
                         batch.batch);
  const int rows = batch.batch * batch.length;
  for (int i = 0; i < rows; ++i) {
    if (batch.ids[i] < 0 || batch.ids[i] >= config_.vocab_size) {
      return Status::error(Code::kInvalidArgument, "ids[%d] is %d; allowed: 0 to %d", i,
                           batch.ids[i], config_.vocab_size - 1);
    }
    const int types = config_.architecture.token_types;
    if (batch.types && (batch.types[i] < 0 || batch.types[i] >= types)) {
      return Status::error(Code::kInvalidArgument, "types[%d] is %d; allowed: 0 to %d", i,
                           batch.types[i], types - 1);
    }
  }
  for (int b = 0; batch.lengths && b < batch.batch; ++b) {
    if (batch.lengths[b] < 1 || batch.lengths[b] > batch.length) {
      return Status::error(Code::kInvalidArgument, "lengths[%d] is %d; allowed: 1 to %d", b,
                           batch.lengths[b], batch.length);
    }
  }
  return {};
}

Status Transformer::check_memory(const CrossMemory* memory) const {
  if ((memory != nullptr) == config_.architecture.cross_attention &&
      (!memory || memory->fits(config_)))
    return {};
  return Status::error(Code::kUnsupported, "%s",
                       !memory ? "the model reads another sequence beside its own"
                       : config_.architecture.cross_attention
                           ? "the memory is of a model of other sizes"
                           : "the model reads no other sequence");
}

Status Transformer::check_targets(const TokenBatch& batch, const std::int32_t* targets) const {
  const int rows = batch.batch * batch.length;
  for (int i = 0; i < rows; ++i) {
    if (targets[i] < -1 || targets[i] >= config_.vocab_size) {
      return Status::error(Code::kInvalidArgument, "targets[%d] is %d; allowed: -1 to %d", i,
                           targets[i], config_.vocab_size - 1);
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

Status Transformer::forward(const TokenBatch& batch, TransformerActivations& activations,
                            std::span<Recorder* const> recorders,
                            std::span<const Surgery> surgeries) const {
  WF_RETURN_IF_ERROR(check(batch, activations));
  const int attentions = config_.num_layers * (batch.memory ? 2 : 1);
  if (!recorders.empty() &&
      (batch.batch != 1 || recorders.size() != static_cast<std::size_t>(attentions))) {
    return Status::error(Code::kInvalidArgument,
                         "%d recorders for %d sequences; allowed: one a layer (%d), one sequence",
                         static_cast<int>(recorders.size()), batch.batch, attentions);
  }
  const SequenceLayout layout = layout_of(batch, activations);
  const int e = config_.width;
  for (int b = 0; b < layout.batch; ++b) {
    const std::size_t row = static_cast<std::size_t>(b) * layout.length;
    WF_RETURN_IF_ERROR(embed(batch.ids + row, batch.types ? batch.types + row : nullptr,
                             embedding_positions(batch, layout), activations.narrow(),
                             {activations.embedding_in() + row * e, layout.length, e, e}));
  }
  finish_embeddings(layout.rows(), activations);
  for (int layer = 0; layer < config_.num_layers; ++layer) {
    LayerSchemes schemes = layer_schemes(layer);
    if (!surgeries.empty()) schemes.surgery = &surgeries[layer];
    const auto recorder = [&](int index) {
      return std::cmp_less(index, recorders.size()) ? recorders[index] : nullptr;
    };
    WF_RETURN_IF_ERROR(block_forward(config_, block(layer), schemes, layout, activations,
                                     recorder(layer), recorder(config_.num_layers + layer)));
  }
  finish_stream(0, layout.rows(), activations);
  return {};
}

Result<LossSum> Transformer::loss_and_gradient(const TokenBatch& batch, const std::int32_t* targets,
                                               float weight, TransformerActivations& activations,
                                               Gradients& gradients) const {
  if (activations.purpose() != Purpose::kTraining) {
    return Status::error(Code::kInvalidArgument,
                         "activations made for inference keep nothing for a backward pass");
  }
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
