// A whole transformer: embedding, blocks, output head; forward, loss and backward.
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
  int batch = 1;
  int length = 0;
  // Of T tokens. Without data: 0, 1, 2, …, or where a scheme reads two axes, the cells of the
  // smallest square grid that holds the text, row by row.
  Positions positions;
  // Of T tokens: what schemes add to token vectors, where that counts otherwise. RoBERTa's table
  // counts no padding, which has its row -1. Without data: `positions`.
  Positions embedding_positions;
  const std::int32_t* segments = nullptr;  // [B,T], tokens of different segments ignore each other
  const std::uint8_t* visible = nullptr;  // [B,T] 0: a token that none sees; null: all are seen
  const std::int32_t* lengths = nullptr;  // [B], tokens from there on are padding
  // [B,T] type of each token where the model has token types, or null: all of type 0.
  const std::int32_t* types = nullptr;
  // What a model with cross-attention reads, which then takes one sequence at a time.
  const CrossMemory* memory = nullptr;
};

struct LossSum {
  double nats = 0;  // Σ over the counted targets
  int counted = 0;  // targets that are not -1
  int correct = 0;  // of those, how many had the highest logit; loss_and_gradient leaves it 0
  double mean() const { return counted ? nats / counted : 0; }
  double accuracy() const { return counted ? 1.0 * correct / counted : 0; }
};

// A gradient buffer with the layout of a model's values, and the pointers that schemes want.
class Gradients {
 public:
  float* values() { return values_.data(); }
  const float* values() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.fill_zero(); }

 private:
  friend class Transformer;
  Buffer<float> values_;
  Buffer<float*> scheme_pointers_;  // of each layer's schemes
};

// How products with quantised weights treat their other side.
enum class Arithmetic : std::uint8_t {
  kExact,  // as floats, as they are
  kQuick,  // rounded to bytes, 32 with a scale of their own
};

class Transformer {
 public:
  // A model with initial values: normal with deviation initializer_range (projections into the
  // residual stream that / √(2·layers)), norms one, the schemes' own as they ask.
  // Errors: kInvalidArgument for a size or an option out of range; kOutOfMemory.
  // `type`: how it keeps the matrices of its blocks. Embedding and head are int8 where that is
  // kInt4; norms, biases, what schemes train or read of the projections, and latent layers'
  // projections are floats in any case. A quantised model refuses what changes its weights or gives
  // them out (require_floats).
  static Result<Transformer> make(const ModelConfig& config, std::uint64_t seed,
                                  WeightType type = WeightType::kF32);
  // A model of zeros, to be filled from files. `embedding_owner`: the model whose embedding stands
  // in the place of its own, as both stacks of T5 have one. Errors: as make; kInvalidArgument where
  // the embeddings' sizes differ.
  static Result<Transformer> blank(const ModelConfig& config, WeightType type = WeightType::kF32,
                                   std::shared_ptr<const Transformer> embedding_owner = nullptr);
  // A model that takes from a donor with other schemes what that has under the same name and in the
  // same shape; what its schemes train beside that begins anew. Errors: also kUnsupported where
  // projections would begin anew.
  static Result<Transformer> reconfigured(const ModelConfig& config, std::uint64_t seed,
                                          const Transformer& original);

  const ModelConfig& config() const { return config_; }
  const ParameterTable& parameters() const { return table_; }
  WeightType weight_type() const { return table_.type(); }
  const std::shared_ptr<const Transformer>& embedding_owner() const { return embedding_owner_; }
  // What the weights take, without the embedding where another model owns that.
  std::size_t weight_bytes() const { return values_.size() * sizeof(float) + quantised_.size(); }
  // Errors: kUnsupported, saying that `what` needs floats, where the weights are quantised.
  Status require_floats(const char* what) const;

  // Rows [first, first + count) of a tensor of parameters() (numbers, of a vector), stored the
  // tensor's own way: how files are read, a few rows at a time, whatever they hold. Errors:
  // kMalformedFile for numbers that are not finite where the tensor is of integers; kUnsupported
  // for finite ones that 16 bits would make infinite.
  Status store_rows(const TensorInfo& info, int first, int count, const float* values);

  // Of what is not quantised.
  float* values() { return values_.data(); }
  const float* values() const { return values_.data(); }
  BlockTensors<const float> block(int layer) const;
  // Each distinct one, once.
  std::span<const SchemeInstance> schemes() const { return schemes_.all(); }
  Result<Gradients> make_gradients() const;

  // Brings the schemes' parameters back into their ranges, after an optimiser step.
  void constrain();

  // The stack of a layer for attention. `gradients` may be null.
  LayerSchemes layer_schemes(int layer, Gradients* gradients = nullptr) const;

  // How all further products with these activations, made for exact ones, are computed; nothing
  // changes for a model of floats. Errors: kOutOfMemory.
  Status use(Arithmetic arithmetic, TransformerActivations& activations) const;

  // Runs the blocks and the final norm; its result stays in activations.final_in() [B·T,E].
  // `recorders`: empty, or one (or null) for each layer, for a batch of one; with cross-attention
  // those of the layers' attention to the memory follow. `surgeries`: empty, or
  // one for each layer.
  // Errors: kInvalidArgument for an id outside the vocabulary or a batch that does not fit the
  // activations; those of attention_forward.
  Status forward(const TokenBatch& batch, TransformerActivations& activations,
                 std::span<Recorder* const> recorders = {},
                 std::span<const Surgery> surgeries = {}) const;

  // Logits [rows,V] of rows [row0, row0 + rows) of final_in(). There must be a head.
  void head(TransformerActivations& activations, int row0, int rows, float* logits) const;

  // Errors: kUnsupported for a model without an output head.
  Status check_head() const;

  // Forward, then logits of all positions [B·T,V]. Errors: also those of check_head, as below.
  Status forward_logits(const TokenBatch& batch, TransformerActivations& activations,
                        float* logits) const;
  // Forward, then logits of the last position of each sequence (padding left out) [B,V].
  Status forward_last_logits(const TokenBatch& batch, TransformerActivations& activations,
                             float* logits) const;

  // Cross-entropy of targets [B·T] (-1: ignored) in nats; each row's in activations.row_losses().
  Result<LossSum> loss(const TokenBatch& batch, const std::int32_t* targets,
                       TransformerActivations& activations,
                       std::span<const Surgery> surgeries = {}) const;

  // The loss, and adds weight · the gradient of the summed loss. Pass 1 / counted targets for the
  // mean. Errors: also kInvalidArgument when the activations were made for inference.
  Result<LossSum> loss_and_gradient(const TokenBatch& batch, const std::int32_t* targets,
                                    float weight, TransformerActivations& activations,
                                    Gradients& gradients) const;

  // Adds the token embeddings of `ids` [count], and of their types (null: type 0), to nothing:
  // writes x [count,E], then lets the schemes add theirs. finish_embeddings follows.
  // `narrow`: that of the activations.
  Status embed(const std::int32_t* ids, const std::int32_t* types, const Positions& positions,
               float* narrow, Matrix x) const;
  // Errors: kUnsupported where there is a memory that the model does not read, or none that it
  // does.
  Status check_memory(const CrossMemory* memory) const;
  // From the first rows of activations.embedding_in() to those of embedded().
  void finish_embeddings(int rows, TransformerActivations& activations) const;
  // From rows [row0, row0 + rows) of activations.stream() to the first rows of final_in().
  void finish_stream(int row0, int rows, TransformerActivations& activations) const;

 private:
  // Of an adaptive softmax: a row's scores become log-probabilities; and back from those of a row
  // to the gradient of -log p(target), of whose clusters it takes the share.
  // `reads`: the row that clusters are scored by, `width` numbers.
  void finish_scores(const float* reads, int width, float* logits) const;
  void adaptive_backward(const float* reads, int width, std::int32_t target, float weight,
                         float* logits, float* d_reads, Gradients& gradients) const;
  // Where tables are narrower than the model (token_pieces.cpp): a token's vector in the model's
  // width; scores of at most kHeadRows rows, after which activations.narrow() has what the first
  // table reads of them; and back.
  int piece_of(int id) const;
  void embed_piece(int id, float* narrow, float* x) const;
  void embed_piece_backward(int id, const float* d_x, Gradients& gradients) const;
  void score_pieces(const float* final_in, int rows, TransformerActivations& activations,
                    float* logits) const;
  void score_pieces_backward(const float* final_in, int rows, TransformerActivations& activations,
                             float* d_final_in, Gradients& gradients) const;
  void head_rows(TransformerActivations& activations, int row0, int rows, float* logits) const;
  Weight model_weight(ModelTensor which) const;
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
