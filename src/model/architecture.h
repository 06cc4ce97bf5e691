// Deviations of a model's blocks from Llama's: order of norms, biases, activation, residual,
// multipliers, output head. The defaults are Llama's block; unused options cost nothing.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/adaptive_softmax.h"

namespace wf {

// RMSNorm, or layer normalisation.
enum class NormKind : std::uint8_t { kRms, kLayer };

// Norms of the functions f (attention and feed-forward):
//   kBefore  x += f(norm(x))        Llama, GPT-2
//   kAfter   x = norm(x + f(x))     BERT (post-norm)
//   kOutput  x += norm(f(x))        OLMo-2
//   kAround  x += norm(f(norm(x)))  Gemma 2
enum class NormPlace : std::uint8_t { kBefore, kAfter, kOutput, kAround };

// kParallel: attention and feed-forward layer both read the block's input, each with its own norm
// (GPT-NeoX); kShared: with a common norm (GPT-J, Phi, Falcon).
enum class Residual : std::uint8_t { kSerial, kParallel, kShared };

// The output head: the token embedding, a separate matrix, or none (an encoder returns hidden
// states).
enum class Head : std::uint8_t { kTied, kOwn, kNone };

struct Architecture {
  NormKind norm = NormKind::kRms;
  bool norm_bias = false;  // for layer normalisation only
  NormPlace norm_place = NormPlace::kBefore;
  Residual residual = Residual::kSerial;
  Activation activation = Activation::kSilu;
  bool gated = true;  // down(activation(gate(x)) · up(x)); otherwise down(activation(up(x)))
  bool query_bias = false;  // of queries, keys and values
  bool output_bias = false;
  bool feed_bias = false;
  Head head = Head::kTied;
  bool head_bias = false;
  bool final_norm = true;
  bool first_norm = true;  // before the first block's attention (ModernBERT has none)
  bool embedding_norm = false;
  // Each block attends to another sequence between attention and feed-forward layer
  // (cross_attention.h). Such a model cannot be trained.
  bool cross_attention = false;
  int token_types = 0;  // rows of a second table, added to token vectors (BERT's segments)
  float embedding_scale = 1;  // multiplies token vectors, before anything is added to them
  float attention_scale = 0;  // multiplies q·k; 0: the schemes' scale, or 1/√D
  // Multiplies the outputs of attention and feed-forward layer (kBefore only).
  float residual_scale = 1;
  float logit_scale = 1;  // multiplies the logits
  // Adaptive softmax: first token of each cluster of rarer tokens. The logits are then
  // log-probabilities.
  int cluster_count = 0;
  int cutoffs[kMaxClusters] = {};

  // Adaptive input (Baevski and Auli 2019, arXiv 1809.10853): embedding tables narrower than the
  // model, one for the most frequent tokens and one for each cluster, each with a projection to the
  // model's width and one from it for the logits. The first table has `embedding_width` columns (0:
  // a single table of the model's width), each further table `cluster_divisor` times fewer.
  int embedding_width = 0;
  int cluster_divisor = 1;

  std::span<const int> clusters() const {
    return {cutoffs, static_cast<std::size_t>(cluster_count)};
  }

  bool normalises_inputs() const {
    return norm_place == NormPlace::kBefore || norm_place == NormPlace::kAround;
  }
  bool normalises_outputs() const { return norm_place != NormPlace::kBefore; }
  bool is_parallel() const { return residual != Residual::kSerial; }
};

}  // namespace wf
