// Changes to the logits of a trained layer, to show what depends on a term: whole terms, or pairs
// of channels that rotate together, are ablated.
//
// An ablation removes a contribution from the sum of terms and changes nothing else: biases are
// computed from unchanged queries, keys and logits. So the logits are exactly the sum of the other
// terms, and the weights are their softmax. For forward passes of whole sequences only. Heads with
// ablations are computed term by term and row by row (attention/logit_terms), the others in tiles.
#pragma once

#include <span>

#include "attention/layer_schemes.h"
#include "tensor/buffer.h"

namespace wf {

// kRemoved: contributes nothing; kUnrotated: a pair of channels is used as projected, without the
// rotation.
#define WF_ABLATIONS(X) X(kNone, "none") X(kRemoved, "removed") X(kUnrotated, "unrotated")
WF_ENUM_WITH_WORDS(Ablation, WF_ABLATIONS)
#undef WF_ABLATIONS

class Surgery {
 public:
  // `ablations` [H, kMaxTerms + ⌊D/2⌋]: an Ablation for each term of a head (the content, the
  // transform, a query factor beside another transform, then the biases of each scheme in order),
  // and from kMaxTerms on for each pair.
  // Errors: kInvalidArgument for a pair that does not rotate in this layer; kOutOfMemory.
  static Result<Surgery> make(std::span<const std::uint8_t> ablations, const LayerSchemes& schemes,
                              int num_heads, int head_dim);

  // Ablations of the head's terms [kMaxTerms], then of its channels [D]; null if it has none.
  const Ablation* of(int head) const;

 private:
  int stride_ = 0;
  Buffer<Ablation> ablations_;  // [H, kMaxTerms + D]; empty: none
};

}  // namespace wf
