// What each head does with a text, as a few numbers: where its attention goes, how far back, and
// how much of that its positions decide. Taken from tiles of weights after the forward pass, so
// memory does not grow with T².
#pragma once

#include <span>

#include "status.h"
#include "tensor/buffer.h"

namespace wf {

// With the words of the public API. Shares are of a query's attention, averaged over the queries
// for which they are defined; a measure without any such query is NaN.
//   previous, self, first   the share of the token before, of the query's own token, and of the
//                           text's first token (by queries after it)
//   same                    of earlier tokens with the query's id
//   induction               of tokens that follow an earlier token with the query's id (Olsson et
//                           al. 2022, arXiv 2209.11895)
//   nobody                  the share of a learned sink
//   entropy                 of the weights, in bits
//   distance, median        the mean distance of keys, and the distance of the key at which the
//                           weights, added along the text, reach half
//   positional              the share of the variance of a query's logits that position terms
//                           explain: cov(logit − content, logit) / var(logit); of long texts, for
//                           an eighth of the queries
//   byDistance              the share of the variance of weights that the mean weight at each
//                           distance explains: R²
//
// `positional` leaves [0, 1] where content and position pull against each other.
#define WF_HEAD_MEASURES(X)           \
  X(kMeasurePrevious, "previous")     \
  X(kMeasureSelf, "self")             \
  X(kMeasureFirst, "first")           \
  X(kMeasureSame, "same")             \
  X(kMeasureInduction, "induction")   \
  X(kMeasureNobody, "nobody")         \
  X(kMeasureEntropy, "entropy")       \
  X(kMeasureDistance, "distance")     \
  X(kMeasureMedian, "median")         \
  X(kMeasurePositional, "positional") \
  X(kMeasureByDistance, "byDistance")

enum HeadMeasure : int {
#define WF_HEAD_MEASURE(name, word) name,
  WF_HEAD_MEASURES(WF_HEAD_MEASURE)
#undef WF_HEAD_MEASURE
};
#define WF_HEAD_MEASURE(name, word) +1
inline constexpr int kHeadMeasures = 0 WF_HEAD_MEASURES(WF_HEAD_MEASURE);
#undef WF_HEAD_MEASURE

// Sums over the queries of one head, from which its measures follow.
struct HeadSums {
  double sum[kHeadMeasures] = {}, count[kHeadMeasures] = {};
  double squares = 0;  // Σ weight² over all visible pairs of query and key; likewise below
  double weight = 0;
  double visible_cells = 0;
  // By j − i + T − 1 of query i and key j, [2T − 1]: Σ weight; and the steps, whose sums up to an
  // index are the numbers of visible keys, [2T].
  float* by_distance = nullptr;
  float* visible_steps = nullptr;
  // [P]: of each pair, Σ over queries of the covariance of its part of the logits with the logits.
  double* pair_covariance = nullptr;

  void add(HeadMeasure measure, double value, double weight = 1) {
    sum[measure] += value;
    count[measure] += weight;
  }
};

class HeadMeasures {
 public:
  // For self-attention over the tokens `ids` [T]. `channels` [P,2]: the pairs of channels that a
  // head rotates. Errors: kOutOfMemory.
  static Result<HeadMeasures> make(std::span<const std::int32_t> ids, int heads,
                                   std::span<const std::int32_t> channels);

  int tokens() const { return static_cast<int>(ramp_.size()); }
  int pairs() const { return static_cast<int>(channels_.size()) / 2; }
  const std::int32_t* channels() const { return channels_.data(); }
  // 0, 1, 2, …: [T].
  const float* ramp() const { return ramp_.data(); }
  // The earlier tokens with the id of token i, in ascending order.
  std::span<const std::int32_t> earlier(int i) const {
    return {same_.data() + first_[i], static_cast<std::size_t>(rank_[i] - first_[i])};
  }

  // The sums of the next head, all zero; `finish` stores its measures.
  HeadSums begin();
  void finish(int slot, const HeadSums& sums);
  // [P] of a head: the mean length of the query's pair times that of the key's, scaled as logits.
  float* pair_lengths(int slot) { return pair_lengths_.data() + std::size_t(slot) * pairs(); }

  // [P] of a head: the share of the variance of a query's logits that each pair explains, as
  // kMeasurePositional is of the same queries. Those of all pairs, of the channels that do not
  // rotate, and of the biases add up to 1.
  float* pair_shares(int slot) { return pair_shares_.data() + std::size_t(slot) * pairs(); }

  const Buffer<float>& values() const { return values_; }  // [heads, kHeadMeasures]
  const Buffer<float>& curves() const { return curves_; }  // [heads, T], by i − j
  const Buffer<float>& counts() const { return counts_; }  // [heads, T]: keys at i − j
  const Buffer<float>& all_pair_lengths() const { return pair_lengths_; }  // [heads, P]
  const Buffer<float>& all_pair_shares() const { return pair_shares_; }  // [heads, P]

 private:
  Buffer<std::int32_t> same_, first_,
      rank_;  // tokens sorted by id; of each, its group's start and its rank
  Buffer<std::int32_t> channels_;
  Buffer<float> ramp_, by_distance_, visible_steps_, values_, curves_, counts_, pair_lengths_,
      pair_shares_;
  Buffer<double> pair_covariance_;
};

}  // namespace wf
