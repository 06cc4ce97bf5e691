// A transformer: its weights, what a run leaves to be read, and texts that it generates.
#pragma once

#include <memory>

#include "calls/bytes.h"
#include "calls/memory.h"
#include "calls/model_layout.h"
#include "calls/model_surgery.h"
#include "calls/record.h"
#include "model/transformer.h"

namespace wf::calls {

// How padding in a sequence is read. Absent lists are empty.
struct Padding {
  List embedding_positions;  // int32 [axes,T], where token vectors count positions otherwise
  List visible;              // bytes [T], 0 for tokens that no other sees
};

// A sequence of tokens: ids (int32 [T]) and positions (int32 [axes,T]), or none.
struct Sequence {
  List ids, positions;
  Padding padding = {};
};

// What a model reads beside its own sequence, or null; and what is recorded of that.
struct Beside {
  const Memory* memory = nullptr;
  RecordRequest record;
};

struct Loss {
  Code code = Code::kOk;
  double mean = 0;  // nats of a token
};

class Model {
 public:
  // Errors: kInvalidArgument for a layout that does not fit together; kOutOfMemory.
  // `weights`: WeightType's number.
  static Result<std::unique_ptr<Model>> make(const ModelLayout& layout, double seed,
                                             int weights = 0);
  // A model of zeros, which a checkpoint fills. `embedding_owner`: whose embedding it uses, or
  // null.
  static Result<std::unique_ptr<Model>> blank(const ModelLayout& layout, int weights = 0,
                                              const Model* embedding_owner = nullptr);
  // This model under other schemes, which begin anew from the seed where they train something else.
  // Errors: also kUnsupported where projections would begin anew.
  Result<std::unique_ptr<Model>> reconfigured(const ModelLayout& layout, double seed) const;
  // A model of equal sizes and weights, in memory of its own.
  static Result<std::unique_ptr<Model>> copy_of(const Transformer& transformer);

  // As safetensors, in f16 or f32. Errors: kOutOfMemory.
  Result<std::unique_ptr<Bytes>> save(bool in_f16) const;

  double parameter_count() const { return transformer_->parameters().parameter_count(); }
  int weight_type() const { return static_cast<int>(transformer_->weight_type()); }
  double weight_bytes() const { return static_cast<double>(transformer_->weight_bytes()); }
  // The numbers (doubles) of an option of a scheme of a kind of layer; none for indices out of
  // range.
  List option(int layer_type, int scheme, int index) const;

  // Runs over a text. `cuts` may be null. `layers` (int32) are those whose records `record` asks
  // for, all where it is empty. What it leaves is read below, until the next call.
  // Errors: kInvalidArgument, kUnsupported, kOutOfMemory.
  Status run(const Workspace& workspace, const Sequence& text, const ModelSurgery* surgery,
             List layers, const RecordRequest& record, const Beside& beside = {});
  int record_count() const { return record_count_; }
  // A record of the last run, once; null where there is none.
  std::unique_ptr<Record> take_record(int slot);
  // Logits of the vocabulary [T,V], and last hidden states [T,E], of the last run.
  Status read_logits(const Workspace& workspace, List result);
  Status read_hidden(const Workspace& workspace, List result);

  // Nats of predicting each of T + 1 ids from those before it; result [T]. Positions are those of
  // the first T. `is_exact` false: as a generation computes. Errors: as `run`.
  Result<Loss> loss(const Workspace& workspace, const Sequence& text, const ModelSurgery* surgery,
                    List result, const Memory* memory = nullptr, bool is_exact = true);

  // What a generation keeps alive.
  const std::shared_ptr<Transformer>& transformer() const { return transformer_; }

 private:
  // Activations for sequences of this length, the last ones where they fit. Errors: kOutOfMemory.
  Result<TransformerActivations*> activations_for(int length,
                                                  Arithmetic arithmetic = Arithmetic::kExact);
  // None where there are no cuts. Errors: kInvalidArgument for those of another model.
  Result<std::span<const Surgery>> surgeries_of(const ModelSurgery* surgery) const;
  Status make_recorders(const Workspace& workspace, const RecordRequest& record,
                        const Beside& beside, std::span<const std::int32_t> layers, int length);
  Result<TokenBatch> batch_of(Reader& reader, std::span<const std::int32_t> ids,
                              const Sequence& text);

  std::shared_ptr<Transformer> transformer_;
  std::unique_ptr<TransformerActivations> activations_;
  Arithmetic arithmetic_ = Arithmetic::kExact;  // that of the activations
  int run_length_ = 0;  // tokens whose final states lie in the activations
  std::unique_ptr<Recorder[]> recorders_;
  int record_count_ = 0;
  Buffer<Recorder*> recorder_of_;  // of each layer, or null; then of what it reads beside
};

}  // namespace wf::calls
