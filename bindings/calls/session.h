// A text that a model reads and continues: its tokens' keys and values, and the choice of the next
// token.
#pragma once

#include "calls/model.h"
#include "fields.h"
#include "model/decoder.h"
#include "model/sampling.h"

namespace wf::calls {

struct SamplingSettings {
#define WF_FIELD WF_FIELD_MEMBER
#include "calls/sampling_fields.def"
  double seed = 0;

  static std::span<const Field> fields();
  // Errors: kInvalidArgument for a field out of range.
  Status check() const;
};

struct NextToken {
  Code code = Code::kOk;
  int id = 0;
};

// How tokens are chosen, in one generation.
class Sampling {
 public:
  // `bias_ids` (int32) and `biases` (floats, as many): added to the logits of these tokens.
  // `prompt` (int32): tokens of the text so far, to which penalties apply. Errors:
  // kInvalidArgument, kOutOfMemory.
  static Result<std::unique_ptr<Sampling>> make(const Workspace& workspace, const Model& model,
                                                const SamplingSettings& settings, List bias_ids,
                                                List biases, List prompt);

  // From logits [V]. Penalties apply to the token from now on.
  int pick(const float* logits);

 private:
  Sampler sampler_;
};

class Session {
 public:
  // Without tokens. `is_exact`: whether products with quantised weights use unrounded activations.
  // Keeps the model and the memory (null: none) alive. Errors: kUnsupported for a model that does
  // not decode, kOutOfMemory.
  static Result<std::unique_ptr<Session>> make(const Model& model, bool is_exact,
                                               const Memory* memory = nullptr);
  // Prepares an empty session to evict tokens, for which it keeps more of each. Errors:
  // kUnsupported for a scheme whose results depend on more than differences of positions;
  // kOutOfMemory.
  Status prepare_to_evict();
  // Removes the tokens [first, first + count); those after them move to the free positions, and
  // keep the states that they had. Errors: kInvalidArgument, kOutOfMemory.
  Status evict(int first, int count);

  int length() const { return decoder_.length(); }
  // Bytes of its memory.
  double bytes() const { return static_cast<double>(bytes_); }

  // Allocates memory for this many tokens in total, unless there is enough. Errors: kOutOfMemory.
  Status reserve(double tokens);
  // Appends ids (int32, at least one), after reserving memory for twice as many tokens as there are
  // if it is used up. `is_end`: computes the logits of the token that follows. Errors:
  // kInvalidArgument, kOutOfMemory; the session is then unchanged.
  // `is_recorded`: records the row of attention of one id, as `record` has set.
  Status append(const Workspace& workspace, List ids, bool is_end, bool is_recorded = false);
  // Sets what is recorded (`request.kinds`, `request.heads`) in these layers (int32; empty means
  // all), and allocates memory for it; kinds of 0 free it. To split logits into terms, layers keep
  // more of each token: the session then forgets its text, as length() shows. Errors:
  // kInvalidArgument, kUnsupported for latent layers, kOutOfMemory.
  Status record(const Workspace& workspace, const RecordRequest& request, List layers);
  int record_count() const { return record_count_; }
  // The last recorded row of a layer, valid until the next; null for a slot out of range.
  std::unique_ptr<Record> row(int slot) const;
  // Chooses the token that follows, without appending it. Errors: kInvalidArgument unless the last
  // change of the text was `append` with `is_end`.
  Result<NextToken> next(Sampling& sampling);
  // Removes all tokens from index `length` on.
  Status truncate(int length);
  // A session of the same model with the same text, in separate memory. Errors: kOutOfMemory.
  Result<std::unique_ptr<Session>> fork() const;

 private:
  class Counted;

  std::shared_ptr<Transformer> transformer_;
  std::shared_ptr<const CrossMemory> memory_;
  Decoder decoder_;
  Buffer<float> logits_;
  bool has_logits_ = false;
  std::size_t bytes_ = 0;

  // Makes recorders for as many keys as the session has memory for.
  Status make_recorders();

  std::uint32_t kinds_ = 0;  // what is recorded
  Buffer<std::int32_t> record_heads_, record_layers_;
  std::unique_ptr<std::shared_ptr<Recorder>[]> recorders_;  // of record_layers_
  Buffer<Recorder*> recorder_of_;  // of each layer, or null
  int record_count_ = 0, record_capacity_ = 0;
};

}  // namespace wf::calls
