// A complete transformer: embedding, blocks, output head; forward, loss and backward.
#pragma once

#include <memory>

#include "attention/surgery.h"
#include "model/activations.h"
#include "model/block.h"
#include "model/config.h"
#include "model/parameters.h"

namespace wf {

// B sequences of T tokens.
struct TokenBatch {
  const std::int32_t* ids = nullptr;  // [B,T], each in [0,V)
  // [B,T,E] in place of the ids' rows of the embedding table; `ids` may then be null. Not for
  // training.
  const float* vectors = nullptr;
  int batch = 1;
  int length = 0;
  // Of T tokens. Without data: 0, 1, 2, …, or if a scheme reads two axes, the cells of the smallest
  // square grid that holds the text, row by row.
  Positions positions;
  // Of T tokens: positions for add_to_embeddings, if they differ. RoBERTa's table does not count
  // padding, whose position is -1. Without data: `positions`.
  Positions embedding_positions;
  const std::int32_t* segments = nullptr;  // [B,T]; tokens do not attend to other segments
  // [B,T] 0: a token hidden from all queries; null: none is hidden.
  const std::uint8_t* visible = nullptr;
  const std::int32_t* lengths = nullptr;  // [B]; tokens from this index on are padding
  // [B,T] type of each token for a model with token types; null: all of type 0.
  const std::int32_t* types = nullptr;
  // The input of cross-attention; the batch then has one sequence.
  const CrossMemory* memory = nullptr;
};

struct LossSum {
  double nats = 0;  // Σ over the counted targets
  int counted = 0;  // targets that are not -1
  int correct = 0;  // of those, how many had the highest logit; 0 from loss_and_gradient
  double mean() const { return counted ? nats / counted : 0; }
  double accuracy() const { return counted ? 1.0 * correct / counted : 0; }
};

// A gradient buffer in the layout of a model's values, with the pointers for schemes.
class Gradients {
 public:
  float* values() { return values_.data(); }
  const float* values() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.fill_zero(); }

 private:
  friend class Transformer;
  Buffer<float> values_;
  Buffer<float*> scheme_pointers_;  // for each layer's schemes
};

// The type of activations in products with quantised weights.
enum class Arithmetic : std::uint8_t {
  kExact,  // floats, unrounded
  kQuick,  // rounded to int8, with one scale for each 32
};

class Transformer {
 public:
  // A model with random initial values: normal with standard deviation initializer_range (for
  // projections into the residual stream divided by √(2·layers)), norms one, scheme parameters as
  // specified by the scheme. `type`: storage of the matrices in the blocks. With kInt4, embedding
  // and head are int8. Norms, biases, parameters that schemes train or read, and the projections of
  // latent layers are always floats. A quantised model refuses to change or return its weights
  // (require_floats). Errors: kInvalidArgument for a size or an option out of range; kOutOfMemory.
  static Result<Transformer> make(const ModelConfig& config, std::uint64_t seed,
                                  WeightType type = WeightType::kF32);
  // A model of zeros, to be loaded from files. `embedding_owner`: a model whose embedding is used
  // instead of an own one, as T5's encoder and decoder share theirs. Errors: as make;
  // kInvalidArgument if the embeddings' sizes differ.
  static Result<Transformer> blank(const ModelConfig& config, WeightType type = WeightType::kF32,
                                   std::shared_ptr<const Transformer> embedding_owner = nullptr);
  // A model with another config that copies from `original` all tensors with the same name and
  // shape; other parameters of schemes get initial values. Errors: also kUnsupported if projections
  // would get initial values.
  static Result<Transformer> reconfigured(const ModelConfig& config, std::uint64_t seed,
                                          const Transformer& original);

  const ModelConfig& config() const { return config_; }
  const ParameterTable& parameters() const { return table_; }
  WeightType weight_type() const { return table_.type(); }
  const std::shared_ptr<const Transformer>& embedding_owner() const { return embedding_owner_; }
  // Bytes of the weights, without an embedding that another model owns.
  std::size_t weight_bytes() const { return values_.size() * sizeof(float) + quantised_.size(); }
  // Errors: kUnsupported, saying that `what` needs floats, if the weights are quantised.
  Status require_floats(const char* what) const;

  // Stores rows [first, first + count) of a tensor of parameters() (for a vector, numbers) in the
  // tensor's type; for reading files a few rows at a time. Errors: kMalformedFile for numbers that
  // are not finite in a tensor of integers; kUnsupported for a finite number that overflows 16
  // bits.
  Status store_rows(const TensorInfo& info, int first, int count, const float* values);

  // The floats; without quantised tensors.
  float* values() { return values_.data(); }
  const float* values() const { return values_.data(); }
  BlockTensors<const float> block(int layer) const;
  // Each distinct scheme once.
  std::span<const SchemeInstance> schemes() const { return schemes_.all(); }
  Result<Gradients> make_gradients() const;

  // After an optimiser step: clamps the schemes' parameters to their ranges.
  void constrain();

  // The schemes of a layer for attention. `gradients` may be null.
  LayerSchemes layer_schemes(int layer, Gradients* gradients = nullptr) const;

  // Sets the arithmetic of further products with these activations, which were made for kExact; no
  // effect on a model of floats. Errors: kOutOfMemory.
  Status use(Arithmetic arithmetic, TransformerActivations& activations) const;

  // Runs the blocks and the final norm; the result is activations.final_in() [B·T,E]. `recorders`:
  // empty, or a pointer (may be null) for each layer, for a batch of one; with cross-attention,
  // followed by those of the cross-attention layers. `surgeries`: empty, or one for each layer.
  // Errors: kInvalidArgument for an id outside the vocabulary or a batch that does not fit the
  // activations; those of attention_forward and PassStates::check.
  Status forward(const TokenBatch& batch, TransformerActivations& activations,
                 std::span<Recorder* const> recorders = {}, std::span<const Surgery> surgeries = {},
                 const PassStates& states = {}) const;

  // The beginning of `forward`, until the first block; returns the layout of the rows.
  Result<SequenceLayout> begin_forward(const TokenBatch& batch, TransformerActivations& activations,
                                       std::span<Recorder* const> recorders,
                                       const PassStates& states) const;

  // Logits [rows,V] of rows [row0, row0 + rows) of final_in(). The model must have a head.
  void head(TransformerActivations& activations, int row0, int rows, float* logits) const;
  // Logits [rows,V] of states after the final norm, `final_in` [rows,E]. Uses scratch memory of the
  // activations.
  void head_of(const float* final_in, int rows, TransformerActivations& activations,
               float* logits) const;
  // Writes states after the final norm [rows,E] for those of the stream. `inverse_rms` [rows].
  void normalise_stream(const float* stream, int rows, float* final_in, float* inverse_rms) const;

  // Errors: kUnsupported for a model without an output head.
  Status check_head() const;

  // Forward, then logits of all positions [B·T,V]. Errors: also those of check_head, as for the
  // next methods.
  Status forward_logits(const TokenBatch& batch, TransformerActivations& activations,
                        float* logits) const;
  // Forward, then logits of the last position of each sequence (before its padding) [B,V].
  Status forward_last_logits(const TokenBatch& batch, TransformerActivations& activations,
                             float* logits) const;

  // Cross-entropy of targets [B·T] (-1: ignored) in nats; that of each row is in
  // activations.row_losses().
  Result<LossSum> loss(const TokenBatch& batch, const std::int32_t* targets,
                       TransformerActivations& activations, std::span<const Surgery> surgeries = {},
                       const PassStates& states = {}) const;

  // The loss; also adds weight · the gradient of the summed loss. For the mean pass 1 / number of
  // counted targets. Errors: also kInvalidArgument if the activations were made for inference.
  Result<LossSum> loss_and_gradient(const TokenBatch& batch, const std::int32_t* targets,
                                    float weight, TransformerActivations& activations,
                                    Gradients& gradients) const;

  // Writes token (+type) embeddings to x [count,E], or as wide as inputs are, then applies the
  // schemes. `types` null: type 0. Call finish_embeddings afterwards. `narrow`: that of the
  // activations. `vectors`: null, or [count,E] in place of the ids' rows.
  Status embed(const std::int32_t* ids, const std::int32_t* types, const Positions& positions,
               float* narrow, Matrix x, const float* vectors = nullptr) const;
  // Errors: kUnsupported for a memory and a model without cross-attention, or the other way round.
  Status check_memory(const CrossMemory* memory) const;
  // From the first rows of activations.embedding_in() to those of embedded().
  void finish_embeddings(int rows, TransformerActivations& activations) const;
  // From rows [row0, row0 + rows) of activations.stream() to the first rows of final_in().
  void finish_stream(int row0, int rows, TransformerActivations& activations) const;

 private:
  // Adaptive softmax: converts a row's scores to log-probabilities; and the backward pass, from the
  // log-probabilities of a row to the gradient of -log p(target), including the clusters' part.
  // `reads`: the `width` numbers from which clusters are scored.
  void finish_scores(const float* reads, int width, float* logits) const;
  void adaptive_backward(const float* reads, int width, std::int32_t target, float weight,
                         float* logits, float* d_reads, Gradients& gradients) const;
  // For embedding tables narrower than the model (embedding.cpp): a token's vector in the
  // model's width; logits of at most kHeadRows rows, which leaves in activations.narrow() the input
  // of the first table; and their backward passes.
  int piece_of(int id) const;
  void embed_piece(int id, float* narrow, float* x) const;
  void embed_piece_backward(int id, const float* d_x, Gradients& gradients) const;
  void score_pieces(const float* final_in, int rows, TransformerActivations& activations,
                    float* logits) const;
  void score_pieces_backward(const float* final_in, int rows, TransformerActivations& activations,
                             float* d_final_in, Gradients& gradients) const;
  void head_rows(const float* final_in, int rows, TransformerActivations& activations,
                 float* logits) const;
  Weight model_weight(ModelTensor which) const;
  // A tensor that is never quantised; null if there is none.
  const float* of_model(ModelTensor which) const { return table_.of_model(values_.data(), which); }
  LayerContext embedding_context(const Positions& positions, int instance,
                                 Gradients* gradients) const;
  Status check(const TokenBatch& batch, const TransformerActivations& activations) const;
  Status check_targets(const TokenBatch& batch, const std::int32_t* targets) const;
  SequenceLayout layout_of(const TokenBatch& batch, TransformerActivations& activations) const;
  static const Positions& embedding_positions(const TokenBatch& batch,
                                              const SequenceLayout& layout) {
    return batch.embedding_positions.data ? batch.embedding_positions : layout.positions;
  }
  LossSum head_losses(int rows, const std::int32_t* targets,
                      TransformerActivations& activations) const;
  LossSum head_backward(int rows, const std::int32_t* targets, float weight,
                        TransformerActivations& activations, Gradients& gradients) const;
  // From space.normed, the gradient of final_in(), to space.stream.
  void finish_stream_backward(int rows, TransformerActivations& activations,
                              Gradients& gradients) const;
  void finish_embeddings_backward(int rows, TransformerActivations& activations,
                                  Gradients& gradients) const;
  void embed_backward(const TokenBatch& batch, const SequenceLayout& layout,
                      TransformerActivations& activations, Gradients& gradients) const;

  ModelConfig config_;
  ParameterTable table_;
  ModelSchemes schemes_;
  Buffer<float> values_;
  Buffer<std::uint8_t> quantised_;
  Buffer<QuantisedMatrix> quantised_blocks_;  // [layers, kBlockTensors]
  QuantisedMatrix quantised_embedding_, quantised_head_;
  std::shared_ptr<const Transformer> embedding_owner_;  // or null
  Buffer<const float*> scheme_pointers_;
};

}  // namespace wf
