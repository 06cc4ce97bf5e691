// The part of a layer without attention that lets a token read those before it: a gated short
// convolution, the gated delta rule or Mamba-2.
#pragma once

#include <cstring>

#include "attention/kv_cache.h"
#include "model/activations.h"
#include "model/parameters.h"
#include "model/sequence_layout.h"

namespace wf {

class Recorder;

// Virtual, or the linker would inline mixers into the block, and the page's first engine, which has
// none, would contain them.
class TokenMixer {
 public:
  // From n rows of block.attention_in to what `mix` reads; rows that are not `visible` [n] (or
  // null) are cleared first, so that no other token reads them.
  virtual void inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                      const std::uint8_t* visible, const BlockActivations& block,
                      MatmulScratch& scratch) const = 0;

  // From these to block.mixed. With a cache the layout has the next tokens of one sequence, which
  // are added to it. `recorder` (or null) records one sequence without a cache. Errors: those of
  // KvCache::append; kOutOfMemory.
  virtual Status mix(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                     const SequenceLayout& layout, const BlockActivations& block, KvCache* cache,
                     Recorder* recorder) const = 0;

  // From space.mixed, the gradient of block.mixed, to space.normed, that of block.attention_in,
  // which is overwritten. Adds to the gradients of the weights.
  virtual void backward(const ModelConfig& config, int layer,
                        const BlockTensors<const float>& weights,
                        const BlockTensors<float>& gradients, const SequenceLayout& layout,
                        const BlockActivations& block, const BackwardSpace& space,
                        MatmulScratch& scratch) const = 0;

 protected:
  ~TokenMixer() = default;
};

// The mixers, each in a file of its own.
const TokenMixer& short_convolution();
const TokenMixer& delta_layer();
const TokenMixer& state_space();

// Null for a layer with attention.
inline const TokenMixer* mixer_of(const ModelConfig& config, int layer) {
  if (config.attends(layer)) return nullptr;
  const LayerType& type = config.layer_type(layer);
  return type.delta_rule    ? &delta_layer()
         : type.state_space ? &state_space()
                            : &short_convolution();
}

inline void clear_hidden_rows(const std::uint8_t* visible, int n, int columns, float* x) {
  for (int t = 0; visible && t < n; ++t)
    if (!visible[t])
      std::memset(x + std::ptrdiff_t{t} * columns, 0,
                  sizeof(float) * static_cast<std::size_t>(columns));
}

}  // namespace wf
