#include "attention/kv_cache.h"

#include <algorithm>
#include <cstring>

#include "attention/features.h"
#include "attention/recorder.h"
#include "attention/transform_projections.h"
#include "tensor/extent.h"

namespace wf {
namespace {

// To [heads, capacity, columns], from row0 on.
void copy_rows(ConstHeads source, float* target, int capacity, int row0, int columns) {
  for (int h = 0; h < source.heads; ++h)
    for (int t = 0; t < source.rows; ++t)
      std::memcpy(target + (std::size_t(h) * capacity + row0 + t) * columns, source.head(h).row(t),
                  sizeof(float) * source.columns);
}

// Rows [0, length) of [heads, capacity, columns].
ConstHeads filled_part(const float* data, int heads, int length, int columns, int capacity) {
  return {data, heads, length, columns, std::ptrdiff_t{capacity} * columns, columns};
}

// Rows [first, length), to be changed.
Heads rows_from(Buffer<float>& data, int first, int length, int heads, int columns, int capacity) {
  return {data.data() + std::ptrdiff_t{first} * columns,
          heads,
          length - first,
          columns,
          std::ptrdiff_t{capacity} * columns,
          columns};
}

}  // namespace

Result<KvCache> KvCache::make(const AttentionConfig& config, int capacity, CachedValues values) {
  if (capacity < 1) return WF_UNEXPECTED("capacity", "%d", "1 or more", capacity);
  KvCache cache;
  cache.kept_values_ = values;
  cache.heads_ = config.num_kv_heads;
  cache.raw_dim_ = cache.key_dim_ = config.head_dim;
  cache.value_dim_ = config.value_dim ? config.value_dim : config.head_dim;
  cache.capacity_ = capacity;
  if (cache.in_keys() && cache.value_dim_ > cache.key_dim_)
    return WF_UNEXPECTED("valueDim", "%d", "1 to %d, the key's channels", cache.value_dim_,
                         cache.key_dim_);
  const auto numbers = [&](int channels) { return elements_of(cache.heads_, capacity, channels); };
  WF_ASSIGN_OR_RETURN(cache.keys_, Buffer<float>::make(numbers(cache.key_dim_)));
  if (!cache.in_keys()) {
    WF_ASSIGN_OR_RETURN(cache.values_, Buffer<float>::make(numbers(cache.value_dim_)));
  }
  WF_ASSIGN_OR_RETURN(cache.positions_,
                      Buffer<std::int32_t>::make(elements_of(capacity, kMaxPositionAxes)));
  return cache;
}

Status KvCache::append(ConstHeads keys, ConstHeads values, const Positions& positions) {
  if (keys.heads != heads_ || values.heads != heads_ ||
      (keys.columns != raw_dim_ && keys.columns != key_dim_) || values.columns != value_dim_ ||
      keys.rows != values.rows || keys.rows != positions.count)
    return WF_UNEXPECTED("k, v", "shapes [%d,%d,%d], [%d,%d,%d] with %d positions",
                         "[%d,T,%d], [%d,T,%d] with T positions", keys.heads, keys.rows,
                         keys.columns, values.heads, values.rows, values.columns, positions.count,
                         heads_, raw_dim_, heads_, value_dim_);
  if (keys.rows > capacity_ - length_)
    return WF_UNEXPECTED("cache", "%d more tokens after %d", "at most %d in total, its capacity",
                         keys.rows, length_, capacity_);
  if (positions.axes < 1 || positions.axes > kMaxPositionAxes)
    return WF_UNEXPECTED("positions", "%d axes", "1 to %d", positions.axes, kMaxPositionAxes);
  copy_rows(keys, keys_.data(), capacity_, length_, key_dim_);
  if (!in_keys()) copy_rows(values, values_.data(), capacity_, length_, value_dim_);
  if (keeps_raw_keys()) copy_rows(keys, raw_keys_.data(), capacity_, length_, raw_dim_);
  if (raw_values_.size()) copy_rows(values, raw_values_.data(), capacity_, length_, value_dim_);
  const int axes = std::max(length_ ? axes_ : 1, positions.axes), length = length_ + keys.rows;
  lay_out_positions(length_, axes, length);
  for (int a = 0; a < axes; ++a)
    for (int t = 0; t < positions.count; ++t)
      positions_[a * length + length_ + t] = positions.at(t, std::min(a, positions.axes - 1));
  length_ = length;
  return {};
}

void KvCache::lay_out_positions(int kept, int axes, int length) {
  // Growing moves from the back, shrinking from the front, so that no entry is overwritten before
  // it is read.
  for (int i = 0; i < axes; ++i) {
    const int a = length < length_ ? i : axes - 1 - i;
    std::memmove(positions_.data() + std::ptrdiff_t{a} * length,
                 positions_.data() + std::ptrdiff_t{std::min(a, axes_ - 1)} * length_,
                 sizeof(std::int32_t) * kept);
  }
  axes_ = axes;
}

Status KvCache::truncate(int length) {
  if (length < 0 || length > length_)
    return WF_UNEXPECTED("length", "%d", "0 to %d", length, length_);
  if (state_.size() && length < length_) length = 0;
  if (length == 0) state_.fill_zero();
  lay_out_positions(length, axes_, length);
  length_ = length;
  if (length == 0)
    for (PreparedLayer& each : prepared_) each.forget();
  return {};
}

Status KvCache::remove(int first, int count) {
  if (first < 0 || count < 0 || first > length_ - count)
    return WF_UNEXPECTED("cache", "tokens %d to %d", "some of its %d", first, first + count - 1,
                         length_);
  const int end = first + count, length = length_ - count;
  const auto move_up = [&](Buffer<float>& rows, int columns, int heads) {
    for (int h = 0; h < heads && rows.size(); ++h) {
      float* head = rows.data() + elements_of(h, capacity_, columns);
      std::memmove(head + elements_of(first, columns), head + elements_of(end, columns),
                   sizeof(float) * elements_of(length_ - end, columns));
    }
  };
  move_up(keys_, key_dim_, heads_);
  move_up(values_, value_dim_, heads_);
  move_up(raw_keys_, raw_dim_, heads_);
  move_up(raw_values_, value_dim_, heads_);
  move_up(features_, feature_count_, 1);
  // Each entry moves towards the beginning.
  for (int a = 0; a < axes_; ++a)
    for (int t = 0; t < length; ++t)
      positions_[std::size_t(a) * length + t] =
          t < first ? positions_[std::size_t(a) * length_ + t]
                    : positions_[std::size_t(a) * length_ + t + count] - count;
  length_ = length;
  return {};
}

void KvCache::restore_raw_keys() {
  copy_rows(raw_keys(), keys_.data(), capacity_, 0, key_dim_);
  if (raw_values_.size())
    copy_rows(filled_part(raw_values_.data(), heads_, length_, value_dim_, capacity_),
              values_.data(), capacity_, 0, value_dim_);
}

Result<KvCache> KvCache::clone(int capacity) const {
  const AttentionConfig config = {
      .num_heads = heads_, .num_kv_heads = heads_, .head_dim = raw_dim_, .value_dim = value_dim_};
  WF_ASSIGN_OR_RETURN(KvCache copy, make(config, capacity, kept_values_));
  WF_RETURN_IF_ERROR(copy.widen_keys(key_dim_));
  WF_RETURN_IF_ERROR(copy.append(keys(), values(), positions()));
  if (keeps_raw_keys()) {
    WF_RETURN_IF_ERROR(copy.raw_keys_.reserve(elements_of(heads_, capacity, raw_dim_)));
    copy_rows(raw_keys(), copy.raw_keys_.data(), capacity, 0, raw_dim_);
  }
  if (raw_values_.size()) {
    WF_RETURN_IF_ERROR(copy.raw_values_.reserve(elements_of(heads_, capacity, value_dim_)));
    copy_rows(filled_part(raw_values_.data(), heads_, length_, value_dim_, capacity_),
              copy.raw_values_.data(), capacity, 0, value_dim_);
  }
  WF_RETURN_IF_ERROR(copy.state_.reserve(state_.size()));
  std::copy_n(state_.data(), state_.size(), copy.state_.data());
  copy.feature_count_ = feature_count_;
  WF_RETURN_IF_ERROR(copy.features_.reserve(elements_of(capacity, feature_count_)));
  std::copy_n(features_.data(), elements_of(length_, feature_count_), copy.features_.data());
  return copy;
}

Status KvCache::widen_keys(int channels) {
  if (channels <= key_dim_) return {};
  WF_RETURN_IF_ERROR(keys_.reserve(elements_of(heads_, capacity_, channels)));
  key_dim_ = channels;
  return {};
}

Status KvCache::keep_state(std::size_t count) {
  WF_RETURN_IF_ERROR(state_.reserve(count));
  state_.fill_zero();
  return {};
}

Status KvCache::keep_features(int count) {
  WF_RETURN_IF_ERROR(features_.reserve(elements_of(capacity_, count)));
  feature_count_ = count;
  return {};
}

Matrix KvCache::features_from(int first) {
  return {features_.data() + elements_of(first, feature_count_), length_ - first, feature_count_,
          feature_count_};
}

Status KvCache::keep_raw_keys(bool has_values) {
  if (length_) return WF_UNEXPECTED("cache", "%d tokens", "none", length_);
  if (has_values)
    WF_RETURN_IF_ERROR(raw_values_.reserve(elements_of(heads_, capacity_, value_dim_)));
  return raw_keys_.reserve(elements_of(heads_, capacity_, raw_dim_));
}

ConstHeads KvCache::raw_keys() const {
  if (!keeps_raw_keys()) return {};
  return filled_part(raw_keys_.data(), heads_, length_, raw_dim_, capacity_);
}

ConstHeads KvCache::keys() const {
  return filled_part(keys_.data(), heads_, length_, key_dim_, capacity_);
}

ConstHeads KvCache::values() const {
  if (in_keys()) {
    ConstHeads first = keys();
    first.columns = value_dim_;
    return first;
  }
  return filled_part(values_.data(), heads_, length_, value_dim_, capacity_);
}

Heads KvCache::keys_from(int first) {
  return rows_from(keys_, first, length_, heads_, key_dim_, capacity_);
}

Heads KvCache::values_from(int first) {
  if (in_keys()) return {};
  return rows_from(values_, first, length_, heads_, value_dim_, capacity_);
}

Status attention_decode(const AttentionConfig& config, const LayerSchemes& schemes, KvCache& cache,
                        ConstHeads q, ConstHeads k, ConstHeads v, const Positions& positions,
                        Heads output, AttentionSaved& saved, AttentionScratch& scratch,
                        const float* sinks, Recorder* recorder, ConstMatrix states,
                        ChannelWeights<const float> channel_weights) {
  if (config.is_cross)
    return Status::error(
        Code::kUnsupported,
        "isCross: a cache is for keys that grow; pass all keys of the other sequence to run");
  for (const LayerScheme& item : schemes)
    if (!item.description->claims.decodes)
      return Status::error(Code::kUnsupported, "scheme: %s does not work with a KV cache",
                           item.description->id);
  if (schemes.transforms_values() && cache.in_keys())
    return Status::error(Code::kUnsupported,
                         "cache: values that a scheme transforms need a cache of their own");
  WF_RETURN_IF_ERROR(schemes.check_transforms(config.head_dim, config.value_channels()));
  WF_RETURN_IF_ERROR(schemes.check_projections());
  WF_RETURN_IF_ERROR(schemes.check_axes("positions", positions));
  AttentionInput given;
  given.states = given.key_states = states;
  WF_RETURN_IF_ERROR(detail::check_states(schemes, given));
  bool raw = false;
  for (const LayerScheme& item : schemes) raw |= item.scheme->caches_raw_keys();
  const int before = cache.length();
  if (!before) {
    WF_RETURN_IF_ERROR(cache.keep_features(detail::key_features(schemes)));
    if (!raw) WF_RETURN_IF_ERROR(cache.widen_keys(schemes.transformed_channels(config.head_dim)));
  }
  WF_RETURN_IF_ERROR(cache.append(k, v, positions));
  // Transforms the cache's rows in place: they are new and not used yet.
  const Status transformed =
      raw ? Status()
          : detail::transform_keys(config, schemes, positions, cache.positions(),
                                   cache.keys_from(before), cache.values_from(before), scratch);
  detail::compute_key_features(schemes, states, cache.features_from(before), scratch.matmul);
  AttentionConfig causal = config;
  causal.is_causal = true;
  AttentionInput input = {.q = q,
                          .k = cache.keys(),
                          .v = cache.values(),
                          .query_positions = positions,
                          .key_positions = cache.positions(),
                          .mask = {},
                          .sinks = sinks,
                          .channel_weights = channel_weights,
                          .keys_are_transformed = !raw,
                          .raw_keys = cache.raw_keys(),
                          .states = states,
                          .key_features = cache.features(),
                          .prepared = cache.prepared()};
  input.mask.query_offset = before;
  if (recorder) recorder->begin_row(cache.length());
  const Status status =
      transformed.ok() ? attention_forward(causal, schemes, input, output, saved, scratch, recorder)
                       : transformed;
  if (!status.ok()) WF_RETURN_IF_ERROR(cache.truncate(before));
  return status;
}

Status attention_evict(const AttentionConfig& config, const LayerSchemes& schemes, KvCache& cache,
                       int first, int count, AttentionScratch& scratch) {
  bool is_raw = !schemes.any(kHookTransform);
  for (const LayerScheme& item : schemes) is_raw |= item.scheme->caches_raw_keys();
  if (!is_raw && !cache.keeps_raw_keys())
    return WF_UNEXPECTED("cache", "only transformed keys", "one that keeps keys before transforms");
  WF_RETURN_IF_ERROR(cache.remove(first, count));
  if (is_raw || !cache.length()) return {};
  cache.restore_raw_keys();
  return detail::transform_keys(config, schemes, cache.positions(), cache.positions(),
                                cache.keys_from(0), cache.values_from(0), scratch);
}

}  // namespace wf
