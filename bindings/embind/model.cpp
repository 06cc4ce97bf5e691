#include "model.h"

#include <algorithm>

#include "model/checkpoint.h"
#include "recording.h"
#include "scheme.h"

namespace wf::binding {
namespace {

// Its positions [axes,T], or none, are the next argument.
TokenBatch one_sequence(std::span<const std::int32_t> ids, Arguments& arguments) {
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  const Positions positions = arguments.positions(batch.length);
  if (positions.data) batch.positions = positions;
  return batch;
}

Status read_stack(Arguments& arguments, LayerStack& stack) {
  stack.sliding_window = arguments.integer();
  stack.chunk_size = arguments.integer();
  stack.query_key_norm = static_cast<QueryKeyNorm>(arguments.integer());
  const int count = arguments.integer();
  if (count > kMostStackedSchemes)
    return Status::error(Code::kInvalidArgument, "scheme: %d of them; allowed are 0 to %d", count,
                         kMostStackedSchemes);
  for (int i = 0; i < count; ++i) {
    SchemeChoice choice;
    WF_RETURN_IF_ERROR(read_choice(arguments, choice.entry, choice.options));
    stack.add(choice);
  }
  return {};
}

}  // namespace

Status read_config(Arguments& arguments, ModelConfig& config) {
  config.vocab_size = arguments.integer();
  config.width = arguments.integer();
  config.num_layers = arguments.integer();
  config.num_heads = arguments.integer();
  config.num_kv_heads = arguments.integer();
  config.head_dim = arguments.integer();
  config.intermediate = arguments.integer();
  config.norm_epsilon = static_cast<float>(arguments.number());
  config.is_causal = arguments.flag();
  config.initializer_range = static_cast<float>(arguments.number());
  config.softcap = static_cast<float>(arguments.number());
  config.final_softcap = static_cast<float>(arguments.number());
  config.sinks = arguments.flag();
  WF_RETURN_IF_ERROR(config.validate_sizes());
  for (int layer = 0; layer < config.num_layers; ++layer)
    config.stack_of[layer] = static_cast<std::uint8_t>(arguments.integer());
  config.stack_count = arguments.integer();
  if (config.stack_count > kMostStacks)
    return Status::error(Code::kInvalidArgument, "layers: %d kinds; allowed are 1 to %d",
                         config.stack_count, kMostStacks);
  for (int i = 0; i < config.stack_count; ++i)
    WF_RETURN_IF_ERROR(read_stack(arguments, config.stacks[i]));
  return {};
}

Result<TransformerActivations*> ModelHandle::activations_for(int length) {
  if (!activations_ || !activations_->fits(1, length)) {
    activations_.reset();  // first, so that the two never lie in memory at once
    WF_ASSIGN_OR_RETURN(
        TransformerActivations made,
        TransformerActivations::make(model.config(), 1, length, Purpose::kInference));
    activations_.reset(new (std::nothrow) TransformerActivations(std::move(made)));
    if (!activations_) return Status::error(Code::kOutOfMemory, "out of memory: activations");
  }
  return activations_.get();
}

Status answer_with_copy(const Transformer& model, Answer& answer) {
  auto* handle = new (std::nothrow) ModelHandle;
  WF_RETURN_IF_ERROR(answer.add_new(handle));
  WF_ASSIGN_OR_RETURN(handle->model, Transformer::make(model.config(), 0));
  std::copy_n(model.values(), model.parameters().total(), handle->model.values());
  return {};
}

namespace {

// What is cut out of each layer: none of it, or the number of layers and of each its cuts as
// attention/surgery.h has them, none where nothing is cut.
class Surgeries {
 public:
  Status read(Arguments& arguments, const Transformer& model) {
    const ModelConfig& config = model.config();
    count_ = arguments.integer();
    if (count_ == 0) return {};
    layers_.reset(new (std::nothrow) Surgery[count_]);
    if (!layers_) return Status::error(Code::kOutOfMemory, "out of memory: surgery");
    for (int layer = 0; layer < count_; ++layer) {
      const auto cuts = arguments.list<std::uint8_t>();
      if (cuts.empty()) continue;
      WF_ASSIGN_OR_RETURN(layers_[layer], Surgery::make(cuts, model.layer_schemes(layer),
                                                        config.num_heads, config.head_dim));
    }
    return {};
  }
  std::span<const Surgery> list() const {
    return {layers_.get(), static_cast<std::size_t>(count_)};
  }

 private:
  std::unique_ptr<Surgery[]> layers_;
  int count_ = 0;
};

Status make(ModelHandle& handle, Arguments& arguments) {
  const std::uint64_t seed = arguments.seed();
  ModelConfig config;
  WF_RETURN_IF_ERROR(read_config(arguments, config));
  WF_ASSIGN_OR_RETURN(handle.model, Transformer::make(config, seed));
  return {};
}

// The model with the sizes and schemes of this config and of this seed what it has not itself.
Status graft(ModelHandle& donor, Arguments& arguments, Answer& answer) {
  const std::uint64_t seed = arguments.seed();
  ModelConfig config;
  WF_RETURN_IF_ERROR(read_config(arguments, config));
  auto* handle = new (std::nothrow) ModelHandle;
  WF_RETURN_IF_ERROR(answer.add_new(handle));
  WF_ASSIGN_OR_RETURN(handle->model, Transformer::graft(config, seed, donor.model));
  return {};
}

// Fills the weights from safetensors bytes.
Status load(ModelHandle& handle, Arguments& arguments, Answer&) {
  return load_model(arguments.list<std::uint8_t>(), handle.model);
}

// safetensors bytes, in f16 or f32.
Status save(ModelHandle& handle, Arguments& arguments, Answer& answer) {
  WF_ASSIGN_OR_RETURN(const Buffer<std::uint8_t> bytes,
                      save_model(handle.model, arguments.flag() ? Dtype::kF16 : Dtype::kF32));
  answer.add(std::span<const std::uint8_t>(bytes));
  return {};
}

// The number of weights, then of each stack the options of its schemes.
Status facts(ModelHandle& handle, Arguments&, Answer& answer) {
  const ModelConfig& config = handle.model.config();
  answer.add(static_cast<double>(handle.model.parameters().total()));
  for (int i = 0; i < config.stack_count; ++i)
    for (const SchemeChoice& choice : config.stacks[i].list())
      add_options(*choice.entry->description, choice.options, answer);
  return {};
}

// Runs the model with a recorder in each of these layers, or in all where none is named, and adds
// their number and what they recorded.
Status run_recorded(const Transformer& model, const TokenBatch& batch,
                    std::span<const std::int32_t> layers, const RecordRequest& request,
                    std::span<const Surgery> surgeries, TransformerActivations& activations,
                    Answer& answer) {
  const ModelConfig& config = model.config();
  const auto layer_at = [&](int slot) { return layers.empty() ? slot : layers[slot]; };
  const int count = layers.empty() ? config.num_layers : static_cast<int>(layers.size());
  std::unique_ptr<Recorder[]> recorders(new (std::nothrow) Recorder[count]);
  Buffer<Recorder*> of_layers;
  WF_RETURN_IF_ERROR(of_layers.reserve(config.num_layers));
  if (!recorders) return Status::error(Code::kOutOfMemory, "out of memory: recorders");
  for (int slot = 0; slot < count; ++slot) {
    const int layer = layer_at(slot);
    if (layer < 0 || layer >= config.num_layers)
      return Status::error(Code::kInvalidArgument, "region.layers: %d; allowed is 0 to %d", layer,
                           config.num_layers - 1);
    WF_ASSIGN_OR_RETURN(recorders[slot],
                        request.recorder(model.layer_schemes(layer), config.num_heads,
                                         config.head_dim, batch.length, batch.length));
    of_layers[layer] = &recorders[slot];
    if (recorders[slot].pairs() != recorders[0].pairs())
      return Status::error(
          Code::kUnsupported,
          "record: layers %d and %d turn %d and %d pairs of channels; record \"pairs\" "
          "of layers that are alike",
          layer_at(0), layer, recorders[0].pairs(), recorders[slot].pairs());
  }
  WF_RETURN_IF_ERROR(model.forward(batch, activations, of_layers, surgeries));
  answer.add(count);
  for (int slot = 0; slot < count; ++slot) {
    add_record(recorders[slot], answer);
    recorders[slot] = Recorder();  // so that no more than one lies in memory twice
  }
  return {};
}

// Ids; positions [axes,T] or none; surgeries; layers to record and what of them; whether the logits
// of the vocabulary and whether the last hidden states are wanted. Those two, then the records.
Status run(ModelHandle& handle, Arguments& arguments, Answer& answer) {
  const Transformer& model = handle.model;
  const ModelConfig& config = model.config();
  const std::span<const std::int32_t> ids = arguments.integers();
  const TokenBatch batch = one_sequence(ids, arguments);
  Surgeries surgeries;
  WF_RETURN_IF_ERROR(surgeries.read(arguments, model));
  const std::span<const std::int32_t> layers = arguments.integers();
  const RecordRequest request(arguments);
  const bool wants_logits = arguments.flag(), wants_hidden = arguments.flag();

  WF_ASSIGN_OR_RETURN(TransformerActivations * activations, handle.activations_for(batch.length));
  if (request.wanted()) {
    WF_RETURN_IF_ERROR(
        run_recorded(model, batch, layers, request, surgeries.list(), *activations, answer));
  } else {
    WF_RETURN_IF_ERROR(model.forward(batch, *activations, {}, surgeries.list()));
  }
  if (wants_logits) {
    WF_ASSIGN_OR_RETURN(float* logits, answer.floats({1.0 * ids.size(), 1.0 * config.vocab_size}));
    model.head(*activations, 0, batch.length, logits);
  }
  if (wants_hidden)
    answer.add(std::span<const float>(activations->final_in(), ids.size() * config.width));
  return {};
}

// Ids; positions [axes,T-1] or none; surgeries. { mean, perToken }: nats of predicting each id from
// those before it.
Status loss(ModelHandle& handle, Arguments& arguments, Answer& answer) {
  const std::span<const std::int32_t> ids = arguments.integers();
  if (ids.size() < 2)
    return Status::error(Code::kInvalidArgument, "ids: %zu of them; allowed are 2 or more",
                         ids.size());
  const TokenBatch batch = one_sequence(ids.first(ids.size() - 1), arguments);
  Surgeries surgeries;
  WF_RETURN_IF_ERROR(surgeries.read(arguments, handle.model));
  WF_ASSIGN_OR_RETURN(TransformerActivations * activations, handle.activations_for(batch.length));
  WF_ASSIGN_OR_RETURN(const LossSum sum,
                      handle.model.loss(batch, ids.data() + 1, *activations, surgeries.list()));
  answer.add(sum.mean());
  answer.add(std::span<const float>(activations->row_losses(), ids.size() - 1));
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(model) {
  using namespace wf::binding;
  bind<&make>("makeModel");
  bind<&graft>("graftModel");
  bind<&load>("load");
  bind<&save>("save");
  bind<&facts>("modelFacts");
  bind<&run>("runModel");
  bind<&loss>("loss");
}
