// Records intermediate values of attention: weights, logits, and the named terms of every logit,
// which are those before softcap and mask and sum to the logit (attention/logit_terms.h).
#pragma once

#include <optional>
#include <span>

#include "attention/head_measures.h"
#include "attention/logit_terms.h"
#include "tensor/buffer.h"

namespace wf {

// With the words of the public API.
#define WF_RECORD_KINDS(X)                            \
  X(kRecordWeights, 1u << 0, "weights")               \
  X(kRecordLogits, 1u << 1, "logits")                 \
  X(kRecordMaskedLogits, 1u << 2, "maskedLogits")     \
  X(kRecordTerms, 1u << 3, "terms")                   \
  X(kRecordPairs, 1u << 4, "pairs")                   \
  X(kRecordNobody, 1u << 5, "nobody")                 \
  X(kRecordGates, 1u << 6, "gates")                   \
  X(kRecordWeightedValues, 1u << 7, "weightedValues") \
  X(kRecordEffective, 1u << 8, "effectiveWeights")

enum RecordKind : std::uint32_t {
#define WF_RECORD_KIND(name, bit, word) name = bit,
  WF_RECORD_KINDS(WF_RECORD_KIND)
#undef WF_RECORD_KIND
};
#define WF_OR_RECORD_KIND(name, bit, word) | (bit)
inline constexpr int kAllRecordKinds = 0 WF_RECORD_KINDS(WF_OR_RECORD_KIND);
#undef WF_OR_RECORD_KIND

// Sorted, distinct indices; an empty list means all.
struct Region {
  std::span<const std::int32_t> heads;
  std::span<const std::int32_t> rows;
  std::span<const std::int32_t> columns;
};

class Recorder {
 public:
  // Allocates all memory, as the recorded shapes are known. value_dim 0 means head_dim. Errors:
  // kInvalidArgument for an index out of range; kOutOfMemory.
  static Result<Recorder> make(std::uint32_t kinds, const Region& region,
                               const LayerSchemes& schemes, int num_heads, int head_dim,
                               int queries, int keys, int value_dim = 0);

  // For a call with fewer keys than `make` was told, all of which are recorded: another row of a
  // text that grows.
  void begin_row(int keys) { columns_ = keys; }

  // Also measures each requested head over the tokens `ids` [T] of self-attention. Errors:
  // kOutOfMemory.
  Status measure(std::span<const std::int32_t> ids);
  // Null unless requested.
  HeadMeasures* measures() { return measures_ ? &*measures_ : nullptr; }
  const HeadMeasures* measures() const { return measures_ ? &*measures_ : nullptr; }

  std::uint32_t kinds() const { return kinds_; }
  bool wants(RecordKind kind) const { return kinds_ & kind; }
  bool wants_head(int head) const { return head_slot(head) >= 0; }
  // The index among the recorded heads; -1 for others.
  int head_slot(int head) const;

  int heads() const { return heads_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int max_columns() const { return max_columns_; }
  int pairs() const { return pair_count_; }
  int value_channels() const { return value_channels_; }
  int term_count() const { return term_count_; }
  const char* term_name(int term) const { return term_names_[term]; }

  // [heads, rows, columns]; empty unless requested.
  const Buffer<float>& weights() const { return weights_; }
  const Buffer<float>& logits() const { return logits_; }
  const Buffer<float>& masked_logits() const { return masked_logits_; }
  const Buffer<float>& term(int index) const { return terms_[index]; }
  // [heads, rows]: what a learned sink takes of the row's weight; 0 without one.
  const Buffer<float>& nobody() const { return nobody_; }
  // [heads, columns]: the forget gate of each key; 1 without one.
  const Buffer<float>& gates() const { return gates_; }
  // [heads, rows, Dv]: the sum of the weighted values, before a scheme transforms it (rotates it
  // back) to the output of the head.
  const Buffer<float>& weighted_values() const { return weighted_values_; }
  // [heads, rows, columns]: of a layer without attention, the factors of its values; the layer
  // itself writes them.
  Buffer<float>& effective_weights() { return effective_weights_; }
  const Buffer<float>& effective_weights() const { return effective_weights_; }
  // Copies the values [S] of the requested columns to a requested row of a head.
  void keep(Buffer<float>& target, int head_slot, int row_slot, const float* values) const;
  // The query of a requested row.
  int row(int slot) const { return row_list_.size() ? row_list_[slot] : slot; }
  // [heads, rows, columns, pairs]: scale · the contribution of each pair of channels to q·k.
  const Buffer<float>& pair_shares() const { return pair_shares_; }

  // Called by attention once for each requested head, after its forward pass. Recording takes O(S)
  // scratch memory, never O(T·S).
  void record_head(const HeadLogits& head, ConstMatrix weighted_values, float* work,
                   MatmulScratch& matmul);

 private:
  int column(int slot) const { return column_list_.size() ? column_list_[slot] : slot; }
  void keep_pairs(const HeadLogits& head, int head_slot, int row_slot);

  std::uint32_t kinds_ = 0;
  int heads_ = 0, rows_ = 0, columns_ = 0, max_columns_ = 0, pair_count_ = 0, term_count_ = 0;
  int value_channels_ = 0;
  int rotated_channels_ = 0;
  const char* term_names_[kMaxTerms] = {};
  Buffer<std::int32_t> head_list_, row_list_, column_list_, channel_pairs_;
  Buffer<float> weights_, logits_, masked_logits_, pair_shares_, nobody_, gates_;
  Buffer<float> weighted_values_;
  Buffer<float> effective_weights_;
  Buffer<float> terms_[kMaxTerms];
  std::optional<HeadMeasures> measures_;
};

}  // namespace wf
