#include "model/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/softmax.h"

namespace wf {

Status SamplingOptions::validate() const {
  if (!(temperature >= 0 && temperature <= 100))
    return Status::error(Code::kInvalidArgument, "temperature is %g; allowed: 0 to 100",
                         static_cast<double>(temperature));
  if (top_k < 0)
    return Status::error(Code::kInvalidArgument, "topK is %d; allowed: 0 (all) and more", top_k);
  if (!(top_p > 0 && top_p <= 1))
    return Status::error(Code::kInvalidArgument, "topP is %g; allowed: above 0, up to 1",
                         static_cast<double>(top_p));
  return {};
}

Result<Sampler> Sampler::make(const SamplingOptions& options, int vocab_size) {
  WF_RETURN_IF_ERROR(options.validate());
  if (vocab_size < 1)
    return Status::error(Code::kInvalidArgument, "vocab_size is %d; allowed: 1 and more",
                         vocab_size);
  Sampler sampler;
  sampler.options_ = options;
  sampler.random_ = Random(options.seed);
  WF_RETURN_IF_ERROR(sampler.ranked_.reserve(vocab_size));
  WF_RETURN_IF_ERROR(sampler.weights_.reserve(vocab_size));
  return sampler;
}

// weights_ = e^((logit - the highest) / temperature), of every token in ranked_; returns their sum.
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

// The `count` most probable of ranked_[first, last) go before the others.
void Sampler::divide(const float* logits, int first, int count, int last) {
  const auto higher = [logits](std::int32_t a, std::int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  std::int32_t* ids = ranked_.data();
  std::nth_element(ids + first, ids + first + count, ids + last, higher);
}

// The fewest of the first `count` whose weights reach top_p of theirs go to the front; returns how
// many. Halved again and again instead of sorted: a sort of a whole vocabulary takes as long as a
// small model.
int Sampler::keep_nucleus(const float* logits, int count) {
  const double all = sum_of(0, count), enough = static_cast<double>(options_.top_p) * all;
  // Those below this one are less than 1 - top_p together; of text they are nearly all.
  const double least = (all - enough) / count;
  std::int32_t* ids = ranked_.data();
  const auto may_stay = [&](std::int32_t id) { return static_cast<double>(weights_[id]) >= least; };
  count = static_cast<int>(std::partition(ids, ids + count, may_stay) - ids);
  double reached = 0;
  int first = 0;
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
  if (highest == end) return 0;  // none of them is a number
  const auto most_probable = static_cast<std::int32_t>(highest - logits);
  if (options_.temperature == 0) return most_probable;
  // So it is where a logit is infinite or no number, and those cannot be ranked.
  if (!std::isfinite(weigh(logits))) return most_probable;
  int kept = options_.top_k > 0 ? std::min(options_.top_k, count) : count;
  if (kept < count) divide(logits, 0, kept, count);
  if (options_.top_p < 1) kept = keep_nucleus(logits, kept);
  double rest = static_cast<double>(random_.uniform()) * sum_of(0, kept);
  for (int i = 0; i < kept; ++i) {
    rest -= static_cast<double>(weights_[ranked_[i]]);
    if (rest < 0) return ranked_[i];
  }
  return most_probable;  // the sum was rounded
}

}  // namespace wf
