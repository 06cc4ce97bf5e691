// Keys and values of one layer, kept between decoding steps.
#pragma once

#include "attention/attention.h"

namespace wf {

// Storage of the values of a cache. kInKeys: a token's value is the first Dv channels of its key
// (the latent vector of multi-head latent attention) and is not stored separately.
enum class CachedValues : bool { kSeparate, kInKeys };

class KvCache {
 public:
  // Allocates memory for `capacity` tokens. Errors: kInvalidArgument (capacity < 1, or with kInKeys
  // values wider than the keys), kOutOfMemory.
  static Result<KvCache> make(const AttentionConfig& config, int capacity,
                              CachedValues values = CachedValues::kSeparate);

  int length() const { return length_; }
  int capacity() const { return capacity_; }
  bool in_keys() const { return kept_values_ == CachedValues::kInKeys; }
  // Numbers stored for each token.
  int floats_a_token() const {
    return heads_ * (key_dim_ + (in_keys() ? 0 : value_dim_)) + feature_count_;
  }

  // Appends keys [K,T,D], or as wide as they are kept, and values [K,T,Dv] of tokens at
  // `positions`. If the tokens differ in the number of axes, positions with one axis count as equal
  // on all axes. With kInKeys `values` is not read. Errors: kInvalidArgument if they do not fit;
  // the cache is then unchanged.
  Status append(ConstHeads keys, ConstHeads values, const Positions& positions);
  // Removes all tokens from index `length` on, or all if there is a state; at 0 also the cached
  // copies of the layer's parameters.
  Status truncate(int length);
  // Removes the tokens [first, first + count); those after them move up, with their positions.
  // Transformed keys are then wrong: see attention_evict. Errors: kInvalidArgument.
  Status remove(int first, int count);
  // Also keeps keys before the transform, for a recorder or to evict tokens; and values, if
  // `has_values`, since these are transformed too. The cache must be empty. Errors:
  // kInvalidArgument, kOutOfMemory.
  Status keep_raw_keys(bool has_values = false);
  bool keeps_raw_keys() const { return raw_keys_.size(); }
  // Keeps keys with so many channels, of which `append` fills the first D. The cache must be empty.
  // Errors: kOutOfMemory.
  Status widen_keys(int channels);
  // Also keeps so many features of each token. The cache must be empty. Errors: kOutOfMemory.
  Status keep_features(int count);
  // Also keeps so many numbers of all its tokens together, at first 0: what a layer that reads no
  // earlier token knows of them. Such a cache loses all tokens if any is removed. The cache must be
  // empty. Errors: kOutOfMemory.
  Status keep_state(std::size_t count);
  Buffer<float>& state() { return state_; }
  Result<KvCache> clone() const { return clone(capacity_); }
  // With another capacity. Errors: kInvalidArgument if the tokens do not fit; kOutOfMemory.
  Result<KvCache> clone(int capacity) const;

  ConstHeads keys() const;  // [K,S,·], S = length()
  ConstHeads values() const;  // [K,S,Dv]
  ConstHeads raw_keys() const;  // [K,S,D]; without data unless they are kept
  void restore_raw_keys();  // and values, in place of the transformed ones
  // The keys and the values of tokens from index `first` on, to be transformed in place; without
  // values if these are in the keys.
  Heads keys_from(int first);
  Heads values_from(int first);
  ConstMatrix features() const {
    return {features_.data(), length_, feature_count_, feature_count_};
  }
  // Those of tokens from index `first` on, to be written.
  Matrix features_from(int first);
  Positions positions() const { return {positions_.data(), length_, axes_}; }
  // [kMaxSchemes] layer tables of the schemes, shared by the decoding steps.
  PreparedLayer* prepared() { return prepared_; }

 private:
  // Expands the first `kept` positions to `axes` axes of `length` entries.
  void lay_out_positions(int kept, int axes, int length);

  CachedValues kept_values_ = CachedValues::kSeparate;
  int heads_ = 0, raw_dim_ = 0, key_dim_ = 0, value_dim_ = 0, capacity_ = 0, length_ = 0, axes_ = 1;
  int feature_count_ = 0;
  Buffer<float> keys_, values_;  // [K, capacity, ·]; values_ is empty with kInKeys
  Buffer<float> raw_keys_, raw_values_;  // [K, capacity, ·], or empty
  Buffer<float> features_;  // [capacity, feature_count_]
  Buffer<float> state_;
  Buffer<std::int32_t> positions_;  // [axes, length]
  PreparedLayer prepared_[kMaxSchemes];
};

// Attends from new tokens: transforms and appends their keys, then attends to all keys of the
// cache. q [H,T,D], k [K,T,D], v [K,T,Dv] raw; causal among the new tokens. Writes output [H,T,Dv].
// `sinks`, `states` and `channel_weights` as in AttentionInput. `recorder` (or null) is for as many
// queries as new tokens; it can split logits into terms if keys are not transformed, or the cache
// keeps raw ones. Errors: as append; kUnsupported if a scheme does not decode; the cache is then
// unchanged.
Status attention_decode(const AttentionConfig& config, const LayerSchemes& schemes, KvCache& cache,
                        ConstHeads q, ConstHeads k, ConstHeads v, const Positions& positions,
                        Heads output, AttentionSaved& saved, AttentionScratch& scratch,
                        const float* sinks = nullptr, Recorder* recorder = nullptr,
                        ConstMatrix states = {}, ChannelWeights<const float> channel_weights = {});

// Removes the tokens [first, first + count) of a cache, and moves those after them to the positions
// that are free then, as StreamingLLM does (Xiao et al. 2023, arXiv 2309.17453, section 3.2). If
// keys are transformed before they are cached, the cache must keep raw keys. Errors:
// kInvalidArgument, kOutOfMemory.
Status attention_evict(const AttentionConfig& config, const LayerSchemes& schemes, KvCache& cache,
                       int first, int count, AttentionScratch& scratch);

}  // namespace wf
