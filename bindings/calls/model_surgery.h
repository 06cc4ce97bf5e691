// The surgery of all layers of a model for a run: of logits (attention/surgery.h), and of outputs
// of heads and the stream (model/pass_states.h).
#pragma once

#include <memory>

#include "attention/surgery.h"
#include "calls/reader.h"
#include "model/transformer.h"

namespace wf::calls {

class ModelSurgery {
 public:
  // Without ablations, for a model with this number of layers, and with memory for patches.
  static Result<std::unique_ptr<ModelSurgery>> make(int num_layers, int patches = 0);

  // Sets the ablations of a layer: bytes [H, kMaxTerms + ⌊D/2⌋], each an Ablation. Errors:
  // kInvalidArgument.
  Status set_layer(const Workspace& workspace, const Transformer& model, int layer, List ablations);

  // Sets what replaces the outputs of heads: bytes [layers, H], each a HeadAblation. Errors:
  // kInvalidArgument.
  Status set_heads(const Workspace& workspace, const Transformer& model, List ablations);
  // Copies numbers that replace a head's output [rows, Dv], or the stream after a layer [rows, E]
  // if `head` is -1; layer -1 is before the first. `rows` (int32): ascending; empty means all.
  // Errors: kInvalidArgument, kOutOfMemory.
  Status add_patch(const Workspace& workspace, const Transformer& model, int layer, int head,
                   List rows, List values);

  // One surgery for each layer of this model. Errors: kInvalidArgument for a model with other
  // layers or heads.
  Result<std::span<const Surgery>> of(const Transformer& model) const;
  // The changes of states. Errors: as `of`.
  Result<PassStates> states_of(const Transformer& model) const;

 private:
  struct PatchMemory {
    Buffer<std::int32_t> rows;
    Buffer<float> values;
  };

  Status check(const ModelConfig& config) const;

  std::unique_ptr<Surgery[]> layers_;
  Buffer<HeadAblation> heads_;  // [layers, H]; empty: none
  std::unique_ptr<PatchMemory[]> patch_memory_;
  Buffer<Patch> patches_;
  int patch_count_ = 0;
  std::size_t num_layers_ = 0;
  int num_heads_ = 0, head_dim_ = 0;  // of the layers with ablations; 0: none
};

}  // namespace wf::calls
