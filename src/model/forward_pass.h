// A forward pass over one text in steps of bounded work, so that it can be abandoned between them.
#pragma once

#include <memory>

#include "model/transformer.h"

namespace wf {

class ForwardPass {
 public:
  // Begins what Transformer::forward does for one sequence without cross-attention. All arguments,
  // and what `batch` points to except its ids, must outlive the pass; nothing else may use the
  // activations meanwhile. Errors: as Transformer::forward; likewise below.
  static Result<std::unique_ptr<ForwardPass>> begin(const Transformer& model,
                                                    const TokenBatch& batch,
                                                    TransformerActivations& activations,
                                                    std::span<Recorder* const> recorders);

  // Computes some rows, or a block of rows of one head. No effect after the last layer.
  Status step();
  // Layers that are done; all of them at the end.
  int layers() const { return layer_; }
  bool is_done() const { return layer_ == model_.config().num_layers; }

 private:
  enum class Part : std::uint8_t { kInputs, kAttention, kRest };

  ForwardPass(const Transformer& model, TransformerActivations& activations,
              std::span<Recorder* const> recorders);

  const Transformer& model_;
  TransformerActivations& activations_;
  std::span<Recorder* const> recorders_;
  SequenceLayout layout_;
  std::unique_ptr<AttentionPass> attention_;
  Part part_ = Part::kInputs;
  int rows_each_ = 1;
  int layer_ = 0, row_ = 0;
};

}  // namespace wf
