// Attention with its schemes, and its decoding cache.
#pragma once

#include <memory>

#include "attention/kv_cache.h"
#include "calls/attention_request.h"
#include "calls/record.h"
#include "calls/scheme.h"

namespace wf::calls {

// Keys and values of the tokens decoded so far.
class AttentionCache {
 public:
  AttentionCache(KvCache cache, std::uint32_t owner) : cache(std::move(cache)), owner(owner) {}

  int length() const { return cache.length(); }
  int capacity() const { return cache.capacity(); }
  // Removes all tokens from index `length` on.
  Status truncate(int length);
  Result<std::unique_ptr<AttentionCache>> clone() const;

  KvCache cache;
  const std::uint32_t owner;  // serial of the attention that made it
};

class Attention {
 public:
  Attention() = default;
  Attention(const Attention&) = delete;
  // `sinks`: empty, or the logit of each head's attention sink (floats [H]), which takes weight but
  // has no value. Errors: kInvalidArgument, naming the field; kOutOfMemory.
  static Result<std::unique_ptr<Attention>> make(const Workspace& workspace,
                                                 const AttentionConfig& config, List sinks);
  // Appends a scheme and keeps it alive. Errors: kInvalidArgument for too many schemes, or for one
  // made for other sizes; kOutOfMemory.
  Status add_scheme(const ConfiguredScheme& scheme);

  // result [H,T,Dv] = softmax(scale · q·k + biases + mask) · v. Stores what `record` requests for
  // take_record. Errors: kInvalidArgument, kUnsupported (attention/attention.h), kOutOfMemory.
  Status run(const Workspace& workspace, const AttentionRequest& request,
             const RecordRequest& record, List result);
  // The record of the last call; null if none was requested, or if it was taken already.
  std::unique_ptr<Record> take_record() { return std::move(record_); }

  // Allocates a cache for `capacity` tokens. Errors: kInvalidArgument, kOutOfMemory.
  Result<std::unique_ptr<AttentionCache>> make_cache(int capacity) const;
  // Appends T tokens to a cache of this attention and attends from them: q, k, v and positions of
  // the request; result [H,T,Dv]. Errors: as `run`; the cache is then unchanged.
  Status decode(const Workspace& workspace, AttentionCache& cache, const AttentionRequest& request,
                List result);

 private:
  Heads output_heads(float* output, int queries) const {
    return heads_outermost(output, config_.num_heads, queries, config_.value_channels());
  }
  float* read_result(Reader& reader, List result, int queries) const;

  AttentionConfig config_;
  LayerSchemes schemes_;
  std::shared_ptr<SchemeState> kept_[kMaxSchemes];
  AttentionScratch scratch_;
  AttentionSaved saved_;
  Buffer<float> sinks_;
  std::unique_ptr<Record> record_;
  std::uint32_t serial_ = 0;
};

}  // namespace wf::calls
