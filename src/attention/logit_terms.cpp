#include "attention/logit_terms.h"

#include <algorithm>

#include "attention/distance_bias.h"
#include "attention/surgery.h"
#include "kernels/dot.h"

namespace wf {
namespace {

// The terms of one row, with scratch memory.
class RowTerms {
 public:
  RowTerms(const HeadLogits& head, int row, float* terms, MatmulScratch& scratch)
      : head_(head),
        row_(row),
        keys_(head.k.rows),
        width_(head.k.columns),
        raw_width_(head.raw_q.columns),
        ablations_(head.schemes.surgery ? head.schemes.surgery->of(head.head) : nullptr),
        terms_(terms),
        logits_(terms + std::size_t{kMaxTerms} * keys_),
        run_(logits_ + keys_),
        mask_(run_ + keys_),
        kept_channels_(mask_ + keys_),
        scratch_(scratch) {
    std::fill_n(terms, std::size_t{kMaxTerms} * keys_, 0.0f);
  }

  void add_content() {
    int position_channels = 0;
    for (const LayerScheme& item : head_.schemes)
      position_channels = std::max(position_channels, item.scheme->position_channels());
    product(kept(raw(), true, true), head_.raw_k, raw_width_ - position_channels, terms_);
    count_ = 1;
  }

  void add_transforms() {
    if (!has_transform()) return;
    const bool rotates = head_.schemes.transform(false), scales = head_.schemes.transform(true);
    const float factor = head_.query_factor(row_);
    float* change = next_terms(rotates + scales);
    product(kept(rotated(), true, false), head_.k, width_, change);
    if (ablates_channels())
      product(kept(raw(), false, true), head_.raw_k, raw_width_, change, Accumulate::kYes, factor);
    if (rotates && scales) {
      // A query times zero has lost what rotated it.
      float* of_factor = change + keys_;
      for (int j = 0; j < keys_; ++j) {
        const float rotated = factor == 0 ? terms_[j] : change[j] / factor;
        of_factor[j] = change[j] - rotated;
        change[j] = rotated;
      }
    }
    for (int j = 0; j < keys_; ++j) change[j] -= terms_[j];
  }

  void add_biases() {
    std::fill_n(mask_, keys_, 0.0f);
    head_.mask.apply(head_.head, row_, 1, 0, keys_, mask_, keys_);
    for (int i = 0; i < head_.schemes.count; ++i) {
      const LayerScheme& item = head_.schemes.items[i];
      const int names = static_cast<int>(item.description->bias_terms.size());
      float* biases = next_terms(names);
      if (item.has(kHookBias)) add_tile_biases(item, head_.contexts[i], biases);
      if (item.has(kHookDistanceStrip))
        add_distance_row(item, head_.contexts[i], head_.head, row_, 0, keys_, run_,
                         biases + std::size_t(names - 1) * keys_);
    }
  }

  // Sets removed terms to zero and returns the sum.
  float* sum() {
    std::fill_n(logits_, keys_, 0.0f);
    for (int t = 0; t < count_; ++t) {
      float* term = terms_ + std::size_t(t) * keys_;
      // The list of ablations has an entry for the transform even if there is none.
      if (ablations_ && ablations_[t && !has_transform() ? t + 1 : t] == Ablation::kRemoved)
        std::fill_n(term, keys_, 0.0f);
      add_to(term, keys_, logits_);
    }
    return logits_;
  }

 private:
  const float* raw() const { return head_.raw_q.row(row_); }
  const float* rotated() const { return head_.q.row(row_); }
  // Pairs of channels that can be ablated are not widened.
  bool ablates_channels() const { return ablations_ && width_ == raw_width_; }
  bool has_transform() const { return head_.schemes.any(kHookTransform); }
  float* next_terms(int count) {
    float* first = terms_ + std::size_t(count_) * keys_;
    count_ += count;
    return first;
  }

  // A query with zeros instead of removed channels: `whole` keeps channels without an ablation,
  // `as_projected` those used without the rotation.
  const float* kept(const float* q, bool whole, bool as_projected) const {
    if (!ablates_channels()) return q;
    for (int c = 0; c < width_; ++c) {
      const Ablation ablation = ablations_[kMaxTerms + c];
      kept_channels_[c] = (ablation == Ablation::kNone && whole) ||
                                  (ablation == Ablation::kUnrotated && as_projected)
                              ? q[c]
                              : 0;
    }
    return kept_channels_;
  }

  void product(const float* q, ConstMatrix k, int channels, float* out,
               Accumulate accumulate = Accumulate::kNo, float factor = 1) {
    matmul(1, keys_, channels, factor * head_.scale, {q, width_},
           Operand{k.data, k.stride}.transposed(), out, keys_, accumulate, scratch_);
  }

  void add_tile_biases(const LayerScheme& item, const LayerContext& context, float* terms) {
    float* tiles[kMaxTerms];
    for (int t = 0; t < static_cast<int>(item.description->bias_terms.size()); ++t)
      tiles[t] = terms + std::size_t(t) * keys_;
    // The scheme reads the complete logit of q·k, as in a tile.
    product(rotated(), head_.k, width_, run_);
    // The row is one single tile: the carry starts at zero and is dropped at the end.
    float carry[kMaxCarryFloats] = {};
    item.scheme->bias_logits(context, {.head = head_.head,
                                       .kv_head = head_.kv_head,
                                       .row0 = row_,
                                       .rows = 1,
                                       .column0 = 0,
                                       .columns = keys_,
                                       .logits = run_,
                                       .stride = keys_,
                                       .q = {rotated(), 1, width_, head_.q.stride},
                                       .k = head_.k,
                                       .terms = tiles,
                                       .content = run_,
                                       .mask = mask_,
                                       .carry = carry});
  }

  const HeadLogits& head_;
  int row_, keys_;
  int width_, raw_width_;  // channels after the transforms and before
  const Ablation* ablations_;  // of this head; null if there are none
  int count_ = 0;  // terms so far
  float *terms_, *logits_, *run_, *mask_, *kept_channels_;
  MatmulScratch& scratch_;
};

}  // namespace

float HeadLogits::query_factor(int row) const {
  float factor = 1;
  for (int i = 0; i < schemes.count; ++i)
    factor *= schemes.items[i].scheme->query_factor(contexts[i], head,
                                                    contexts[i].query_positions.at(row));
  return factor;
}

float HeadLogits::gate(int key) const {
  float gate = 1;
  for (int i = 0; i < schemes.count; ++i)
    gate *= schemes.items[i].scheme->gate(contexts[i], head, key);
  return gate;
}

float* fill_terms(const HeadLogits& head, int row, float* terms, MatmulScratch& scratch) {
  if (head.k.rows == 0) return terms;  // schemes may read the first key
  RowTerms all(head, row, terms, scratch);
  all.add_content();
  all.add_transforms();
  all.add_biases();
  return all.sum();
}

}  // namespace wf
