// Reads and writes text token by token: a model with a KV cache for each layer.
#pragma once

#include "attention/kv_cache.h"
#include "model/transformer.h"

namespace wf {

class Decoder {
 public:
  Decoder() = default;  // what `make` returns is assigned to it before use
  // Room for `capacity` tokens in all. `model` must outlive the decoder; when its values change,
  // start again with truncate(0). Errors: kInvalidArgument (capacity below 1), kUnsupported for a
  // bidirectional model or a scheme that does not decode, kOutOfMemory.
  // `arithmetic` means nothing to a model of floats. `memory`, which must outlive the decoder too:
  // what a model with cross-attention reads, and null for others.
  static Result<Decoder> make(const Transformer& model, int capacity,
                              Arithmetic arithmetic = Arithmetic::kExact,
                              const CrossMemory* memory = nullptr);

  int length() const { return length_; }
  int capacity() const { return capacity_; }

  // Appends tokens at positions length(), length() + 1, …; the logits that follow the last of them
  // [V] are written unless `logits` is null. Any way of cutting a text into calls gives the same
  // result up to rounding. Errors: kInvalidArgument for no ids, an unknown id, or more than fit;
  // the decoder is then unchanged.
  Status feed(std::span<const std::int32_t> ids, float* logits);

  // Forgets all tokens from index `length` on.
  Status truncate(int length);

 private:
  Status check(std::span<const std::int32_t> ids) const;
  Status feed_chunk(const std::int32_t* ids, int count);

  const Transformer* model_ = nullptr;
  const CrossMemory* memory_ = nullptr;
  int capacity_ = 0;
  int length_ = 0;
  std::unique_ptr<KvCache[]> caches_;
  TransformerActivations activations_;
  Buffer<std::int32_t> positions_;
};

}  // namespace wf
