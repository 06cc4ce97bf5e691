// A transformer: its weights, the results of a run, and the texts that it generates.
#pragma once

#include <memory>

#include "calls/bytes.h"
#include "calls/memory.h"
#include "calls/model_layout.h"
#include "calls/model_surgery.h"
#include "calls/recorders.h"
#include "model/transformer.h"

namespace wf::calls {

// Properties of the padding in a sequence. Missing lists are empty.
struct Padding {
  List embedding_positions;  // int32 [axes,T], if token vectors use other positions
  List visible;  // bytes [T], 0 for tokens hidden from the others
};

// A sequence of tokens: ids (int32 [T]) and positions (int32 [axes,T]), or none. For a run, vectors
// (floats [T,E]) may take the place of the ids' rows of the embedding table.
struct Sequence {
  List ids, positions;
  Padding padding = {};
  List vectors = {};
};

// The tokens of a text, in the block, for a model of this width. Errors: kInvalidArgument.
Result<TokenBatch> batch_of(Reader& reader, std::span<const std::int32_t> ids, const Sequence& text,
                            int width);

// Memory for states of a run, over the rows (and for outputs the layers and heads) of its record;
// an empty list: not recorded.
struct StateRequest {
  List stream;  // floats [layers + 1, rows, E]
  List outputs;  // floats [layers, heads, rows, Dv]
};

struct Loss {
  Code code = Code::kOk;
  double mean = 0;  // nats per token
};

class Model {
 public:
  // Errors: kInvalidArgument for a layout that is not consistent; kOutOfMemory.
  static Result<std::unique_ptr<Model>> make(const ModelLayout& layout, double seed,
                                             WeightType type = WeightType::kF32);
  // A model of zeros, to be loaded from a checkpoint. `embedding_owner`: the model whose embedding
  // it uses, or null.
  static Result<std::unique_ptr<Model>> blank(const ModelLayout& layout,
                                              WeightType type = WeightType::kF32,
                                              const Model* embedding_owner = nullptr);
  // This model with another layout; parameters of schemes that it does not have get initial values
  // from the seed. Errors: also kUnsupported if projections would get initial values.
  Result<std::unique_ptr<Model>> reconfigured(const ModelLayout& layout, double seed) const;
  // A model with the same sizes and weights, in separate memory.
  static Result<std::unique_ptr<Model>> copy_of(const Transformer& transformer);

  // As safetensors, in f16 or f32. Errors: kOutOfMemory.
  Result<std::unique_ptr<Bytes>> save(bool in_f16) const;

  double parameter_count() const { return transformer_->parameters().parameter_count(); }
  WeightType weight_type() const { return transformer_->weight_type(); }
  double weight_bytes() const { return static_cast<double>(transformer_->weight_bytes()); }
  // Dv: numbers in the output of each head of a layer; 0 for an index out of range.
  int head_width(int layer) const;
  // The numbers (doubles) of an option of a scheme of a layer type; empty for indices out of range.
  List option(int layer_type, int scheme, int index) const;

  // Runs the model on a text. `surgery` may be null. `layers` (int32): the layers to which `record`
  // applies; empty means all. The results can be read with the methods below until the next call.
  // Errors: kInvalidArgument, kUnsupported, kOutOfMemory.
  Status run(const Workspace& workspace, const Sequence& text, const ModelSurgery* surgery,
             List layers, const RecordRequest& record, const Beside& beside = {},
             const StateRequest& states = {});
  int record_count() const { return recorders_.count(); }
  // Takes a record of the last run; null if there is none or it was taken already.
  std::unique_ptr<Record> take_record(int slot) { return recorders_.take(slot); }
  // Logits [rows,V], and last hidden states [rows,E], of the last run. `rows` (int32): indices of
  // tokens; empty means all.
  Status read_logits(const Workspace& workspace, List rows, List result);
  Status read_hidden(const Workspace& workspace, List rows, List result);
  // Logits [rows,V] of rows [rows,E] of the stream after any layer. Forgets the last run.
  Status lens(const Workspace& workspace, List stream, List result);

  // Nats of predicting each of T + 1 ids from those before it; result [T]. Positions are those of
  // the first T. With `is_exact` false, computes as a generation does. Errors: as `run`.
  Result<Loss> loss(const Workspace& workspace, const Sequence& text, const ModelSurgery* surgery,
                    List result, const Memory* memory = nullptr, bool is_exact = true);

  // Frees the activations and results of the last run.
  void forget() {
    run_length_ = 0;
    activations_.reset();
  }

  // Shared with generations, which keep it alive.
  const std::shared_ptr<Transformer>& transformer() const { return transformer_; }

 private:
  // Activations for sequences of this length; reuses the last ones if they are large enough.
  // Errors: kOutOfMemory.
  Result<TransformerActivations*> activations_for(int length,
                                                  Arithmetic arithmetic = Arithmetic::kExact);
  // Empty without a surgery. Errors: kInvalidArgument for a surgery of another model.
  Result<std::span<const Surgery>> surgeries_of(const ModelSurgery* surgery) const;
  Result<PassStates> states_of(const ModelSurgery* surgery) const;
  // The states to record. Errors: kInvalidArgument, kUnsupported.
  Result<StateRecord> state_record(Reader& reader, const RecordRequest& record,
                                   std::span<const std::int32_t> layers, int length,
                                   const StateRequest& states) const;
  // Copies rows of the last run's states [T,E] to `result` [rows,E].
  void copy_hidden(std::span<const std::int32_t> rows, float* result) const;
  // The rows to read. Errors: kInvalidArgument.
  Result<std::span<const std::int32_t>> read_rows(Reader& reader, List rows) const;

  std::shared_ptr<Transformer> transformer_;
  std::unique_ptr<TransformerActivations> activations_;
  Arithmetic arithmetic_ = Arithmetic::kExact;  // the arithmetic of the activations
  int run_length_ = 0;  // tokens whose final states are in the activations
  Recorders recorders_;
};

}  // namespace wf::calls
