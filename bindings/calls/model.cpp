#include "calls/model.h"

#include <algorithm>

#include "model/checkpoint.h"

namespace wf::calls {
namespace {

Status check(WeightType type) {
  return check_range("dtype", static_cast<double>(type), 0, kWordsOf<WeightType>.size() - 1.0);
}

}  // namespace

Result<std::unique_ptr<Model>> Model::make(const ModelLayout& layout, double seed,
                                           WeightType type) {
  WF_RETURN_IF_ERROR(check(type));
  WF_ASSIGN_OR_RETURN(const std::uint64_t checked_seed, seed_of(seed));
  WF_ASSIGN_OR_RETURN(Transformer made, Transformer::make(layout.config(), checked_seed, type));
  auto model = std::make_unique<Model>();
  model->transformer_ = std::make_shared<Transformer>(std::move(made));
  return model;
}

Result<std::unique_ptr<Model>> Model::blank(const ModelLayout& layout, WeightType type,
                                            const Model* embedding_owner) {
  WF_RETURN_IF_ERROR(check(type));
  WF_ASSIGN_OR_RETURN(
      Transformer made,
      Transformer::blank(layout.config(), type,
                         embedding_owner ? embedding_owner->transformer_ : nullptr));
  auto model = std::make_unique<Model>();
  model->transformer_ = std::make_shared<Transformer>(std::move(made));
  return model;
}

Result<std::unique_ptr<Model>> Model::reconfigured(const ModelLayout& layout, double seed) const {
  WF_ASSIGN_OR_RETURN(const std::uint64_t checked_seed, seed_of(seed));
  WF_ASSIGN_OR_RETURN(Transformer made,
                      Transformer::reconfigured(layout.config(), checked_seed, *transformer_));
  auto model = std::make_unique<Model>();
  model->transformer_ = std::make_shared<Transformer>(std::move(made));
  return model;
}

Result<std::unique_ptr<Model>> Model::copy_of(const Transformer& transformer) {
  WF_RETURN_IF_ERROR(transformer.require_floats("a copy"));
  WF_ASSIGN_OR_RETURN(Transformer made, Transformer::blank(transformer.config(), WeightType::kF32,
                                                           transformer.embedding_owner()));
  std::copy_n(transformer.values(), transformer.parameters().total(), made.values());
  auto model = std::make_unique<Model>();
  model->transformer_ = std::make_shared<Transformer>(std::move(made));
  return model;
}

Result<std::unique_ptr<Bytes>> Model::save(bool in_f16) const {
  WF_ASSIGN_OR_RETURN(Buffer<std::uint8_t> bytes,
                      save_model(*transformer_, in_f16 ? Dtype::kF16 : Dtype::kF32));
  return std::make_unique<Bytes>(std::move(bytes));
}

int Model::head_width(int layer) const {
  const ModelConfig& config = transformer_->config();
  if (layer < 0 || layer >= config.num_layers) return 0;
  return config.attended_width(layer) / config.num_heads;
}

List Model::option(int layer_type, int scheme, int index) const {
  const ModelConfig& config = transformer_->config();
  if (layer_type < 0 || layer_type >= config.layer_type_count) return {};
  if (scheme < 0 || scheme >= config.layer_types[layer_type].scheme_count) return {};
  const SchemeChoice& choice = config.layer_types[layer_type].schemes[scheme];
  return numbers_of(*choice.entry->description, choice.options, index);
}

Result<TransformerActivations*> Model::activations_for(int length, Arithmetic arithmetic) {
  run_length_ = 0;
  if (!activations_ || arithmetic != arithmetic_ || !activations_->fits(1, length)) {
    // Before allocating, so that the old and the new are never in memory at the same time.
    activations_.reset();
    WF_ASSIGN_OR_RETURN(
        TransformerActivations made,
        TransformerActivations::make(transformer_->config(), 1, length, Purpose::kInference));
    WF_RETURN_IF_ERROR(transformer_->use(arithmetic, made));
    activations_ = std::make_unique<TransformerActivations>(std::move(made));
    arithmetic_ = arithmetic;
  }
  return activations_.get();
}

Result<TokenBatch> batch_of(Reader& reader, std::span<const std::int32_t> ids, const Sequence& text,
                            int width) {
  const auto& [embedding_positions, visible] = text.padding;
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  if (text.vectors.length) {
    if (!ids.empty()) return WF_UNEXPECTED("ids", "%d", "none beside vectors", batch.length);
    batch.length = text.vectors.length / width;
    batch.vectors = reader.floats("vectors", text.vectors, {1.0 * batch.length, 1.0 * width});
    reader.forbid_not_finite(text.vectors);
  }
  if (text.positions.length)
    batch.positions = reader.positions("positions", text.positions, batch.length);
  if (embedding_positions.length)
    batch.embedding_positions = reader.positions("positions", embedding_positions, batch.length);
  if (visible.length)
    batch.visible =
        reader.array<const std::uint8_t>("attentionMask", visible, {1.0 * batch.length});
  WF_RETURN_IF_ERROR(reader.status());
  return batch;
}

Result<std::span<const Surgery>> Model::surgeries_of(const ModelSurgery* surgery) const {
  if (!surgery) return std::span<const Surgery>();
  return surgery->of(*transformer_);
}

Result<PassStates> Model::states_of(const ModelSurgery* surgery) const {
  if (!surgery) return PassStates();
  return surgery->states_of(*transformer_);
}

Result<StateRecord> Model::state_record(Reader& reader, const RecordRequest& record,
                                        std::span<const std::int32_t> layers, int length,
                                        const StateRequest& states) const {
  const ModelConfig& config = transformer_->config();
  StateRecord made;
  if (!states.stream.length && !states.outputs.length) return made;
  WF_ASSIGN_OR_RETURN(
      const Region region,
      region_of(reader, record, {config.num_heads, config.head_dim, length, length}));
  made.rows = region.rows;
  made.layers = layers;
  made.heads = region.heads;
  const double rows = region.rows.empty() ? 1.0 * length : 1.0 * region.rows.size();
  if (states.stream.length)
    made.stream = reader.result<float>("residual", states.stream,
                                       {config.num_layers + 1.0, rows, 1.0 * config.width});
  if (!states.outputs.length) return made;
  int min = 0;
  for (const std::int32_t layer : layers) {
    WF_RETURN_IF_ERROR(check_range("region.layers", layer, min, config.num_layers - 1.0));
    min = layer + 1;
  }
  const int count = layers.empty() ? config.num_layers : static_cast<int>(layers.size());
  const auto width = [&](int slot) { return head_width(layers.empty() ? slot : layers[slot]); };
  for (int slot = 1; slot < count; ++slot)
    if (width(slot) != width(0))
      return Status::error(Code::kUnsupported,
                           "record: \"headOutputs\" needs layers whose heads are equally wide");
  const double heads = region.heads.empty() ? 1.0 * config.num_heads : 1.0 * region.heads.size();
  made.outputs = reader.result<float>("headOutputs", states.outputs,
                                      {1.0 * count, heads, rows, 1.0 * width(0)});
  return made;
}

Status Model::run(const Workspace& workspace, const Sequence& text, const ModelSurgery* surgery,
                  List layers, const RecordRequest& record, const Beside& beside,
                  const StateRequest& states) {
  run_length_ = 0;
  recorders_.clear();
  WF_ASSIGN_OR_RETURN(const std::span<const Surgery> surgeries, surgeries_of(surgery));
  WF_ASSIGN_OR_RETURN(PassStates changed, states_of(surgery));
  Reader reader(workspace);
  const auto ids = reader.integers("ids", text.ids);
  const auto recorded = reader.integers("region.layers", layers);
  WF_ASSIGN_OR_RETURN(TokenBatch batch, batch_of(reader, ids, text, transformer_->config().width));
  if (beside.memory) batch.memory = beside.memory->shared().get();
  WF_ASSIGN_OR_RETURN(TransformerActivations * activations, activations_for(batch.length));
  WF_ASSIGN_OR_RETURN(changed.record, state_record(reader, record, recorded, batch.length, states));
  WF_RETURN_IF_ERROR(reader.status());
  std::span<Recorder* const> recorders;
  if (record.kinds) {
    WF_RETURN_IF_ERROR(
        recorders_.make(workspace, *transformer_, record, beside, recorded, batch.length));
    recorders = recorders_.of_layers();
  }
  const Status status = transformer_->forward(batch, *activations, recorders, surgeries, changed);
  if (status.ok()) {
    run_length_ = batch.length;
  } else {
    recorders_.clear();
  }
  return status;
}

Result<std::span<const std::int32_t>> Model::read_rows(Reader& reader, List rows) const {
  const auto list = reader.integers("region.rows", rows);
  for (const std::int32_t row : list)
    reader.refuse(check_range("region.rows", row, 0, run_length_ - 1.0));
  WF_RETURN_IF_ERROR(reader.status());
  return list;
}

void Model::copy_hidden(std::span<const std::int32_t> rows, float* result) const {
  const int e = transformer_->config().width;
  const float* states = activations_->final_in();
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(states + elements_of(rows[i], e), e, result + elements_of(i, e));
}

Status Model::read_logits(const Workspace& workspace, List rows, List result) {
  const ModelConfig& config = transformer_->config();
  Reader reader(workspace);
  WF_ASSIGN_OR_RETURN(const auto list, read_rows(reader, rows));
  const int count = list.empty() ? run_length_ : static_cast<int>(list.size());
  float* logits = reader.result<float>("out", result, {1.0 * count, 1.0 * config.vocab_size});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(transformer_->check_head());
  if (list.empty()) {
    transformer_->head(*activations_, 0, count, logits);
    return {};
  }
  WF_ASSIGN_OR_RETURN(Buffer<float> chosen, Buffer<float>::make(elements_of(count, config.width)));
  copy_hidden(list, chosen.data());
  transformer_->head_of(chosen.data(), count, *activations_, logits);
  return {};
}

Status Model::read_hidden(const Workspace& workspace, List rows, List result) {
  Reader reader(workspace);
  WF_ASSIGN_OR_RETURN(const auto list, read_rows(reader, rows));
  const double count = list.empty() ? 1.0 * run_length_ : 1.0 * list.size();
  float* hidden = reader.result<float>("out", result, {count, 1.0 * transformer_->config().width});
  WF_RETURN_IF_ERROR(reader.status());
  if (list.empty())
    std::copy_n(activations_->final_in(), result.length, hidden);
  else
    copy_hidden(list, hidden);
  return {};
}

Status Model::lens(const Workspace& workspace, List stream, List result) {
  const ModelConfig& config = transformer_->config();
  Reader reader(workspace);
  const int rows = stream.length / config.width;
  const float* states = reader.floats("residual", stream, {1.0 * rows, 1.0 * config.width});
  reader.forbid_not_finite(stream);
  float* logits = reader.result<float>("out", result, {1.0 * rows, 1.0 * config.vocab_size});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(transformer_->check_head());
  // Only their scratch memory is used, which holds kHeadRows rows at most.
  WF_ASSIGN_OR_RETURN(TransformerActivations * activations,
                      activations_for(std::min(rows, kHeadRows)));
  WF_ASSIGN_OR_RETURN(Buffer<float> final_in,
                      Buffer<float>::make(elements_of(rows, config.width + 1)));
  transformer_->normalise_stream(states, rows, final_in.data(),
                                 final_in.data() + elements_of(rows, config.width));
  transformer_->head_of(final_in.data(), rows, *activations, logits);
  return {};
}

Result<Loss> Model::loss(const Workspace& workspace, const Sequence& text,
                         const ModelSurgery* surgery, List result, const Memory* memory,
                         bool is_exact) {
  WF_ASSIGN_OR_RETURN(const std::span<const Surgery> surgeries, surgeries_of(surgery));
  WF_ASSIGN_OR_RETURN(const PassStates changed, states_of(surgery));
  Reader reader(workspace);
  const auto ids = reader.integers("ids", text.ids);
  WF_RETURN_IF_ERROR(reader.status());
  if (ids.size() < 2) return WF_UNEXPECTED("ids", "%d token ids", "2 or more", text.ids.length);
  WF_ASSIGN_OR_RETURN(TokenBatch batch, batch_of(reader, ids.first(ids.size() - 1), text,
                                                 transformer_->config().width));
  if (memory) batch.memory = memory->shared().get();
  float* rows = reader.result<float>("out", result, {1.0 * batch.length});
  WF_RETURN_IF_ERROR(reader.status());
  // As a target, an id of -1 would be ignored.
  WF_RETURN_IF_ERROR(check_range("ids", ids.back(), 0, transformer_->config().vocab_size - 1.0));
  WF_ASSIGN_OR_RETURN(
      TransformerActivations * activations,
      activations_for(batch.length, is_exact ? Arithmetic::kExact : Arithmetic::kQuick));
  WF_ASSIGN_OR_RETURN(const LossSum sum,
                      transformer_->loss(batch, ids.data() + 1, *activations, surgeries, changed));
  std::copy_n(activations->row_losses(), batch.length, rows);
  return Loss{.mean = sum.mean()};
}

}  // namespace wf::calls
