#include "model.h"

#include <algorithm>

#include "model/checkpoint.h"
#include "scheme.h"

namespace wf::binding {
namespace {

TokenBatch one_sequence(const std::int32_t* ids, int length) {
  TokenBatch batch;
  batch.ids = ids;
  batch.length = length;
  return batch;
}

Status check_positions(const Buffer<std::int32_t>& ids, const Buffer<std::int32_t>& positions) {
  if (ids.size() != 0 && positions.size() % ids.size() == 0) return {};
  return Status::error(Code::kInvalidArgument,
                       "positions: %zu of them; expected is one an axis for each of %zu ids",
                       positions.size(), ids.size());
}

Result<LayerStack> stack_from(const val& arguments) {
  LayerStack stack;
  stack.sliding_window = arguments["slidingWindow"].as<int>();
  stack.chunk_size = arguments["chunkSize"].as<int>();
  stack.query_key_norm = static_cast<QueryKeyNorm>(arguments["queryKeyNorm"].as<int>());
  const val ids = arguments["schemeIds"];
  const int count = ids["length"].as<int>();
  if (count > kMostStackedSchemes)
    return Status::error(Code::kInvalidArgument, "scheme: %d of them; allowed are 0 to %d", count,
                         kMostStackedSchemes);
  for (int i = 0; i < count; ++i) {
    const auto id = ids[i].as<std::string>();
    WF_ASSIGN_OR_RETURN(const SchemeEntry* entry, find_scheme(id.c_str()));
    WF_ASSIGN_OR_RETURN(const OptionValues options,
                        options_from(*entry->description, arguments["optionKeys"][i],
                                     arguments["optionValues"][i]));
    stack.add({entry, options});
  }
  return stack;
}

}  // namespace

Result<ModelConfig> config_from(const ModelArguments& arguments) {
  ModelConfig config;
  config.vocab_size = arguments.vocab_size;
  config.width = arguments.hidden_size;
  config.num_layers = arguments.num_layers;
  config.num_heads = arguments.num_heads;
  config.num_kv_heads = arguments.num_kv_heads;
  config.head_dim = arguments.head_dim;
  config.intermediate = arguments.intermediate_size;
  config.norm_epsilon = arguments.rms_norm_eps;
  config.is_causal = arguments.is_causal;
  config.initializer_range = arguments.initializer_range;
  config.softcap = arguments.softcap;
  config.final_softcap = arguments.final_softcap;
  config.sinks = arguments.sinks;
  WF_RETURN_IF_ERROR(config.validate_sizes());
  config.stack_count = arguments.stacks["length"].as<int>();
  if (config.stack_count > kMostStacks)
    return Status::error(Code::kInvalidArgument, "layers: %d kinds; allowed are 1 to %d",
                         config.stack_count, kMostStacks);
  for (int i = 0; i < config.stack_count; ++i) {
    WF_ASSIGN_OR_RETURN(config.stacks[i], stack_from(arguments.stacks[i]));
  }
  for (int layer = 0; layer < config.num_layers; ++layer)
    config.stack_of[layer] = static_cast<std::uint8_t>(arguments.stack_of[layer].as<int>());
  return config;
}

Result<std::unique_ptr<ModelHandle>> ModelHandle::make(ModelArguments arguments) {
  WF_ASSIGN_OR_RETURN(const ModelConfig config, config_from(arguments));
  WF_ASSIGN_OR_RETURN(Transformer model,
                      Transformer::make(config, static_cast<std::uint64_t>(arguments.seed)));
  return new_handle<ModelHandle>(std::move(model));
}

Status ModelHandle::load(val bytes) {
  WF_ASSIGN_OR_RETURN(const Buffer<std::uint8_t> copied, bytes_from(bytes));
  return load_model({copied.data(), copied.size()}, *model_);
}

Result<val> ModelHandle::save(bool half) const {
  WF_ASSIGN_OR_RETURN(const Buffer<std::uint8_t> bytes,
                      save_model(*model_, half ? Dtype::kF16 : Dtype::kF32));
  return uint8_array(bytes.data(), bytes.size());
}

val ModelHandle::schemes() const {
  const ModelConfig& config = model_->config();
  val stacks = val::array();
  for (int i = 0; i < config.stack_count; ++i) {
    val list = val::array();
    for (const SchemeChoice& choice : config.stacks[i].list()) {
      val item = val::object();
      item.set("id", std::string(choice.entry->description->id));
      item.set("options", options_object(*choice.entry->description, choice.options));
      list.call<void>("push", item);
    }
    stacks.call<void>("push", list);
  }
  return stacks;
}

Result<TransformerActivations*> ModelHandle::activations_for(int length) {
  if (!activations_ || !activations_->fits(1, length)) {
    activations_.reset();  // first, so that the two never lie in memory at once
    WF_ASSIGN_OR_RETURN(TransformerActivations made,
                        TransformerActivations::make(model_->config(), 1, length,
                                                     Purpose::kInference));
    WF_ASSIGN_OR_RETURN(activations_, new_handle<TransformerActivations>(std::move(made)));
  }
  return activations_.get();
}

Status ModelHandle::record_layers(const RunArguments& arguments, const TokenBatch& batch,
                                  TransformerActivations& activations, val& result) const {
  const ModelConfig& config = model_->config();
  WF_ASSIGN_OR_RETURN(const RecordPlan plan, RecordPlan::make(arguments.record));
  if (!plan.wanted()) return model_->forward(batch, activations);

  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> layers, integers_from(arguments.layers));
  const auto layer_at = [&](int slot) { return layers.size() ? layers[slot] : slot; };
  const int count = layers.size() ? static_cast<int>(layers.size()) : config.num_layers;
  std::unique_ptr<Recorder[]> recorders(new (std::nothrow) Recorder[count]);
  WF_ASSIGN_OR_RETURN(Buffer<Recorder*> of_layers, Buffer<Recorder*>::make(config.num_layers));
  if (!recorders) return Status::error(Code::kOutOfMemory, "out of memory: recorders");
  for (int slot = 0; slot < count; ++slot) {
    const int layer = layer_at(slot);
    if (layer < 0 || layer >= config.num_layers)
      return Status::error(Code::kInvalidArgument, "region.layers: %d; allowed is 0 to %d", layer,
                           config.num_layers - 1);
    WF_ASSIGN_OR_RETURN(recorders[slot],
                        plan.recorder(model_->layer_schemes(layer), config.num_heads,
                                      config.head_dim, batch.length, batch.length));
    of_layers[layer] = &recorders[slot];
    if (recorders[slot].pairs() != recorders[0].pairs())
      return Status::error(Code::kUnsupported,
                           "record: layers %d and %d turn %d and %d pairs of channels; record \"pairs\" "
                           "of layers that are alike",
                           layer_at(0), layer, recorders[0].pairs(), recorders[slot].pairs());
  }
  WF_RETURN_IF_ERROR(model_->forward(batch, activations, {of_layers.data(), of_layers.size()}));
  add_records({recorders.get(), static_cast<std::size_t>(count)}, result);
  return {};
}

Result<val> ModelHandle::run(RunArguments arguments) {
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> ids, integers_from(arguments.ids));
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> positions, integers_from(arguments.positions));
  WF_RETURN_IF_ERROR(check_positions(ids, positions));
  TokenBatch batch = one_sequence(ids.data(), static_cast<int>(ids.size()));
  if (positions.size()) batch.positions = positions_of(positions, batch.length);
  WF_ASSIGN_OR_RETURN(TransformerActivations * activations, activations_for(batch.length));
  val result = val::object();
  WF_RETURN_IF_ERROR(record_layers(arguments, batch, *activations, result));

  const ModelConfig& config = model_->config();
  if (arguments.hidden) {
    const std::size_t count = ids.size() * config.width;
    result.set("hidden", float32_array(activations->final_in(), count));
  }
  if (arguments.vocabulary_logits) {
    WF_ASSIGN_OR_RETURN(const std::size_t count,
                        count_of({1.0 * ids.size(), 1.0 * config.vocab_size}));
    WF_ASSIGN_OR_RETURN(Buffer<float> logits, Buffer<float>::make(count));
    model_->head(*activations, 0, batch.length, logits.data());
    result.set("vocabularyLogits", float32_array(logits.data(), logits.size()));
  }
  return result;
}

Result<val> ModelHandle::loss(val ids_in) {
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> ids, integers_from(ids_in));
  if (ids.size() < 2)
    return Status::error(Code::kInvalidArgument, "ids: %zu of them; allowed are 2 or more",
                         ids.size());
  const int length = static_cast<int>(ids.size()) - 1;
  const TokenBatch batch = one_sequence(ids.data(), length);
  WF_ASSIGN_OR_RETURN(TransformerActivations * activations, activations_for(length));
  WF_ASSIGN_OR_RETURN(const LossSum sum, model_->loss(batch, ids.data() + 1, *activations));
  val result = val::object();
  result.set("mean", sum.mean());
  result.set("perToken", float32_array(activations->row_losses(), ids.size() - 1));
  return result;
}

Result<std::unique_ptr<ModelHandle>> copy_of(const Transformer& model) {
  WF_ASSIGN_OR_RETURN(Transformer copy, Transformer::make(model.config(), 0));
  std::copy_n(model.values(), model.parameters().total(), copy.values());
  return new_handle<ModelHandle>(std::move(copy));
}

}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(model) {
  using namespace wf::binding;
  using emscripten::return_value_policy::take_ownership;
  emscripten::value_object<ModelArguments>("ModelArguments")
      .field("vocabSize", &ModelArguments::vocab_size)
      .field("hiddenSize", &ModelArguments::hidden_size)
      .field("numLayers", &ModelArguments::num_layers)
      .field("numHeads", &ModelArguments::num_heads)
      .field("numKvHeads", &ModelArguments::num_kv_heads)
      .field("headDim", &ModelArguments::head_dim)
      .field("intermediateSize", &ModelArguments::intermediate_size)
      .field("rmsNormEps", &ModelArguments::rms_norm_eps)
      .field("isCausal", &ModelArguments::is_causal)
      .field("initializerRange", &ModelArguments::initializer_range)
      .field("softcap", &ModelArguments::softcap)
      .field("finalSoftcap", &ModelArguments::final_softcap)
      .field("sinks", &ModelArguments::sinks)
      .field("seed", &ModelArguments::seed)
      .field("stacks", &ModelArguments::stacks)
      .field("stackOf", &ModelArguments::stack_of);
  emscripten::value_object<RunArguments>("RunArguments")
      .field("ids", &RunArguments::ids)
      .field("positions", &RunArguments::positions)
      .field("layers", &RunArguments::layers)
      .field("record", &RunArguments::record)
      .field("vocabularyLogits", &RunArguments::vocabulary_logits)
      .field("hidden", &RunArguments::hidden);
  emscripten::class_<ModelHandle>("Model")
      .class_function("make", guarded<&ModelHandle::make>, take_ownership())
      .function("load", guarded<&ModelHandle::load>)
      .function("save", guarded<&ModelHandle::save>)
      .function("parameterCount", &ModelHandle::parameter_count)
      .function("schemes", &ModelHandle::schemes)
      .function("run", guarded<&ModelHandle::run>)
      .function("loss", guarded<&ModelHandle::loss>);
}
