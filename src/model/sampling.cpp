#include "model/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

// Ranks what top_k lets through at the front of ranked_; returns how many.
int Sampler::keep_top(const float* logits) {
  const auto higher = [logits](std::int32_t a, std::int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  std::iota(ranked_.begin(), ranked_.end(), 0);
  const int all = static_cast<int>(ranked_.size());
  const int kept = options_.top_k > 0 ? std::min(options_.top_k, all) : all;
  std::partial_sort(ranked_.begin(), ranked_.begin() + kept, ranked_.end(), higher);
  return kept;
}

std::int32_t Sampler::pick(const float* logits) {
  if (options_.temperature == 0)
    return static_cast<std::int32_t>(std::max_element(logits, logits + ranked_.size()) - logits);
  int kept = keep_top(logits);
  const double highest = logits[ranked_[0]];
  double total = 0;
  for (int i = 0; i < kept; ++i) {
    weights_[i] =
        std::exp((logits[ranked_[i]] - highest) / static_cast<double>(options_.temperature));
    total += weights_[i];
  }
  if (options_.top_p < 1) {
    const double enough = static_cast<double>(options_.top_p) * total;
    double reached = 0;
    int used = 0;
    while (used < kept && reached < enough) reached += weights_[used++];
    kept = used;
    total = reached;
  }
  double rest = static_cast<double>(random_.uniform()) * total;
  for (int i = 0; i + 1 < kept; ++i) {
    rest -= weights_[i];
    if (rest < 0) return ranked_[i];
  }
  return ranked_[std::max(kept, 1) - 1];  // none is kept where a logit is no number
}

}  // namespace wf
