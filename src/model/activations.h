// What a forward pass writes on its way. Memory is taken once; passes then allocate nothing.
#pragma once

#include "attention/attention.h"
#include "model/config.h"
#include "tensor/buffer.h"

namespace wf {

// Decoding is inference with room for the absorbed form of latent layers, and none for logits.
enum class Purpose : std::uint8_t { kInference, kTraining, kDecoding };

// Of one block, with N = B·T rows. For inference all blocks share one set, and `middle` is `input`.
struct BlockActivations {
  float* input = nullptr;  // [N,E] residual stream that enters
  float* attention_in = nullptr;  // [N,E] normalised; without a norm the input
  float* attention_rms = nullptr;  // [N] reciprocal roots
  float* q = nullptr;  // [N,H·D] before the schemes' transforms
  float* k = nullptr;  // [N,K·D] before the schemes' transforms
  // Where queries and keys are normalised: as they were projected, and reciprocal roots [N,H],
  // [N,K]. For inference they are normalised in place.
  float* projected_q = nullptr;
  float* projected_k = nullptr;
  float* q_rms = nullptr;
  float* k_rms = nullptr;
  float* v = nullptr;  // [N,K·D]; in latent layers see latent_projections
  // Latent layers: the token's vector [c | slice] as projected and with c normalised, [N,d_c +
  // d_R], and the query's own. For inference they are normalised in place.
  float* latent_in = nullptr;
  float* latent = nullptr;
  float* latent_rms = nullptr;  // [N]
  float* query_in = nullptr;  // [N, query_rank]
  float* query_latent = nullptr;
  float* query_latent_rms = nullptr;  // [N]
  float* absorbed = nullptr;  // [N,H·(d_c + d_R)] for decoding, as is
  float* context = nullptr;  // [N,H·d_c]
  float* attended = nullptr;  // [N,H·Dv]
  // Where outputs are normalised: what the norm reads, and reciprocal roots.
  float* attention_out = nullptr;  // [N,E]
  float* attention_out_rms = nullptr;  // [N]
  float* feed_out = nullptr;
  float* feed_out_rms = nullptr;
  float* middle = nullptr;  // [N,E] residual stream after attention
  float* feed_in = nullptr;  // [N,E] normalised; without a norm the stream
  float* feed_rms = nullptr;  // [N]
  float* gate = nullptr;  // [N,F], where the feed-forward is gated
  float* up = nullptr;  // [N,F]
  float* hidden = nullptr;  // [N,F]
  float* output = nullptr;  // [N,E] residual stream that leaves
};

// Gradients that one block's backward pass needs beside the one of the residual stream.
struct BackwardSpace {
  float* stream = nullptr;  // [N,E] gradient of the residual stream
  float* normed = nullptr;  // [N,E]
  // [N,E] where outputs are normalised: of what the norm read; in a parallel block the gradient of
  // its output, while the feed-forward changes the one in `stream`.
  float* branch = nullptr;
  float* q = nullptr;  // [N,H·D]
  float* k = nullptr;  // [N,K·D]
  float* v = nullptr;  // [N,K·D]
  float* projected_q = nullptr;  // [N,H·D] before a norm of queries and keys
  float* projected_k = nullptr;
  float* latent_in = nullptr;  // the four of latent layers, as in BlockActivations
  float* latent = nullptr;
  float* query_in = nullptr;
  float* query_latent = nullptr;
  float* attended = nullptr;
  float* gate = nullptr;  // [N,F]
  float* up = nullptr;
  float* hidden = nullptr;
};

// Rows of logits that the head holds at once: V is big, N·V bigger.
constexpr int kHeadRows = 128;

class TransformerActivations {
 public:
  // For batches of up to `batch` sequences of up to `length` tokens.
  // Errors: kInvalidArgument for sizes below 1 or more than 2³¹ rows; kOutOfMemory.
  static Result<TransformerActivations> make(const ModelConfig& config, int batch, int length,
                                             Purpose purpose);

  // Bytes that training with such batches takes, what layers save for their backward pass included;
  // scratch of a fixed size is not. Takes no memory. Errors: kInvalidArgument as `make`.
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
  // [N,E] before the norm of the token vectors, where there is one and it is trained.
  float* embedding_in() { return embedding_in_; }
  float* embedding_rms() { return embedding_rms_; }  // [N]
  float* stream() { return blocks_[layers_ - 1].output; }  // [N,E] after the last block
  float* final_in() { return final_in_; }  // [N,E] after the final norm
  float* final_rms() { return final_rms_; }  // [N]
  float* logits() { return logits_; }  // [kHeadRows,V]; for decoding null
  // Two of [rows of the head, embedding_width], where tables are narrower than the model; of the
  // second, for training, the gradient.
  float* narrow() { return narrow_; }
  float* d_narrow() { return d_narrow_; }
  float* capped_logits() { return capped_logits_; }  // [kHeadRows,V] under a softcap
  // Ones [H·D]: the weight of a norm that learns none.
  const float* ones() const { return ones_.data(); }
  float* row_losses() { return row_losses_; }  // [N]
  const BackwardSpace& backward() const { return backward_; }
  // Of sequences whose positions nobody gave: 0, 1, 2, … for one axis, and for two the cells of the
  // smallest square grid that holds them, row by row.
  Positions default_positions(int length, int axes);
  AttentionScratch& scratch() { return scratch_; }

 private:
  class Layout;
  // Sizes alone, without the arena. Errors: kInvalidArgument.
  static Result<TransformerActivations> sized(const ModelConfig& config, int batch, int length,
                                              Purpose purpose);
  void lay_out(const ModelConfig& config, Layout& layout);
  void lay_out_backward(const ModelConfig& config, const struct AttentionWidths& widest,
                        Layout& layout);
  void lay_out_block(const ModelConfig& config, const struct AttentionWidths& widths,
                     Layout& layout, BlockActivations& block) const;

  int batch_ = 0, length_ = 0, layers_ = 0;
  Purpose purpose_ = Purpose::kInference;
  Buffer<float> arena_;
  Buffer<BlockActivations> blocks_;
  Buffer<float> ones_;
  Buffer<std::int32_t> position_list_;  // [2, length] of the last call
  std::unique_ptr<AttentionSaved[]> saved_;
  AttentionScratch scratch_;
  BackwardSpace backward_;
  float* embedding_in_ = nullptr;
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
