// Chooses the next token from logits.
#pragma once

#include <cstdint>

#include "status.h"
#include "tensor/buffer.h"
#include "tensor/random.h"

namespace wf {

constexpr int kMaxPenalty = 100;

// In this order: adds the tokens' biases to the logits, applies the penalties, divides by the
// temperature, keeps the top_k most probable tokens, then the fewest of these whose probabilities
// sum to at least top_p (Holtzman et al. 2020, arXiv 1904.09751, section 3.1), then those at least
// min_p times as probable as the most probable one (Nguyen et al. 2024, arXiv 2407.01082), and
// draws one according to the probabilities. Equal logits are ordered by id.
struct SamplingOptions {
  float temperature = 1;  // 0: always the most probable token
  int top_k = 0;  // 0: all
  float top_p = 1;  // above 0, up to 1
  float min_p = 0;  // 0 to 1; 0: all
  // Divides the positive logits of tokens of the text, prompt included, and multiplies the negative
  // ones (Keskar et al. 2019, arXiv 1909.05858, equation 1). Above 0; 1: no effect.
  float repetition_penalty = 1;
  // Subtracted from the logits of generated tokens: once, and once for each time.
  float presence_penalty = 0;
  float frequency_penalty = 0;
  std::uint64_t seed = 0;

  // Errors: kInvalidArgument, which names the option, its value and what is allowed.
  Status validate() const;
  bool has_penalty() const {
    return repetition_penalty != 1 || presence_penalty != 0 || frequency_penalty != 0;
  }
};

class Sampler {
 public:
  Sampler() = default;  // replaced by the result of `make`
  // Errors: those of validate(); kOutOfMemory.
  static Result<Sampler> make(const SamplingOptions& options, int vocab_size);

  // Adds `bias` to the logits of a token in [0, V) from now on. Errors: kInvalidArgument for
  // another id or a bias that is not finite; kOutOfMemory.
  Status add_bias(std::int32_t id, float bias);
  // Notes a token of the text, in [0, V), for the penalties.
  enum class Origin : bool { kPrompt, kGenerated };
  void note(std::int32_t id, Origin origin);

  // A token id in [0, V). logits [V]; if one is NaN or infinite, the id of the largest.
  std::int32_t pick(const float* logits);

 private:
  // The logits with biases and penalties.
  const float* adjusted(const float* logits);
  double weigh(const float* logits);
  double sum_of(int first, int last) const;
  void divide(const float* logits, int first, int count, int last);
  int keep_nucleus(const float* logits, int count);
  int keep_above_min_p(int count);

  SamplingOptions options_;
  Random random_{0};
  Buffer<std::int32_t> ranked_;
  Buffer<float> weights_;
  // [V], each empty until it is needed.
  Buffer<float> biases_, adjusted_;
  Buffer<std::uint8_t> in_text_;
  Buffer<std::int32_t> times_generated_;
};

}  // namespace wf
