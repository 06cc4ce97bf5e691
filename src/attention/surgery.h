// What is cut out of the logits of a trained layer, to see what depends on it: whole terms, and
// pairs of channels that turn together.
//
// A cut takes its share out of the sum of terms and changes nothing else: biases see queries, keys
// and logits as they were. So what is left is exactly the sum of the other terms, and the weights
// are its softmax. For the forward pass of whole sequences alone; a head that is cut goes by its
// terms, row by row (attention/logit_terms), the others by tiles.
#pragma once

#include <span>

#include "attention/layer_schemes.h"
#include "tensor/buffer.h"

namespace wf {

enum class Ablation : std::uint8_t {
  kNone,
  kRemoved,       // it adds nothing
  kUnrotated,  // a pair of channels stays as it was projected
};

class Surgery {
 public:
  // `cuts` [H, kMaxTerms + ⌊D/2⌋]: a Cut for each term of a head (the content, what transforms
  // change, then the biases of each scheme in turn), and from kMaxTerms on for each pair.
  // Errors: kInvalidArgument for a pair that does not turn here; kOutOfMemory.
  static Result<Surgery> make(std::span<const std::uint8_t> ablations, const LayerSchemes& schemes,
                              int num_heads, int head_dim);

  // ModelSurgery of its terms [kMaxTerms], then of its channels [D]; null where nothing of the head
  // is cut.
  const Ablation* of(int head) const;

 private:
  int stride_ = 0;
  Buffer<Ablation> ablations_;  // [H, kMaxTerms + D]; empty: none
};

}  // namespace wf
