#include "model/decoder.h"

#include <algorithm>
#include <utility>

namespace wf {
namespace {

// Processes long prompts in chunks, so that scratch memory has a fixed size.
constexpr int kChunk = 64;

CachedValues values_of(const ModelConfig& config, int layer) {
  return config.absorbs(layer) || !config.attends(layer) ? CachedValues::kInKeys
                                                         : CachedValues::kSeparate;
}

}  // namespace

Result<Decoder> Decoder::make(const Transformer& model, int capacity, Arithmetic arithmetic,
                              const CrossMemory* memory) {
  const ModelConfig& config = model.config();
  if (capacity < 1) return WF_UNEXPECTED("capacity", "%d", "1 or more", capacity);
  if (!config.is_causal)
    return WF_UNEXPECTED_AS(Code::kUnsupported, "isCausal", "false",
                            "true, since generation needs a causal model");
  WF_RETURN_IF_ERROR(model.check_head());
  WF_RETURN_IF_ERROR(model.check_memory(memory));
  for (const SchemeInstance& instance : model.schemes()) {
    if (!instance.description().claims.decodes)
      return Status::error(Code::kUnsupported, "scheme %s does not work with a KV cache",
                           instance.entry->description->id);
  }
  Decoder decoder;
  decoder.model_ = &model;
  decoder.memory_ = memory;
  decoder.arithmetic_ = arithmetic;
  decoder.capacity_ = capacity;
  decoder.caches_.reset(new (std::nothrow) KvCache[static_cast<std::size_t>(config.num_layers)]);
  if (!decoder.caches_)
    return Status::error(Code::kOutOfMemory, "out of memory: %d caches", config.num_layers);
  for (int layer = 0; layer < config.num_layers; ++layer) {
    WF_ASSIGN_OR_RETURN(decoder.caches_[layer], KvCache::make(config.decoding_attention(layer),
                                                              capacity, values_of(config, layer)));
    WF_RETURN_IF_ERROR(decoder.caches_[layer].keep_state(config.mixer_state(layer)));
  }
  const int chunk = std::min(kChunk, capacity);
  WF_ASSIGN_OR_RETURN(decoder.activations_,
                      TransformerActivations::make(config, 1, chunk, Purpose::kDecoding));
  WF_RETURN_IF_ERROR(model.use(arithmetic, decoder.activations_));
  WF_RETURN_IF_ERROR(decoder.positions_.reserve(chunk));
  return decoder;
}

Status Decoder::check(std::span<const std::int32_t> ids) const {
  if (ids.empty()) return WF_UNEXPECTED("ids", "no token ids", "1 or more");
  if (ids.size() > static_cast<std::size_t>(capacity_ - length_))
    return WF_UNEXPECTED("ids", "%zu more tokens after %d", "at most %d in total, the capacity",
                         ids.size(), length_, capacity_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= model_->config().vocab_size)
      return WF_UNEXPECTED("ids[%zu]", "%d", "0 to %d", i, ids[i], model_->config().vocab_size - 1);
  }
  return {};
}

Status Decoder::feed_chunk(const std::int32_t* ids, int count,
                           std::span<Recorder* const> recorders) {
  const ModelConfig& config = model_->config();
  const int e = config.input_width();
  for (int i = 0; i < count; ++i) positions_[i] = length_ + i;
  SequenceLayout layout;
  layout.length = count;
  layout.positions = {positions_.data(), count, 1};
  layout.memory = memory_;
  WF_RETURN_IF_ERROR(model_->embed(ids, nullptr, layout.positions, activations_.narrow(),
                                   {activations_.embedding_in(), count, e, e}));
  model_->finish_embeddings(count, activations_);
  for (int layer = 0; layer < config.num_layers; ++layer) {
    WF_RETURN_IF_ERROR(block_decode(config, model_->block(layer), model_->layer_schemes(layer),
                                    layout, caches_[layer], activations_,
                                    recorders.empty() ? nullptr : recorders[layer]));
  }
  length_ += count;
  return {};
}

bool Decoder::lacks_raw_keys(int layer) const {
  const LayerSchemes schemes = model_->layer_schemes(layer);
  bool is_raw = !schemes.any(kHookTransform) || caches_[layer].keeps_raw_keys();
  for (const LayerScheme& item : schemes) is_raw |= item.scheme->caches_raw_keys();
  return !is_raw;
}

Status Decoder::prepare_to_record(std::span<const std::int32_t> layers, bool has_terms) {
  bool is_ready = true;
  for (const int layer : layers) {
    if (model_->config().absorbs(layer))
      return WF_UNEXPECTED_AS(Code::kUnsupported, "record", "layer %d",
                              "layers without latent projections in a generation", layer);
    if (!model_->config().attends(layer))
      return WF_UNEXPECTED_AS(Code::kUnsupported, "record", "layer %d, without attention",
                              "layers with attention", layer);
    is_ready &= !has_terms || !lacks_raw_keys(layer);
  }
  if (is_ready) return {};
  WF_RETURN_IF_ERROR(truncate(0));
  for (const int layer : layers)
    if (lacks_raw_keys(layer))
      WF_RETURN_IF_ERROR(
          caches_[layer].keep_raw_keys(model_->layer_schemes(layer).transforms_values()));
  return {};
}

Status Decoder::feed(std::span<const std::int32_t> ids, float* logits,
                     std::span<Recorder* const> recorders) {
  WF_RETURN_IF_ERROR(check(ids));
  if (!recorders.empty() &&
      (ids.size() != 1 || std::cmp_not_equal(recorders.size(), model_->config().num_layers)))
    return WF_UNEXPECTED("ids", "%zu with %zu recorders", "one, and a recorder for each layer",
                         ids.size(), recorders.size());
  const int before = length_;
  const int total = static_cast<int>(ids.size());
  const int chunk = static_cast<int>(positions_.size());
  int count = 0;
  for (int done = 0; done < total; done += count) {
    count = std::min(chunk, total - done);
    const Status status = feed_chunk(ids.data() + done, count, recorders);
    if (!status.ok()) {
      WF_RETURN_IF_ERROR(truncate(before));
      return status;
    }
  }
  if (!logits) return {};
  model_->finish_stream(count - 1, 1, activations_);
  model_->head(activations_, 0, 1, logits);
  return {};
}

Status Decoder::prepare_to_evict() {
  for (const SchemeInstance& instance : model_->schemes())
    if (!instance.description().claims.shift_invariant || instance.has(kHookEmbeddings))
      return WF_UNEXPECTED_AS(Code::kUnsupported, "eviction", "scheme %s",
                              "schemes that read only differences of positions",
                              instance.description().id);
  for (int layer = 0; layer < model_->config().num_layers; ++layer)
    if (!model_->config().attends(layer))
      return WF_UNEXPECTED_AS(Code::kUnsupported, "eviction", "layer %d, without attention",
                              "layers with attention only", layer);
  WF_RETURN_IF_ERROR(truncate(0));
  for (int layer = 0; layer < model_->config().num_layers; ++layer)
    if (lacks_raw_keys(layer))
      WF_RETURN_IF_ERROR(
          caches_[layer].keep_raw_keys(model_->layer_schemes(layer).transforms_values()));
  return {};
}

Status Decoder::evict(int first, int count) {
  if (first < 0 || count < 0 || first > length_ - count)
    return WF_UNEXPECTED("eviction", "tokens %d to %d", "some of %d", first, first + count - 1,
                         length_);
  const ModelConfig& config = model_->config();
  for (int layer = 0; layer < config.num_layers; ++layer)
    WF_RETURN_IF_ERROR(attention_evict(config.decoding_attention(layer),
                                       model_->layer_schemes(layer), caches_[layer], first, count,
                                       activations_.scratch()));
  length_ -= count;
  return {};
}

Status Decoder::truncate(int length) {
  if (length < 0 || length > length_)
    return WF_UNEXPECTED("length", "%d", "0 to %d", length, length_);
  // After a failure some layers may hold more tokens than length_, others fewer than requested.
  const ModelConfig& config = model_->config();
  for (int layer = 0; layer < config.num_layers; ++layer)
    if (caches_[layer].state().size() && caches_[layer].length() > length) length = 0;
  for (int layer = 0; layer < config.num_layers; ++layer)
    WF_RETURN_IF_ERROR(caches_[layer].truncate(std::min(length, caches_[layer].length())));
  length_ = length;
  return {};
}

Status Decoder::reserve(int capacity) {
  if (capacity <= capacity_) return {};
  for (int layer = 0; layer < model_->config().num_layers; ++layer) {
    // One layer at a time, so that the old and the new memory of only one exist together.
    WF_ASSIGN_OR_RETURN(caches_[layer], caches_[layer].clone(capacity));
  }
  capacity_ = capacity;
  return {};
}

Result<Decoder> Decoder::clone() const {
  WF_ASSIGN_OR_RETURN(Decoder copy, make(*model_, capacity_, arithmetic_, memory_));
  for (int layer = 0; layer < model_->config().num_layers; ++layer) {
    WF_ASSIGN_OR_RETURN(copy.caches_[layer], caches_[layer].clone());
  }
  copy.length_ = length_;
  return copy;
}

}  // namespace wf
