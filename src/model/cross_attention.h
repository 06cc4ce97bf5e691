// Cross-attention of a decoder to another sequence, between self-attention and feed-forward layer:
// x += cross(norm(x)), or with post-norm x = norm(x + cross(x)). Vaswani et al. 2017, arXiv
// 1706.03762, section 3.1.
#pragma once

#include <memory>

#include "model/activations.h"
#include "model/parameters.h"
#include "tensor/view.h"

namespace wf {

class Recorder;

// Keys and values of another sequence's states, projected by each layer of a decoder: computed
// once, used at every step.
class CrossMemory {
 public:
  // Projects states [S,E] with the weights of a Transformer, to which it keeps no reference.
  // `visible` [S]: 0 for hidden states, or null: none is hidden. Errors: kUnsupported for a model
  // without cross-attention; kInvalidArgument for no states or another width; kOutOfMemory.
  template <class Model>
  static Result<CrossMemory> make(const Model& model, ConstMatrix states,
                                  const std::uint8_t* visible = nullptr) {
    WF_ASSIGN_OR_RETURN(CrossMemory memory, sized(model.config(), states));
    WF_RETURN_IF_ERROR(memory.hide(visible));
    WF_ASSIGN_OR_RETURN(AttentionScratch scratch, AttentionScratch::make());
    for (int layer = 0; layer < memory.layers_; ++layer)
      memory.fill(layer, model.block(layer), states, scratch.matmul);
    return memory;
  }

  int length() const { return length_; }
  // Whether a model with this config can use it.
  bool fits(const ModelConfig& config) const {
    return layers_ == config.num_layers && heads_ == config.num_kv_heads &&
           head_dim_ == config.head_dim;
  }
  ConstHeads keys(int layer) const { return rows(2 * layer); }  // [K,S,D]
  ConstHeads values(int layer) const { return rows(2 * layer + 1); }
  Positions positions() const { return {positions_.data(), length_, 1}; }
  Mask mask() const;

 private:
  static Result<CrossMemory> sized(const ModelConfig& config, ConstMatrix states);
  Status hide(const std::uint8_t* visible);
  void fill(int layer, const BlockTensors<const float>& weights, ConstMatrix states,
            MatmulScratch& scratch);

  std::size_t size() const { return static_cast<std::size_t>(length_) * heads_ * head_dim_; }
  ConstHeads rows(int index) const {
    return tokens_outermost(numbers_.data() + index * size(), heads_, length_, head_dim_);
  }

  int layers_ = 0, heads_ = 0, head_dim_ = 0, length_ = 0;
  Buffer<float> numbers_;  // [layers, 2, S, K·D]
  Buffer<std::int32_t> positions_;
  Buffer<std::uint8_t> visible_;  // [S], or empty if no state is hidden
};

// Adds cross-attention to the first n rows of block.middle. For inference only: it overwrites
// results of self-attention that a backward pass would need. `recorder` may be null. Errors: those
// of attention_forward.
Status cross_attention(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const LayerSchemes& schemes, const CrossMemory& memory,
                       const Positions& positions, TransformerActivations& activations,
                       Recorder* recorder);

}  // namespace wf
