// The common part of layers that keep a matrix for each head in place of keys: the gated delta rule
// and Mamba-2. Queries, keys and values of a token pass a short convolution and an activation; then
// every token changes its heads' matrices and reads them (kernels/delta_rule.h).
#pragma once

#include <cmath>
#include <cstring>

#include "kernels/delta_rule.h"
#include "model/depthwise.h"
#include "model/token_mixer.h"

namespace wf {

inline std::ptrdiff_t offset_of(int row, int columns) { return std::ptrdiff_t{row} * columns; }
inline std::size_t bytes_of(int rows, int columns) {
  return sizeof(float) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// The sizes of a layer, and where a head's numbers are.
struct StateSizes {
  const Architecture& a;
  bool overwrites;

  int heads = a.delta_value_heads, key_heads = a.delta_key_heads;
  int d = a.delta_key_dim, dv = a.delta_value_dim;
  int keys = a.delta_keys(), values = a.delta_values(), mixed = a.delta_mixed();

  DeltaSizes of_head() const { return {d, dv, overwrites}; }
  std::ptrdiff_t state() const { return offset_of(d, dv); }
  // Offsets in a row [queries | keys | values]; heads of values share those of keys in groups.
  int q(int head) const { return head / (heads / key_heads) * d; }
  int k(int head) const { return keys + q(head); }
  int v(int head) const { return 2 * keys + head * dv; }

  DeltaToken token(const BlockActivations& block, int row, int head) const {
    const float* qkv = block.delta_qkv + offset_of(row, mixed);
    return {qkv + q(head), qkv + k(head), qkv + v(head),
            std::exp(block.delta_decay[offset_of(row, heads) + head]),
            block.delta_write[offset_of(row, heads) + head]};
  }
};

// log(1 + e^x), the step of Mamba and the rate of the delta rule.
float softplus(float x);

class StateLayer : public TokenMixer {
 public:
  Status mix(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
             const SequenceLayout& layout, const BlockActivations& block, KvCache* cache,
             Recorder* recorder) const override;
  void backward(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                const BlockTensors<float>& gradients, const SequenceLayout& layout,
                const BlockActivations& block, const BackwardSpace& space,
                MatmulScratch& scratch) const override;

 protected:
  // Of a projection of the layer's input, backwards.
  struct Projection {
    int out;
    const float* weight;
    float *d_y, *d_weight;
  };

  virtual StateSizes sizes(const Architecture& a) const = 0;
  // Changes block.delta_qkv after the convolution; and its gradient, space.delta_qkv, back.
  virtual void prepare(const StateSizes& sizes, const SequenceLayout& layout,
                       const BlockActivations& block) const = 0;
  virtual void prepare_backward(const StateSizes& sizes, const BlockTensors<const float>& weights,
                                const SequenceLayout& layout, const BlockActivations& block,
                                const BackwardSpace& space) const = 0;
  // From the outputs of heads, block.delta_out, to block.mixed. And back from space.mixed to the
  // gradients of these outputs in space.delta_out, and of the gate in space.delta_gate.
  virtual void finish(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const SequenceLayout& layout, const BlockActivations& block) const = 0;
  virtual void finish_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                               const BlockTensors<float>& gradients, int n,
                               const BlockActivations& block, const BackwardSpace& space) const = 0;
  // The part of its value that a head's output has beside what is read.
  virtual float direct_weight(const BlockTensors<const float>& weights, int head) const = 0;
  // From the gradients of decays (of their logarithms) and writes to those of their projections,
  // and to that of the input of the layer in space.normed.
  virtual void inputs_backward(const ModelConfig& config, int n,
                               const BlockTensors<const float>& weights,
                               const BlockTensors<float>& gradients, const BlockActivations& block,
                               const BackwardSpace& space, MatmulScratch& scratch) const = 0;

  static void projections_backward(const ModelConfig& config, int n,
                                   std::initializer_list<Projection> projections,
                                   const BlockActivations& block, const BackwardSpace& space,
                                   MatmulScratch& scratch);
  ~StateLayer() = default;

 private:
  Status record(const StateSizes& sizes, const BlockTensors<const float>& weights,
                const SequenceLayout& layout, const BlockActivations& block,
                Recorder& recorder) const;
};

}  // namespace wf
