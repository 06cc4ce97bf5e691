#include "attention/recorder.h"

#include <algorithm>

#include "attention/running_softmax.h"
#include "attention/surgery.h"
#include "kernels/softcap.h"
#include "tensor/extent.h"

namespace wf {
namespace {

Result<Buffer<std::int32_t>> checked_list(const char* name, std::span<const std::int32_t> list,
                                          int limit) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < 0 || list[i] >= limit)
      return WF_UNEXPECTED("region.%s", "%d", "0 to %d", name, list[i], limit - 1);
    if (i && list[i] <= list[i - 1])
      return WF_UNEXPECTED("region.%s", "%d after %d", "distinct indices in ascending order", name,
                           list[i], list[i - 1]);
  }
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> copy, Buffer<std::int32_t>::make(list.size()));
  std::copy(list.begin(), list.end(), copy.data());
  return copy;
}

}  // namespace

Result<Recorder> Recorder::make(std::uint32_t kinds, const Region& region,
                                const LayerSchemes& schemes, int num_heads, int head_dim,
                                int queries, int keys, int value_dim) {
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
  recorder.max_columns_ = recorder.columns_;

  // The order of terms: content, the transforms' change, that of query factors, then each scheme's
  // biases.
  recorder.term_names_[recorder.term_count_++] = "content";
  for (const bool scales_queries : {false, true})
    if (const LayerScheme* item = schemes.transform(scales_queries))
      recorder.term_names_[recorder.term_count_++] = item->description->transform_term;
  for (const LayerScheme& item : schemes)
    for (const char* name : item.description->bias_terms)
      recorder.term_names_[recorder.term_count_++] = name;

  const std::size_t cells = elements_of(recorder.heads_, recorder.rows_, recorder.columns_);
  const auto reserve = [&](RecordKind kind, Buffer<float>& buffer, std::size_t count) -> Status {
    return recorder.wants(kind) ? buffer.reserve(count) : Status();
  };
  WF_RETURN_IF_ERROR(reserve(kRecordWeights, recorder.weights_, cells));
  WF_RETURN_IF_ERROR(reserve(kRecordLogits, recorder.logits_, cells));
  WF_RETURN_IF_ERROR(reserve(kRecordEffective, recorder.effective_weights_, cells));
  WF_RETURN_IF_ERROR(reserve(kRecordMaskedLogits, recorder.masked_logits_, cells));
  WF_RETURN_IF_ERROR(
      reserve(kRecordNobody, recorder.nobody_, elements_of(recorder.heads_, recorder.rows_)));
  WF_RETURN_IF_ERROR(
      reserve(kRecordGates, recorder.gates_, elements_of(recorder.heads_, recorder.columns_)));
  recorder.value_channels_ = value_dim ? value_dim : head_dim;
  WF_RETURN_IF_ERROR(
      reserve(kRecordWeightedValues, recorder.weighted_values_,
              elements_of(recorder.heads_, recorder.rows_, recorder.value_channels_)));
  for (int t = 0; t < recorder.term_count_; ++t)
    WF_RETURN_IF_ERROR(reserve(kRecordTerms, recorder.terms_[t], cells));
  WF_RETURN_IF_ERROR(recorder.channel_pairs_.reserve(head_dim));
  const int pairs = schemes.channel_pairs(recorder.channel_pairs_.data());
  recorder.rotated_channels_ = 2 * pairs;
  if (recorder.wants(kRecordPairs)) {
    recorder.pair_count_ = pairs;
    WF_RETURN_IF_ERROR(recorder.pair_shares_.reserve(elements_of(cells, pairs)));
  }
  return recorder;
}

Status Recorder::measure(std::span<const std::int32_t> ids) {
  const auto channels = std::span(channel_pairs_.data(), std::size_t(rotated_channels_));
  WF_ASSIGN_OR_RETURN(measures_, HeadMeasures::make(ids, heads_, channels));
  return {};
}

int Recorder::head_slot(int head) const {
  if (!head_list_.size()) return head;
  const std::int32_t* found = std::lower_bound(head_list_.begin(), head_list_.end(), head);
  return found != head_list_.end() && *found == head ? static_cast<int>(found - head_list_.begin())
                                                     : -1;
}

void Recorder::keep(Buffer<float>& target, int head_slot, int row_slot, const float* values) const {
  float* kept = target.data() + (std::size_t(head_slot) * rows_ + row_slot) * columns_;
  for (int c = 0; c < columns_; ++c) kept[c] = values[column(c)];
}

void Recorder::keep_pairs(const HeadLogits& head, int slot, int row_slot) {
  const int query = row(row_slot);
  const Ablation* ablations = head.schemes.surgery ? head.schemes.surgery->of(head.head) : nullptr;
  const float factor = head.query_factor(query);
  float* kept =
      pair_shares_.data() + (std::size_t(slot) * rows_ + row_slot) * columns_ * pair_count_;
  for (int c = 0; c < columns_; ++c) {
    for (int p = 0; p < pair_count_; ++p) {
      const int a = channel_pairs_[2 * p], b = channel_pairs_[2 * p + 1];
      const Ablation ablation = ablations ? ablations[kMaxTerms + a] : Ablation::kNone;
      const bool is_rotated = ablation == Ablation::kNone;
      const float* q = (is_rotated ? head.q : head.raw_q).row(query);
      const float* k = (is_rotated ? head.k : head.raw_k).row(column(c));
      const float scale = is_rotated ? head.scale : head.scale * factor;
      *kept++ = ablation == Ablation::kRemoved ? 0 : scale * (q[a] * k[a] + q[b] * k[b]);
    }
  }
}

void Recorder::record_head(const HeadLogits& head, ConstMatrix weighted_values, float* work,
                           MatmulScratch& matmul) {
  if (!kinds_) return;
  const int slot = head_slot(head.head), keys = head.k.rows;
  for (int r = 0; r < rows_ && wants(kRecordWeightedValues); ++r)
    std::copy_n(weighted_values.row(row(r)), value_channels_,
                weighted_values_.data() + (std::size_t(slot) * rows_ + r) * value_channels_);
  if (kinds_ == kRecordWeightedValues) return;
  for (int c = 0; c < columns_ && wants(kRecordGates); ++c)
    gates_[std::size_t(slot) * columns_ + c] = head.gate(column(c));
  for (int r = 0; r < rows_; ++r) {
    const int query = row(r);
    float* logits = fill_terms(head, query, work, matmul);
    for (int t = 0; t < term_count_; ++t)
      if (wants(kRecordTerms)) keep(terms_[t], slot, r, work + std::size_t(t) * keys);
    if (wants(kRecordLogits)) keep(logits_, slot, r, logits);
    if (head.softcap > 0) softcap_row(logits, keys, head.softcap);
    head.mask.apply(head.head, query, 1, 0, keys, logits, keys);
    if (wants(kRecordMaskedLogits)) keep(masked_logits_, slot, r, logits);
    // Computed from the recorded logits, as those of the tiles are rounded differently.
    const float nobody = wants(kRecordWeights) || wants(kRecordNobody)
                             ? detail::softmax_with_sink(logits, keys, head.sink)
                             : 0;
    if (wants(kRecordWeights)) keep(weights_, slot, r, logits);
    if (wants(kRecordNobody)) nobody_.data()[std::size_t(slot) * rows_ + r] = nobody;
    if (wants(kRecordPairs) && pair_count_) keep_pairs(head, slot, r);
  }
}

}  // namespace wf
