// Intermediate results of a forward pass. Memory is allocated once; passes then allocate nothing.
#pragma once

#include "attention/attention.h"
#include "model/config.h"
#include "tensor/buffer.h"

namespace wf {

// kDecoding is kInference with memory for the absorbed form of latent layers, and none for logits.
enum class Purpose : std::uint8_t { kInference, kTraining, kDecoding };

// Activations of one block, with N = B·T rows. For inference all blocks share one set, and `middle`
// is `input`.
struct BlockActivations {
  float* input = nullptr;  // [N,E] residual stream before the block
  float* attention_in = nullptr;  // [N,E] normalised; if there is no norm, the input
  float* attention_rms = nullptr;  // [N] 1 / rms
  float* q = nullptr;  // [N,H·D] before the schemes' transforms
  float* k = nullptr;  // [N,K·D] before the schemes' transforms
  // If queries and keys are normalised: their values before the norm, and 1 / rms [N,H], [N,K]. For
  // inference they are normalised in place.
  float* projected_q = nullptr;
  float* projected_k = nullptr;
  float* q_rms = nullptr;
  float* k_rms = nullptr;
  float* v = nullptr;  // [N,K·D]; in latent layers see latent_projections
  // Latent layers: the token's vector [c | slice] before and after normalising c, [N,d_c + d_R],
  // and the vector from which queries are projected. For inference they are normalised in place.
  float* latent_in = nullptr;
  float* latent = nullptr;
  float* latent_rms = nullptr;  // [N]
  float* query_in = nullptr;  // [N, query_rank]
  float* query_latent = nullptr;
  float* query_latent_rms = nullptr;  // [N]
  float* absorbed = nullptr;  // [N,H·(d_c + d_R)] for decoding, and so is `context`
  float* context = nullptr;  // [N,H·d_c]
  float* attended = nullptr;  // [N,H·Dv]
  float* attention_gate = nullptr;  // [N,H·Dv] or [N,H], before the sigmoid
  float* gated = nullptr;  // [N,H·Dv] `attended` · gate; may be `attended`
  // Layers with a mixer (token_mixer.h), instead of queries, keys, values and `attended`. The
  // widths are those of ModelConfig.
  float* mixer_in = nullptr;  // [N,mixer_in_width] b, c and u; or queries, keys and values
  float* products = nullptr;  // [N,E] b · u
  float* convolution_out = nullptr;  // [N,convolution_width] may be `mixed` or `delta_qkv`
  float* mixed = nullptr;  // [N,mixed_width]
  // The delta rule and Mamba-2: all after the convolution, with lengths of 1; their reciprocal
  // lengths before; the gate of outputs; the projected and the effective logarithm of α; β; outputs
  // of heads before the norm, and 1 / rms. For inference some share memory.
  float* delta_qkv = nullptr;
  float* delta_lengths = nullptr;  // [N,2·heads of keys]
  float* delta_gate = nullptr;  // [N,mixed_width]
  float* delta_decay_in = nullptr;  // [N,heads of values], as the next two
  float* delta_decay = nullptr;
  float* delta_write = nullptr;
  float* delta_out = nullptr;  // [N,mixed_width]
  float* delta_rms = nullptr;  // [N,heads of values]
  float* delta_states = nullptr;  // the states of all heads, of all layers
  // If outputs are normalised: the input of the norm, and 1 / rms.
  float* attention_out = nullptr;  // [N,E]
  float* attention_out_rms = nullptr;  // [N]
  float* feed_out = nullptr;
  float* feed_out_rms = nullptr;
  float* middle = nullptr;  // [N,E] residual stream after attention
  float* feed_in = nullptr;  // [N,E] normalised; if there is no norm, the stream
  float* feed_rms = nullptr;  // [N]
  float* gate = nullptr;  // [N,F], if the feed-forward layer is gated
  float* up = nullptr;  // [N,F]
  float* hidden = nullptr;  // [N,F]
  // Layers of experts (experts.h) compute so many rows at a time; the activations of all pairs of a
  // token and one of its experts are in gate, up and hidden.
  int expert_rows = 0;
  float* scores = nullptr;  // [rows, experts]
  std::int32_t* chosen = nullptr;  // [rows,k] the experts of each token
  float* pair_weights = nullptr;  // [rows,k] and their weights
  float* expert_out = nullptr;  // [rows·k,E]
  float* shared_out = nullptr;  // [rows,E]
  float* shared_scale = nullptr;  // [rows]
  float* expert_in = nullptr;  // [rows·k,E]; as the next two, of all layers
  std::int32_t* pair_order = nullptr;  // [rows·k]
  float* feed_sum = nullptr;  // [N,E] output of the layer
  float* output = nullptr;  // [N,E] residual stream after the block
};

// Gradients that the backward pass of a block needs, in addition to that of the residual stream.
struct BackwardSpace {
  float* stream = nullptr;  // [N,E] gradient of the residual stream
  float* normed = nullptr;  // [N,E]
  // [N,E]. If outputs are normalised, the gradient of the norm's input; in a parallel block, the
  // gradient of its output, while the feed-forward layer changes `stream`.
  float* branch = nullptr;
  float* q = nullptr;  // [N,H·D]
  float* k = nullptr;  // [N,K·D]
  float* v = nullptr;  // [N,K·D]
  float* projected_q = nullptr;  // [N,H·D] before the norm of queries and keys
  float* projected_k = nullptr;
  float* latent_in = nullptr;  // these four are for latent layers, as in BlockActivations
  float* latent = nullptr;
  float* query_in = nullptr;
  float* query_latent = nullptr;
  float* attended = nullptr;
  float* gate = nullptr;  // [N,F]
  float* up = nullptr;
  float* hidden = nullptr;
  float* attention_gate = nullptr;
  float* mixer_in = nullptr;  // of layers with a mixer, as the next lines and in BlockActivations
  float* products = nullptr;
  float* mixed = nullptr;
  float* delta_qkv = nullptr;
  float* delta_gate = nullptr;
  float* delta_decay = nullptr;
  float* delta_write = nullptr;
  float* delta_out = nullptr;
  float* delta_states = nullptr;  // [T + 2, D, Dv] of one head, and 2·Dv
  float* scores = nullptr;  // of layers of experts, as the next lines and in BlockActivations
  float* pair_weights = nullptr;
  float* expert_in = nullptr;
  float* expert_out = nullptr;
  float* shared_scale = nullptr;
  float* feed_sum = nullptr;
  float* inputs = nullptr;  // [N,width of token vectors], if these are projected
  float* normed_inputs = nullptr;
};

// Rows of a layer of experts that are computed at a time, unless a backward pass needs them: each
// has k copies.
constexpr int kExpertRows = 256;

// Rows of logits that are computed at a time: V is large, N·V larger.
constexpr int kHeadRows = 128;

class TransformerActivations {
 public:
  // For batches of up to `batch` sequences of up to `length` tokens.
  // Errors: kInvalidArgument for sizes below 1 or more than 2³¹ rows; kOutOfMemory.
  static Result<TransformerActivations> make(const ModelConfig& config, int batch, int length,
                                             Purpose purpose);

  // Bytes needed to train with such batches, including what layers save for their backward pass,
  // but without scratch memory of fixed size. Allocates nothing. Errors: kInvalidArgument as
  // `make`.
  static Result<double> training_bytes(const ModelConfig& config, int batch, int length);

  int batch() const { return batch_; }
  int length() const { return length_; }
  Purpose purpose() const { return purpose_; }
  bool fits(int batch, int length) const;

  BlockActivations& block(int layer) { return blocks_[layer]; }
  AttentionSaved& attention(int layer, int sequence) {
    return saved_[(purpose_ == Purpose::kTraining ? layer * batch_ : 0) + sequence];
  }

  float* embedded() { return blocks_[0].input; }  // [N,E]
  // [N,E], or as wide as inputs are: before the norm of the token vectors, if there is one and the
  // model is trained; and after it, before a projection if inputs have one.
  float* embedding_in() { return embedding_in_; }
  float* embedding_normed() { return embedding_normed_; }
  float* embedding_rms() { return embedding_rms_; }  // [N]
  float* stream() { return blocks_[layers_ - 1].output; }  // [N,E] after the last block
  float* final_in() { return final_in_; }  // [N,E] after the final norm
  float* final_rms() { return final_rms_; }  // [N]
  float* logits() { return logits_; }  // [kHeadRows,V]; null for decoding
  // Two matrices [rows of the head, embedding_width], if tables are narrower than the model; for
  // training also the gradient of the second.
  float* narrow() { return narrow_; }
  float* d_narrow() { return d_narrow_; }
  float* capped_logits() { return capped_logits_; }  // [kHeadRows,V], if there is a softcap
  // Ones [H·D]: the weight of a norm without learned weights.
  const float* ones() const { return ones_.data(); }
  float* row_losses() { return row_losses_; }  // [N]
  const BackwardSpace& backward() const { return backward_; }
  // Positions of sequences without given positions: 0, 1, 2, … for one axis, and for two axes the
  // cells of the smallest square grid that holds the sequence, row by row.
  Positions default_positions(int length, int axes);
  AttentionScratch& scratch() { return scratch_; }

 private:
  class Layout;
  // Computes the sizes without allocating memory. Errors: kInvalidArgument.
  static Result<TransformerActivations> sized(const ModelConfig& config, int batch, int length,
                                              Purpose purpose);
  void lay_out(const ModelConfig& config, Layout& layout);
  void lay_out_backward(const ModelConfig& config, const struct LayerWidths& widest,
                        Layout& layout);
  void lay_out_feed(const ModelConfig& config, const struct LayerWidths& widths, Layout& layout,
                    BlockActivations& block) const;
  void lay_out_mixer(const ModelConfig& config, const struct LayerWidths& widths, Layout& layout,
                     BlockActivations& block) const;
  void lay_out_block(const ModelConfig& config, const struct LayerWidths& widths, Layout& layout,
                     BlockActivations& block) const;

  // Rows that a layer of experts computes at a time.
  int expert_rows() const;

  int batch_ = 0, length_ = 0, layers_ = 0;
  Purpose purpose_ = Purpose::kInference;
  Buffer<float> arena_;
  Buffer<BlockActivations> blocks_;
  Buffer<float> ones_;
  Buffer<std::int32_t> choices_;  // of each layer if they are kept; then their order
  Buffer<std::int32_t> position_list_;  // [2, length] of the last default_positions
  std::unique_ptr<AttentionSaved[]> saved_;
  AttentionScratch scratch_;
  BackwardSpace backward_;
  float* embedding_in_ = nullptr;
  float* embedding_normed_ = nullptr;
  float* embedding_rms_ = nullptr;
  float* final_in_ = nullptr;
  float* final_rms_ = nullptr;
  float* logits_ = nullptr;
  float* capped_logits_ = nullptr;
  float* narrow_ = nullptr;
  float* d_narrow_ = nullptr;
  float* row_losses_ = nullptr;
};

}  // namespace wf
