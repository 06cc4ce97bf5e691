// Processes and generates text token by token: a model with a KV cache for each layer.
#pragma once

#include "attention/kv_cache.h"
#include "model/transformer.h"

namespace wf {

class Decoder {
 public:
  Decoder() = default;  // replaced by the result of `make`
  // Allocates memory for `capacity` tokens in total. `model` must outlive the decoder; after a
  // change of its weights call truncate(0). `arithmetic` has no effect on a model of floats.
  // `memory` is the input of cross-attention (null for other models) and must also outlive the
  // decoder. Errors: kInvalidArgument (capacity below 1), kUnsupported for a bidirectional model or
  // a scheme that does not decode, kOutOfMemory.
  static Result<Decoder> make(const Transformer& model, int capacity,
                              Arithmetic arithmetic = Arithmetic::kExact,
                              const CrossMemory* memory = nullptr);

  int length() const { return length_; }
  int capacity() const { return capacity_; }

  // Appends tokens at positions length(), length() + 1, …; writes the logits after the last token
  // [V] unless `logits` is null. Splitting a text into several calls gives the same result up to
  // rounding. Errors: kInvalidArgument for no ids, an unknown id, or too many tokens; the decoder
  // is then unchanged.
  // `recorders`: empty, or a pointer (may be null) for each layer, to record the row of one id;
  // each was made for one query and capacity() keys.
  Status feed(std::span<const std::int32_t> ids, float* logits,
              std::span<Recorder* const> recorders = {});
  // Prepares these layers for recorders; those of terms need keys before their transform. If they
  // were not kept, removes all tokens. Errors: kUnsupported for a layer that decodes in the
  // absorbed form; kOutOfMemory.
  Status prepare_to_record(std::span<const std::int32_t> layers, bool has_terms);

  // Prepares to evict tokens, by keeping keys before their transform; removes all tokens. Errors:
  // kUnsupported for a scheme whose results depend on more than differences of positions;
  // kOutOfMemory.
  Status prepare_to_evict();
  // Removes the tokens [first, first + count); those after them get the positions of their new
  // indices (attention_evict). Errors: kInvalidArgument, kOutOfMemory.
  Status evict(int first, int count);

  // Removes all tokens from index `length` on; of a model with layers that keep only a state of all
  // tokens (the delta rule), all tokens if there are any to remove.
  Status truncate(int length);

  // Allocates memory for `capacity` tokens in total, and keeps those that it has; no effect if
  // there is enough. Errors: kOutOfMemory; the decoder then works as before.
  Status reserve(int capacity);

  // A decoder of the same model with the same tokens, in separate memory. Errors: kOutOfMemory.
  Result<Decoder> clone() const;

 private:
  Status check(std::span<const std::int32_t> ids) const;
  bool lacks_raw_keys(int layer) const;
  Status feed_chunk(const std::int32_t* ids, int count, std::span<Recorder* const> recorders);

  const Transformer* model_ = nullptr;
  const CrossMemory* memory_ = nullptr;
  Arithmetic arithmetic_ = Arithmetic::kExact;
  int capacity_ = 0;
  int length_ = 0;
  std::unique_ptr<KvCache[]> caches_;
  TransformerActivations activations_;
  Buffer<std::int32_t> positions_;
};

}  // namespace wf
