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
  return sampler;
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

std::int32_t Sampler::pick(const float* logits) {
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
  double rest = static_cast<double>(random_.uniform()) * sum_of(0, kept);
  for (int i = 0; i < kept; ++i) {
    rest -= static_cast<double>(weights_[ranked_[i]]);
    if (rest < 0) return ranked_[i];
  }
  return likeliest;  // the sum was rounded down
}

}  // namespace wf
