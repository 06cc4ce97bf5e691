#include "model/attention_gate.h"

#include "kernels/activation.h"
#include "model/linear.h"

namespace wf {

void attention_gate_input(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights, int n,
                          const BlockActivations& block, MatmulScratch& scratch) {
  if (const int width = config.gate_width(layer))
    project(n, config.width, width, block.attention_in, weights.matrix(BlockTensor::kAttentionGate),
            weights.attention_gate_bias, block.attention_gate, Accumulate::kNo, scratch);
}

void apply_attention_gate(const ModelConfig& config, int layer, int n,
                          const BlockActivations& block) {
  const int width = config.gate_width(layer);
  if (!width) return;
  const int channels = config.attended_width(layer) / width;  // of each gate
  for (std::ptrdiff_t t = 0; t < n; ++t) {
    float* gate = block.attention_gate + t * width;
    sigmoid_row(gate, width);
    const std::ptrdiff_t first = t * width * channels;
    for (int i = 0; i < width * channels; ++i)
      block.gated[first + i] = gate[i / channels] * block.attended[first + i];
  }
}

void attention_gate_backward(const ModelConfig& config, int layer, int n,
                             const BlockActivations& block, const BackwardSpace& space) {
  const int width = config.gate_width(layer);
  if (!width) return;
  const int channels = config.attended_width(layer) / width;
  const std::ptrdiff_t gates = std::ptrdiff_t{n} * width;
  for (std::ptrdiff_t i = 0; i < gates; ++i) {
    const float gate = block.attention_gate[i];
    float sum = 0;
    for (std::ptrdiff_t c = i * channels; c < (i + 1) * channels; ++c) {
      sum += space.attended[c] * block.attended[c];
      space.attended[c] *= gate;
    }
    space.attention_gate[i] = sum * gate * (1 - gate);
  }
}

void attention_gate_input_backward(const ModelConfig& config, int layer,
                                   const BlockTensors<const float>& weights,
                                   const BlockTensors<float>& gradients, int n,
                                   const BlockActivations& block, const BackwardSpace& space,
                                   MatmulScratch& scratch) {
  const int width = config.gate_width(layer);
  if (!width) return;
  project_back(n, config.width, width, space.attention_gate, weights.attention_gate, space.normed,
               Accumulate::kYes, scratch);
  add_weight_gradient(n, config.width, width, space.attention_gate, block.attention_in,
                      gradients.attention_gate, gradients.attention_gate_bias, scratch);
}

}  // namespace wf
