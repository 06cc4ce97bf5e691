// A transformer as JavaScript holds it.
#pragma once

#include "guard.h"
#include "model/transformer.h"
#include "recording.h"

namespace wf::binding {

// Sizes of a model, and its stacks: a list of { schemeIds, optionKeys, optionValues, slidingWindow,
// chunkSize, queryKeyNorm } with three parallel lists (ids, and for each a list of option keys and one of values),
// and for each layer the index of its own.
struct ModelArguments {
  int vocab_size = 0;
  int hidden_size = 0;
  int num_layers = 0;
  int num_heads = 0;
  int num_kv_heads = 0;
  int head_dim = 0;
  int intermediate_size = 0;
  float rms_norm_eps = 1e-5f;
  bool is_causal = true;
  float initializer_range = 0.02f;
  float softcap = 0;
  float final_softcap = 0;
  bool sinks = false;
  double seed = 0;
  val stacks = val::undefined();
  val stack_of = val::undefined();
};

Result<ModelConfig> config_from(const ModelArguments& arguments);

struct RunArguments {
  val ids = val::undefined();        // Int32Array [T]
  val positions = val::undefined();  // Int32Array [axes,T], or empty
  val layers = val::undefined();     // Int32Array of the layers to record; empty means all
  RecordRequest record;
  bool vocabulary_logits = false;
  bool hidden = false;
};

class ModelHandle {
 public:
  explicit ModelHandle(Transformer model)
      : model_(std::make_shared<Transformer>(std::move(model))) {}

  static Result<std::unique_ptr<ModelHandle>> make(ModelArguments arguments);

  // Fills the weights from safetensors bytes (Uint8Array).
  Status load(val bytes);
  // safetensors bytes, in f16 or f32.
  Result<val> save(bool half) const;

  double parameter_count() const { return static_cast<double>(model_->parameters().total()); }
  // For each stack [{ id, options }], every option with its value.
  val schemes() const;

  Result<val> run(RunArguments arguments);
  // { mean, perToken }: nats of predicting each id from those before it.
  Result<val> loss(val ids);

  // A generation under way keeps the weights alive.
  std::shared_ptr<const Transformer> model() const { return model_; }

 private:
  Result<TransformerActivations*> activations_for(int length);
  Status record_layers(const RunArguments& arguments, const TokenBatch& batch,
                       TransformerActivations& activations, val& result) const;

  std::shared_ptr<Transformer> model_;
  std::unique_ptr<TransformerActivations> activations_;
};

// The same sizes and weights, in memory of its own.
Result<std::unique_ptr<ModelHandle>> copy_of(const Transformer& model);

}  // namespace wf::binding
