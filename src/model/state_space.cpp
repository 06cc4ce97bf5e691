// Mamba-2 in place of attention (Dao & Gu 2024, arXiv 2405.21060; the block of Granite 4.0 and
// Bamba). Queries, keys and values are what the paper calls C, B and x. The same step of a head is
// the length of what it writes and of what it forgets. Outputs have a part of their own value, and
// the SiLU of a gate multiplies them before their norm, which has a group of heads for each head of
// keys.
#include <algorithm>
#include <limits>

#include "kernels/activation.h"
#include "kernels/dot.h"
#include "kernels/norm.h"
#include "model/linear.h"
#include "model/state_layer.h"

namespace wf {
namespace {

// The step of a head from its projection with bias, and its slope.
struct Step {
  float length, slope;

  Step(const Architecture& a, float x) {
    const float max = a.state_step_max ? a.state_step_max : std::numeric_limits<float>::max();
    const float raw = softplus(x);
    length = std::clamp(raw, std::min(a.state_step_min, max), max);
    slope = length == raw ? 1 / (1 + std::exp(-x)) : 0;
  }
};

class StateSpace final : public StateLayer {
 public:
  void inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
              const std::uint8_t* visible, const BlockActivations& block,
              MatmulScratch& scratch) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    const int e = config.width, heads = sizes.heads;
    clear_hidden_rows(visible, n, e, block.attention_in);
    project_all(
        n, e, block.attention_in,
        {{sizes.mixed, weights.matrix(BlockTensor::kMixerIn), nullptr, block.mixer_in},
         {sizes.values, weights.matrix(BlockTensor::kDeltaGate), nullptr, block.delta_gate}},
        scratch);
    project(n, e, heads, block.attention_in, {weights.delta_decay, nullptr}, nullptr,
            block.delta_decay_in, Accumulate::kNo, scratch);
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < heads; ++h) {
        const std::ptrdiff_t i = offset_of(t, heads) + h;
        const Step step(config.architecture, block.delta_decay_in[i] + weights.delta_step[h]);
        block.delta_write[i] = step.length;
        block.delta_decay[i] = -std::exp(weights.delta_rate[h]) * step.length;
      }
  }

 private:
  StateSizes sizes(const Architecture& a) const override { return {a, false}; }
  float direct_weight(const BlockTensors<const float>& weights, int head) const override {
    return weights.state_skip[head];
  }

  // The convolution's bias would make hidden tokens write.
  void prepare(const StateSizes& sizes, const SequenceLayout& layout,
               const BlockActivations& block) const override {
    clear_hidden_rows(layout.visible, layout.rows(), sizes.mixed, block.delta_qkv);
  }
  void prepare_backward(const StateSizes& sizes, const BlockTensors<const float>& weights,
                        const SequenceLayout& layout, const BlockActivations&,
                        const BackwardSpace& space) const override {
    for (int t = 0; t < layout.rows(); ++t)
      for (int h = 0; h < sizes.heads; ++h)
        add_scaled(weights.state_skip[h],
                   space.delta_out + offset_of(t, sizes.values) + h * sizes.dv, sizes.dv,
                   space.delta_qkv + offset_of(t, sizes.mixed) + sizes.v(h));
    clear_hidden_rows(layout.visible, layout.rows(), sizes.mixed, space.delta_qkv);
  }

  // One group of the norm, n rows of some of the channels `x` [n,values].
  static Matrix group_of(const StateSizes& sizes, float* x, int n, int group) {
    const int size = sizes.values / sizes.key_heads;
    return {x + group * size, n, size, sizes.values};
  }

  void finish(const ModelConfig& config, const BlockTensors<const float>& weights,
              const SequenceLayout& layout, const BlockActivations& block) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    const int n = layout.rows();
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < sizes.heads; ++h)
        add_scaled(weights.state_skip[h], block.delta_qkv + offset_of(t, sizes.mixed) + sizes.v(h),
                   sizes.dv, block.delta_out + offset_of(t, sizes.values) + h * sizes.dv);
    swiglu(block.delta_gate, block.delta_out, static_cast<std::size_t>(offset_of(n, sizes.values)),
           block.mixed);
    for (int g = 0; g < sizes.key_heads; ++g) {
      const Matrix group = group_of(sizes, block.mixed, n, g);
      rms_norm(group, weights.delta_norm + g * group.columns, config.norm_epsilon, group,
               block.delta_rms + offset_of(g, n));
    }
  }

  void finish_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                       const BackwardSpace& space) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    const std::size_t count = static_cast<std::size_t>(offset_of(n, sizes.values));
    float *gated = space.delta_out, *d_gated = space.delta_gate;
    swiglu(block.delta_gate, block.delta_out, count, gated);
    std::memset(d_gated, 0, bytes_of(n, sizes.values));
    for (int g = 0; g < sizes.key_heads; ++g) {
      const Matrix group = group_of(sizes, gated, n, g);
      const int first = g * group.columns;
      rms_norm_backward(group, weights.delta_norm + first, block.delta_rms + offset_of(g, n),
                        group_of(sizes, space.mixed, n, g), group_of(sizes, d_gated, n, g),
                        gradients.delta_norm + first);
    }
    swiglu_backward(block.delta_gate, block.delta_out, d_gated, count, space.delta_gate,
                    space.delta_out);
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < sizes.heads; ++h)
        gradients.state_skip[h] +=
            dot(space.delta_out + offset_of(t, sizes.values) + h * sizes.dv,
                block.delta_qkv + offset_of(t, sizes.mixed) + sizes.v(h), sizes.dv);
  }

  void inputs_backward(const ModelConfig& config, int n, const BlockTensors<const float>& weights,
                       const BlockTensors<float>& gradients, const BlockActivations& block,
                       const BackwardSpace& space, MatmulScratch& scratch) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < sizes.heads; ++h) {
        const std::ptrdiff_t i = offset_of(t, sizes.heads) + h;
        float& d = space.delta_decay[i];
        gradients.delta_rate[h] += d * block.delta_decay[i];
        const Step step(config.architecture, block.delta_decay_in[i] + weights.delta_step[h]);
        d = step.slope * (space.delta_write[i] - d * std::exp(weights.delta_rate[h]));
        gradients.delta_step[h] += d;
      }
    projections_backward(
        config, n,
        {{sizes.mixed, weights.mixer_in, space.mixer_in, gradients.mixer_in},
         {sizes.values, weights.delta_gate, space.delta_gate, gradients.delta_gate},
         {sizes.heads, weights.delta_decay, space.delta_decay, gradients.delta_decay}},
        block, space, scratch);
  }
};

}  // namespace

const TokenMixer& state_space() {
  static constexpr StateSpace mixer;
  return mixer;
}

}  // namespace wf
