// Softmax cross-entropy over a vocabulary.
#pragma once

#include <cstdint>

#include "tensor/view.h"

namespace wf {

// For each row of logits [T,V]: loss[t] = log Σ exp(logits) - logits[target] in nats, and the row
// becomes weight · (softmax - one_hot(target)), its gradient. A target of -1 is ignored: loss 0,
// gradient 0. `loss` may be null.
void cross_entropy_with_gradient(Matrix logits, const std::int32_t* targets, float weight,
                                 float* loss);

// Writes the losses; the logits are not changed.
void cross_entropy(ConstMatrix logits, const std::int32_t* targets, float* loss);

}  // namespace wf
