#include "model/sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "kernels/softmax.h"

namespace wf {
namespace {

// Weights are between 0 and 1, and the bits of such floats have the order of the floats: the
// weights in a bin differ by at most an eighth of the smallest.
constexpr int kBinShift = 20, kBins = 1024;
using Bins = std::array<double, kBins>;

std::size_t bin_of(float weight) { return std::bit_cast<std::uint32_t>(weight) >> kBinShift; }

// The bin in which the sum, from the largest weights downwards, reaches `enough`; sets `above` to
// the sum of the bins before it.
std::size_t bin_that_reaches(const Bins& sums, double enough, double& above) {
  std::size_t bin = kBins - 1;
  for (above = 0; bin > 0 && above + sums[bin] < enough; --bin) above += sums[bin];
  return bin;
}

}  // namespace

Status SamplingOptions::validate() const {
  if (!(temperature >= 0 && temperature <= 100))
    return WF_UNEXPECTED("temperature", "%g", "0 to 100", static_cast<double>(temperature));
  if (top_k < 0) return WF_UNEXPECTED("topK", "%d", "0 (all) or more", top_k);
  if (!(top_p > 0 && top_p <= 1))
    return WF_UNEXPECTED("topP", "%g", "a number above 0, up to 1", static_cast<double>(top_p));
  if (!(min_p >= 0 && min_p <= 1))
    return WF_UNEXPECTED("minP", "%g", "0 to 1", static_cast<double>(min_p));
  if (!(repetition_penalty > 0 && repetition_penalty <= kMaxPenalty))
    return WF_UNEXPECTED("repetitionPenalty", "%g", "a number above 0, up to %d",
                         static_cast<double>(repetition_penalty), kMaxPenalty);
  if (!(std::fabs(presence_penalty) <= kMaxPenalty))
    return WF_UNEXPECTED("presencePenalty", "%g", "-%d to %d",
                         static_cast<double>(presence_penalty), kMaxPenalty, kMaxPenalty);
  if (!(std::fabs(frequency_penalty) <= kMaxPenalty))
    return WF_UNEXPECTED("frequencyPenalty", "%g", "-%d to %d",
                         static_cast<double>(frequency_penalty), kMaxPenalty, kMaxPenalty);
  return {};
}

Result<Sampler> Sampler::make(const SamplingOptions& options, int vocab_size) {
  WF_RETURN_IF_ERROR(options.validate());
  if (vocab_size < 1) return WF_UNEXPECTED("vocabSize", "%d", "1 or more", vocab_size);
  Sampler sampler;
  sampler.options_ = options;
  sampler.random_ = Random(options.seed);
  WF_RETURN_IF_ERROR(sampler.ranked_.reserve(vocab_size));
  WF_RETURN_IF_ERROR(sampler.weights_.reserve(vocab_size));
  if (!options.has_penalty()) return sampler;
  WF_ASSIGN_OR_RETURN(sampler.in_text_, Buffer<std::uint8_t>::make(vocab_size));
  WF_ASSIGN_OR_RETURN(sampler.times_generated_, Buffer<std::int32_t>::make(vocab_size));
  WF_RETURN_IF_ERROR(sampler.adjusted_.reserve(vocab_size));
  return sampler;
}

Status Sampler::add_bias(std::int32_t id, float bias) {
  const int vocab_size = static_cast<int>(ranked_.size());
  if (id < 0 || id >= vocab_size)
    return WF_UNEXPECTED("logitBias", "token %d", "tokens 0 to %d", id, vocab_size - 1);
  if (!std::isfinite(bias))
    return WF_UNEXPECTED("logitBias[%d]", "%g", "a finite number", id, static_cast<double>(bias));
  if (biases_.size() == 0) {
    WF_ASSIGN_OR_RETURN(biases_, Buffer<float>::make(vocab_size));
    WF_RETURN_IF_ERROR(adjusted_.reserve(vocab_size));
  }
  biases_[id] += bias;
  return {};
}

void Sampler::note(std::int32_t id, Origin origin) {
  if (!options_.has_penalty()) return;
  in_text_[id] = 1;
  times_generated_[id] += origin == Origin::kGenerated;
}

const float* Sampler::adjusted(const float* logits) {
  if (adjusted_.size() == 0) return logits;
  const int count = static_cast<int>(ranked_.size());
  std::copy_n(logits, count, adjusted_.data());
  if (biases_.size() > 0)
    for (int i = 0; i < count; ++i) adjusted_[i] += biases_[i];
  if (!options_.has_penalty()) return adjusted_.data();
  for (int i = 0; i < count; ++i) {
    if (!in_text_[i]) continue;
    float& logit = adjusted_[i];
    logit = logit > 0 ? logit / options_.repetition_penalty : logit * options_.repetition_penalty;
    if (times_generated_[i] > 0)
      logit -= options_.presence_penalty + options_.frequency_penalty * times_generated_[i];
  }
  return adjusted_.data();
}

// Sets weights_ to e^((logit - the largest) / temperature) for every token in ranked_; returns the
// sum.
double Sampler::weigh(const float* logits) {
  const int count = static_cast<int>(ranked_.size());
  std::iota(ranked_.begin(), ranked_.end(), 0);
  std::copy_n(logits, count, weights_.data());
  scale_row(weights_.data(), count, 1 / options_.temperature);
  exponentials(weights_.data(), count, row_maximum(weights_.data(), count));
  return sum_of(0, count);
}

double Sampler::sum_of(int first, int last) const {
  double sum = 0;
  for (int i = first; i < last; ++i) sum += static_cast<double>(weights_[ranked_[i]]);
  return sum;
}

// Partitions ranked_[first, last) so that the `count` most probable are first.
void Sampler::divide(const float* logits, int first, int count, int last) {
  const auto higher = [logits](std::int32_t a, std::int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  std::int32_t* ids = ranked_.data();
  std::nth_element(ids + first, ids + first + count, ids + last, higher);
}

// Moves the fewest of the first `count` tokens whose weights sum to top_p of the total to the
// front; returns their number. Selects whole bins first, then bisects the bin in which top_p is
// reached. Sorting a whole vocabulary would take as long as a small model.
int Sampler::keep_nucleus(const float* logits, int count) {
  Bins sums{};
  std::int32_t* ids = ranked_.data();
  for (int i = 0; i < count; ++i) {
    const float weight = weights_[ids[i]];
    sums[bin_of(weight)] += static_cast<double>(weight);
  }
  const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
  const double enough = static_cast<double>(options_.top_p) * all;
  double reached = 0;
  const std::size_t last = bin_that_reaches(sums, enough, reached);
  const auto is_above = [&](std::int32_t id) { return bin_of(weights_[id]) > last; };
  const auto is_inside = [&](std::int32_t id) { return bin_of(weights_[id]) == last; };
  int first = static_cast<int>(std::partition(ids, ids + count, is_above) - ids);
  count = static_cast<int>(std::partition(ids + first, ids + count, is_inside) - ids);
  while (count - first > 1) {
    const int half = (count - first) / 2;
    divide(logits, first, half, count);
    const double with_half = reached + sum_of(first, first + half);
    if (with_half >= enough) {
      count = first + half;
    } else {
      first += half;
      reached = with_half;
    }
  }
  return count;
}

// Moves those of the first `count` tokens that are at least min_p times as probable as the most
// probable one, whose weight is 1, to the front; returns their number.
int Sampler::keep_above_min_p(int count) {
  std::int32_t* ids = ranked_.data();
  const auto is_kept = [&](std::int32_t id) { return weights_[id] >= options_.min_p; };
  return static_cast<int>(std::partition(ids, ids + count, is_kept) - ids);
}

std::int32_t Sampler::pick(const float* given) {
  const float* logits = adjusted(given);
  const auto count = static_cast<int>(ranked_.size());
  const float* end = logits + count;
  const float* highest = std::find(logits, end, row_maximum(logits, count));
  if (highest == end) return 0;  // all are NaN
  const auto likeliest = static_cast<std::int32_t>(highest - logits);
  if (options_.temperature == 0) return likeliest;
  // Also if a logit is infinite or NaN, as those cannot be ranked.
  if (!std::isfinite(weigh(logits))) return likeliest;
  int kept = options_.top_k > 0 ? std::min(options_.top_k, count) : count;
  if (kept < count) divide(logits, 0, kept, count);
  if (options_.top_p < 1) kept = keep_nucleus(logits, kept);
  if (options_.min_p > 0) kept = keep_above_min_p(kept);
  double rest = static_cast<double>(random_.uniform()) * sum_of(0, kept);
  for (int i = 0; i < kept; ++i) {
    rest -= static_cast<double>(weights_[ranked_[i]]);
    if (rest < 0) return ranked_[i];
  }
  return likeliest;  // the sum was rounded down
}

}  // namespace wf
