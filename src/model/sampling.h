// Chooses the next token from logits.
#pragma once

#include <cstdint>

#include "status.h"
#include "tensor/buffer.h"
#include "tensor/random.h"

namespace wf {

// In this order: divides the logits by the temperature, keeps the top_k most probable tokens, then
// the fewest of these whose probabilities sum to at least top_p (Holtzman et al. 2020, arXiv
// 1904.09751, section 3.1), and draws one according to the probabilities. Equal logits are ordered
// by id.
struct SamplingOptions {
  float temperature = 1;  // 0: always the most probable token
  int top_k = 0;  // 0: all
  float top_p = 1;  // above 0, up to 1
  std::uint64_t seed = 0;

  // Errors: kInvalidArgument, which names the option, its value and what is allowed.
  Status validate() const;
};

class Sampler {
 public:
  Sampler() = default;  // replaced by the result of `make`
  // Errors: those of validate(); kOutOfMemory.
  static Result<Sampler> make(const SamplingOptions& options, int vocab_size);

  // A token id in [0, V). logits [V]; if one is NaN or infinite, the id of the largest.
  std::int32_t pick(const float* logits);

 private:
  double weigh(const float* logits);
  double sum_of(int first, int last) const;
  void divide(const float* logits, int first, int count, int last);
  int keep_nucleus(const float* logits, int count);

  SamplingOptions options_;
  Random random_{0};
  Buffer<std::int32_t> ranked_;
  Buffer<float> weights_;
};

}  // namespace wf
