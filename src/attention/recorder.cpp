#include "attention/recorder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "attention/distance_bias.h"
#include "kernels/softcap.h"
#include "kernels/softmax.h"

namespace wf {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

Result<Buffer<std::int32_t>> checked_list(const char* name, std::span<const std::int32_t> list,
                                          int limit) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < 0 || list[i] >= limit)
      return Status::error(Code::kInvalidArgument, "region.%s: %d; allowed is 0 to %d", name, list[i],
                           limit - 1);
    if (i && list[i] <= list[i - 1])
      return Status::error(Code::kInvalidArgument,
                           "region.%s: %d after %d; allowed are ascending, distinct indices", name,
                           list[i], list[i - 1]);
  }
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> copy, Buffer<std::int32_t>::make(list.size()));
  std::copy(list.begin(), list.end(), copy.data());
  return copy;
}

}  // namespace

Result<Recorder> Recorder::make(std::uint32_t kinds, const Region& region,
                                const LayerSchemes& schemes, int num_heads, int head_dim,
                                int queries, int keys) {
  Recorder recorder;
  recorder.kinds_ = kinds;
  WF_ASSIGN_OR_RETURN(recorder.head_list_, checked_list("heads", region.heads, num_heads));
  WF_ASSIGN_OR_RETURN(recorder.row_list_, checked_list("rows", region.rows, queries));
  WF_ASSIGN_OR_RETURN(recorder.column_list_, checked_list("columns", region.columns, keys));
  const auto size = [](const Buffer<std::int32_t>& list, int all) {
    return list.size() ? static_cast<int>(list.size()) : all;
  };
  recorder.heads_ = size(recorder.head_list_, num_heads);
  recorder.rows_ = size(recorder.row_list_, queries);
  recorder.columns_ = size(recorder.column_list_, keys);

  // The order of terms: content, the transforms' change, then each scheme's biases.
  recorder.term_names_[recorder.term_count_++] = "content";
  for (const LayerScheme& item : schemes)
    if (item.has(kHookTransform) && !recorder.has_transform_) {
      recorder.term_names_[recorder.term_count_++] = item.description->transform_term;
      recorder.has_transform_ = true;
    }
  for (const LayerScheme& item : schemes)
    recorder.position_channels_ = std::max(recorder.position_channels_, item.scheme->position_channels());
  for (const LayerScheme& item : schemes)
    for (const char* name : item.description->bias_terms)
      if (recorder.term_count_ < kMostTerms) recorder.term_names_[recorder.term_count_++] = name;

  const std::size_t cells =
      static_cast<std::size_t>(recorder.heads_) * recorder.rows_ * recorder.columns_;
  const auto reserve = [&](RecordKind kind, Buffer<float>& buffer, std::size_t count) -> Status {
    return recorder.wants(kind) ? buffer.reserve(count) : Status();
  };
  WF_RETURN_IF_ERROR(reserve(kRecordWeights, recorder.weights_, cells));
  WF_RETURN_IF_ERROR(reserve(kRecordLogits, recorder.logits_, cells));
  WF_RETURN_IF_ERROR(reserve(kRecordMaskedLogits, recorder.masked_logits_, cells));
  for (int t = 0; t < recorder.term_count_; ++t)
    WF_RETURN_IF_ERROR(reserve(kRecordTerms, recorder.terms_[t], cells));
  if (recorder.wants(kRecordPairs)) {
    WF_RETURN_IF_ERROR(recorder.channel_pairs_.reserve(head_dim));
    for (const LayerScheme& item : schemes)
      if (recorder.pair_count_ == 0)
        recorder.pair_count_ = item.scheme->channel_pairs(recorder.channel_pairs_.data());
    WF_RETURN_IF_ERROR(recorder.pair_shares_.reserve(cells * recorder.pair_count_));
  }
  return recorder;
}

int Recorder::head_slot(int head) const {
  if (!head_list_.size()) return head;
  const std::int32_t* found = std::lower_bound(head_list_.begin(), head_list_.end(), head);
  return found != head_list_.end() && *found == head ? static_cast<int>(found - head_list_.begin()) : -1;
}

bool Recorder::wants_head(int head) const { return head_slot(head) >= 0; }

void Recorder::keep(Buffer<float>& target, int head_slot, int row_slot, const float* values) const {
  float* kept = target.data() + (std::size_t(head_slot) * rows_ + row_slot) * columns_;
  for (int c = 0; c < columns_; ++c) kept[c] = values[column(c)];
}

// terms [term_count, S] of one row.
void Recorder::fill_terms(const RecordedHead& head, int row, float* terms, float* run,
                          MatmulScratch& scratch) const {
  const int keys = head.k.rows, width = head.k.columns;
  const auto product = [&](ConstMatrix q, ConstMatrix k, int channels, float* out) {
    matmul(1, keys, channels, head.scale, {q.row(row), q.stride}, Operand{k.data, k.stride}.transposed(),
           out, keys, Accumulate::kNo, scratch);
  };
  std::fill_n(terms, std::size_t(term_count_) * keys, 0.0f);
  product(head.raw_q, head.raw_k, width - position_channels_, terms);
  int next = 1;
  if (has_transform_) {
    float* change = terms + std::size_t(next++) * keys;
    product(head.q, head.k, width, change);
    for (int j = 0; j < keys; ++j) change[j] -= terms[j];
  }
  float* mask = run + keys;
  std::fill_n(mask, keys, 0.0f);
  head.mask.apply(head.head, row, 1, 0, keys, mask, keys);
  for (int i = 0; i < head.schemes.count; ++i) {
    const LayerScheme& item = head.schemes.items[i];
    const int names = static_cast<int>(item.description->bias_terms.size());
    float* tiles[kMostTerms];
    for (int t = 0; t < names; ++t) tiles[t] = terms + std::size_t(next + t) * keys;
    if (item.has(kHookBias)) {
      // The scheme sees the whole logit of q·k, as it does in a tile.
      product(head.q, head.k, width, run);
      // One tile of a single row: the carry starts at zero and ends here.
      float carry[kMostCarryFloats] = {};
      item.scheme->bias_logits(head.contexts[i], {.head = head.head,
                                                  .kv_head = head.kv_head,
                                                  .row0 = row,
                                                  .rows = 1,
                                                  .column0 = 0,
                                                  .columns = keys,
                                                  .logits = run,
                                                  .stride = keys,
                                                  .q = {head.q.row(row), 1, width, head.q.stride},
                                                  .k = head.k,
                                                  .terms = tiles,
                                                  .mask = mask,
                                                  .carry = carry});
    }
    if (item.has(kHookDistanceStrip))
      add_distance_row(item, head.contexts[i], head.head, row, 0, keys, run, tiles[names - 1]);
    next += names;
  }
}

void Recorder::keep_pairs(const RecordedHead& head, int slot, int row_slot) {
  const float* q = head.q.row(row(row_slot));
  float* kept = pair_shares_.data() + (std::size_t(slot) * rows_ + row_slot) * columns_ * pair_count_;
  for (int c = 0; c < columns_; ++c) {
    const float* k = head.k.row(column(c));
    for (int p = 0; p < pair_count_; ++p) {
      const int a = channel_pairs_[2 * p], b = channel_pairs_[2 * p + 1];
      *kept++ = head.scale * (q[a] * k[a] + q[b] * k[b]);
    }
  }
}

void Recorder::record_head(const RecordedHead& head, float* row_scratch, MatmulScratch& matmul) {
  const int slot = head_slot(head.head), keys = head.k.rows;
  float* terms = row_scratch;
  float* logits = terms + std::size_t(kMostTerms) * keys;
  float* run = logits + keys;
  for (int r = 0; r < rows_; ++r) {
    const int query = row(r);
    fill_terms(head, query, terms, run, matmul);
    std::fill_n(logits, keys, 0.0f);
    for (int t = 0; t < term_count_; ++t) {
      const float* term = terms + std::size_t(t) * keys;
      for (int j = 0; j < keys; ++j) logits[j] += term[j];
      if (wants(kRecordTerms)) keep(terms_[t], slot, r, term);
    }
    if (wants(kRecordLogits)) keep(logits_, slot, r, logits);
    if (head.softcap > 0) softcap_row(logits, keys, head.softcap);
    head.mask.apply(head.head, query, 1, 0, keys, logits, keys);
    if (wants(kRecordMaskedLogits)) keep(masked_logits_, slot, r, logits);
    if (wants(kRecordWeights)) {
      // From the recorded logits themselves: those of the tiles round otherwise.
      float most = row_maximum(logits, keys), total = 0;
      if (head.sink) most = std::max(most, *head.sink), total = std::exp(*head.sink - most);
      if (most == kNothing) std::fill_n(logits, keys, 0.0f);
      else scale_row(logits, keys, 1 / (total + exponentials(logits, keys, most)));
      keep(weights_, slot, r, logits);
    }
    if (wants(kRecordPairs) && pair_count_) keep_pairs(head, slot, r);
  }
}

}  // namespace wf
