// Keys and values of one layer, kept from token to token.
#pragma once

#include "attention/attention.h"

namespace wf {

class KvCache {
 public:
  // Room for `capacity` tokens. Errors: kInvalidArgument (capacity < 1), kOutOfMemory.
  static Result<KvCache> make(const AttentionConfig& config, int capacity);

  int length() const { return length_; }
  int capacity() const { return capacity_; }

  // Appends keys [K,T,D] (already transformed) and values [K,T,Dv] of tokens at `positions`. Where
  // some tokens have more axes than others, a text's one axis stands for all.
  // Errors: kInvalidArgument when they do not fit; the cache is then unchanged.
  Status append(ConstHeads keys, ConstHeads values, const Positions& positions);
  // Forgets all tokens from index `length` on.
  Status truncate(int length);
  Result<KvCache> clone() const;

  ConstHeads keys() const;    // [K,S,D], S = length()
  ConstHeads values() const;  // [K,S,Dv]
  // The keys of tokens from index `first` on, to be transformed in place.
  Heads rows_from(int first);
  Positions positions() const { return {positions_.data(), length_, axes_}; }

 private:
  // Spreads the first `kept` positions over `axes` axes of `length` entries.
  void lay_out_positions(int kept, int axes, int length);

  int heads_ = 0, key_dim_ = 0, value_dim_ = 0, capacity_ = 0, length_ = 0, axes_ = 1;
  Buffer<float> keys_, values_;  // [K, capacity, ·]
  Buffer<std::int32_t> positions_;  // [axes, length]
};

// Attends from new tokens: transforms and appends their keys, then scores against all of the cache.
// q [H,T,D], k [K,T,D], v [K,T,Dv] raw; causal among the new tokens. output [H,T,Dv].
// `sinks` as in AttentionInput.
// Errors: as append; kUnsupported when a scheme does not decode; the cache is then unchanged.
Status attention_decode(const AttentionConfig& config, const LayerSchemes& schemes, KvCache& cache,
                        ConstHeads q, ConstHeads k, ConstHeads v, const Positions& positions,
                        Heads output, AttentionSaved& saved, AttentionScratch& scratch,
                        const float* sinks = nullptr);

}  // namespace wf
