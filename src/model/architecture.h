// What the blocks of a decoder or encoder may have beside Llama's: where its norms stand, biases,
// activation, residual, multipliers, output head. By default it is Llama's block, and nothing here
// costs anything.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/adaptive_softmax.h"

namespace wf {

// RMSNorm, or layer normalisation.
enum class NormKind : std::uint8_t { kRms, kLayer };

// Where the norms of attention and feed-forward f stand:
//   kBefore  x += f(norm(x))        Llama, GPT-2
//   kAfter   x = norm(x + f(x))     BERT (post-norm)
//   kOutput  x += norm(f(x))        OLMo-2
//   kAround  x += norm(f(norm(x)))  Gemma 2
enum class NormPlace : std::uint8_t { kBefore, kAfter, kOutput, kAround };

// kParallel: attention and feed-forward read the block's input, each through its own norm
// (GPT-NeoX); kShared: through one (GPT-J, Phi, Falcon).
enum class Residual : std::uint8_t { kSerial, kParallel, kShared };

// The output head: the token embedding, a matrix of its own, or none (an encoder's hidden states).
enum class Head : std::uint8_t { kTied, kOwn, kNone };

struct Architecture {
  NormKind norm = NormKind::kRms;
  bool norm_bias = false;  // layer normalisation alone
  NormPlace norm_place = NormPlace::kBefore;
  Residual residual = Residual::kSerial;
  Activation activation = Activation::kSilu;
  bool gated = true;  // down(activation(gate(x)) · up(x)), else down(activation(up(x)))
  bool query_bias = false;  // of queries, keys and values
  bool output_bias = false;
  bool feed_bias = false;
  Head head = Head::kTied;
  bool head_bias = false;
  bool final_norm = true;
  bool first_norm = true;  // before the first block's attention (ModernBERT has none)
  bool embedding_norm = false;
  // Between attention and feed-forward each block reads another sequence (cross_attention.h). Such
  // a model is not trained here.
  bool cross_attention = false;
  int token_types = 0;  // rows of a second table, added to token vectors (BERT's segments)
  float embedding_scale = 1;  // of token vectors, before anything is added to them
  float attention_scale = 0;  // of q·k; 0: what schemes say, else 1/√D
  float residual_scale = 1;  // of what attention and feed-forward add (kBefore alone)
  float logit_scale = 1;  // of the vocabulary's scores
  // Adaptive softmax: where the clusters of rarer tokens begin. The vocabulary's scores are then
  // log-probabilities.
  int cluster_count = 0;
  int cutoffs[kMaxClusters] = {};

  // Adaptive input (Baevski and Auli 2019, arXiv 1809.10853): tables of tokens narrower than the
  // model, one for the commonest and one for each cluster, with a projection each to the model's
  // width and one back to the scores. The first table has this many columns (0: there is one table,
  // of the model's width), each further one `cluster_divisor` times fewer.
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
