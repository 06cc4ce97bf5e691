// Deviations of a model's blocks from Llama's: order of norms, biases, activation, residual,
// multipliers, output head. The defaults are Llama's block; unused options cost nothing.
#pragma once

#include "fields.h"
#include "kernels/activation.h"
#include "kernels/adaptive_softmax.h"
#include "tensor/extent.h"

namespace wf {

// RMSNorm, or layer normalisation.
#define WF_NORM_KINDS(X) X(kRms, "rms") X(kLayer, "layer")
WF_ENUM_WITH_WORDS(NormKind, WF_NORM_KINDS)
#undef WF_NORM_KINDS

// Norms of the functions f (attention and feed-forward):
//   kBefore  x += f(norm(x))        Llama, GPT-2
//   kAfter   x = norm(x + f(x))     BERT (post-norm)
//   kOutput  x += norm(f(x))        OLMo-2
//   kAround  x += norm(f(norm(x)))  Gemma 2
#define WF_NORM_ORDERS(X) \
  X(kBefore, "before")    \
  X(kAfter, "after")      \
  X(kOutput, "output")    \
  X(kAround, "around")
WF_ENUM_WITH_WORDS(NormPlace, WF_NORM_ORDERS)
#undef WF_NORM_ORDERS

// kParallel: attention and feed-forward layer both read the block's input, each with its own norm
// (GPT-NeoX); kShared: with a common norm (GPT-J, Phi, Falcon).
#define WF_RESIDUALS(X) X(kSerial, "serial") X(kParallel, "parallel") X(kShared, "shared")
WF_ENUM_WITH_WORDS(Residual, WF_RESIDUALS)
#undef WF_RESIDUALS

// The gate of attention's outputs: none, a number for each channel (Qwen3-Next), or one for each
// head.
#define WF_ATTENTION_GATES(X) X(kNone, "none") X(kChannels, "channels") X(kHeads, "heads")
WF_ENUM_WITH_WORDS(AttentionGate, WF_ATTENTION_GATES)
#undef WF_ATTENTION_GATES

// The output head: the token embedding, a separate matrix, or none (an encoder returns hidden
// states).
#define WF_HEADS(X) X(kTied, "tied") X(kOwn, "own") X(kNone, "none")
WF_ENUM_WITH_WORDS(Head, WF_HEADS)
#undef WF_HEADS

constexpr int kMaxLayers = 256;

// Maximum experts of a layer, and those of a token.
constexpr int kMaxExperts = 1024, kMaxChosenExperts = 64;

// How the router's logits become the weights of the chosen experts: by a softmax over all experts,
// or a sigmoid of each; "OfChosen": then divided by their sum over the chosen experts (for a
// softmax the same as a softmax over these).
#define WF_ROUTERS(X)                    \
  X(kSoftmax, "softmax")                 \
  X(kSoftmaxOfChosen, "softmaxOfChosen") \
  X(kSigmoid, "sigmoid")                 \
  X(kSigmoidOfChosen, "sigmoidOfChosen")
WF_ENUM_WITH_WORDS(Router, WF_ROUTERS)
#undef WF_ROUTERS

struct Architecture {
#define WF_FIELD WF_FIELD_MEMBER
#include "model/architecture_fields.def"
  // Adaptive softmax: first token of each cluster of rarer tokens. The logits are then
  // log-probabilities.
  int cluster_count = 0;
  int cutoffs[kMaxClusters] = {};

  static std::span<const Field> fields();
  // Checks the ranges of the fields. Errors: kInvalidArgument.
  Status check_ranges() const;

  std::span<const int> clusters() const {
    return {cutoffs, static_cast<std::size_t>(cluster_count)};
  }

  bool normalises_inputs() const {
    return norm_place == NormPlace::kBefore || norm_place == NormPlace::kAround;
  }
  bool normalises_outputs() const { return norm_place != NormPlace::kBefore; }
  // Whether the experts' weights are divided by their sum.
  bool divides_weights() const {
    return router == Router::kSoftmaxOfChosen || router == Router::kSigmoidOfChosen;
  }
  bool scores_by_sigmoid() const {
    return router == Router::kSigmoid || router == Router::kSigmoidOfChosen;
  }
  // Of the delta rule and of Mamba-2: channels of all heads of keys, of values, and of all that
  // passes its convolution; and the numbers of its state.
  int delta_keys() const { return delta_key_heads * delta_key_dim; }
  int delta_values() const { return delta_value_heads * delta_value_dim; }
  int delta_mixed() const { return 2 * delta_keys() + delta_values(); }
  std::size_t delta_state() const {
    return elements_of(delta_value_heads, delta_key_dim, delta_value_dim);
  }
  bool is_parallel() const { return residual != Residual::kSerial; }
};

}  // namespace wf
