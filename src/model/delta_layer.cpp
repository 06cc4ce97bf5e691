// The gated delta rule in place of attention (Gated DeltaNet: Yang et al. 2024, arXiv 2412.06464;
// the block of Qwen3-Next). Queries and keys have length 1. Of each head's output, the norm is
// multiplied by the SiLU of a gate.
#include "kernels/activation.h"
#include "kernels/dot.h"
#include "kernels/norm.h"
#include "model/linear.h"
#include "model/state_layer.h"

namespace wf {
namespace {

constexpr float kLengthEpsilon = 1e-6f;  // as in Qwen's code, whatever the epsilon of norms

class DeltaLayer final : public StateLayer {
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
    project_all(n, e, block.attention_in,
                {{heads, {weights.delta_write, nullptr}, nullptr, block.delta_write},
                 {heads, {weights.delta_decay, nullptr}, nullptr, block.delta_decay_in}},
                scratch);
    sigmoid_row(block.delta_write, n * heads);
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < heads; ++h)
        block.delta_decay[offset_of(t, heads) + h] =
            -std::exp(weights.delta_rate[h]) *
            softplus(block.delta_decay_in[offset_of(t, heads) + h] + weights.delta_step[h]);
  }

 private:
  StateSizes sizes(const Architecture& a) const override { return {a, true}; }
  float direct_weight(const BlockTensors<const float>&, int) const override { return 0; }

  static float query_scale(const StateSizes& sizes) {
    return 1 / std::sqrt(static_cast<float>(sizes.d));
  }

  // Divides each head of queries and keys by its length, and queries by √D.
  void prepare(const StateSizes& sizes, const SequenceLayout& layout,
               const BlockActivations& block) const override {
    const int heads = 2 * sizes.key_heads;
    for (int t = 0; t < layout.rows(); ++t)
      for (int h = 0; h < heads; ++h) {
        float* x = block.delta_qkv + offset_of(t, sizes.mixed) + h * sizes.d;
        const float inverse = 1 / std::sqrt(dot(x, x, sizes.d) + kLengthEpsilon);
        block.delta_lengths[offset_of(t, heads) + h] = inverse;
        const float factor = h < sizes.key_heads ? inverse * query_scale(sizes) : inverse;
        for (int i = 0; i < sizes.d; ++i) x[i] *= factor;
      }
  }

  // With y = x / |x|, dx = (dy − y · (y·dy)) / |x|.
  void prepare_backward(const StateSizes& sizes, const BlockTensors<const float>&,
                        const SequenceLayout& layout, const BlockActivations& block,
                        const BackwardSpace& space) const override {
    const int heads = 2 * sizes.key_heads;
    for (int t = 0; t < layout.rows(); ++t)
      for (int h = 0; h < heads; ++h) {
        const std::ptrdiff_t first = offset_of(t, sizes.mixed) + h * sizes.d;
        const float* y = block.delta_qkv + first;
        float* dy = space.delta_qkv + first;
        const float scale = h < sizes.key_heads ? query_scale(sizes) : 1;
        const float along = dot(y, dy, sizes.d) / (scale * scale);
        const float inverse = block.delta_lengths[offset_of(t, heads) + h] * scale;
        for (int i = 0; i < sizes.d; ++i) dy[i] = inverse * (dy[i] - along * y[i]);
      }
  }

  void finish(const ModelConfig& config, const BlockTensors<const float>& weights,
              const SequenceLayout& layout, const BlockActivations& block) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    const int rows = layout.rows() * sizes.heads;
    rms_norm({block.delta_out, rows, sizes.dv, sizes.dv}, weights.delta_norm, config.norm_epsilon,
             {block.mixed, rows, sizes.dv, sizes.dv}, block.delta_rms);
    swiglu(block.delta_gate, block.mixed, static_cast<std::size_t>(offset_of(rows, sizes.dv)),
           block.mixed);
  }

  void finish_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                       const BackwardSpace& space) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    const int rows = n * sizes.heads;
    const auto heads_of = [&](float* x) { return Matrix{x, rows, sizes.dv, sizes.dv}; };
    rms_norm(heads_of(block.delta_out), weights.delta_norm, config.norm_epsilon,
             heads_of(space.delta_out), block.delta_rms);
    swiglu_backward(block.delta_gate, space.delta_out, space.mixed,
                    static_cast<std::size_t>(offset_of(n, sizes.values)), space.delta_gate,
                    space.mixed);
    std::memset(space.delta_out, 0, bytes_of(n, sizes.values));
    rms_norm_backward(heads_of(block.delta_out), weights.delta_norm, block.delta_rms,
                      heads_of(space.mixed), heads_of(space.delta_out), gradients.delta_norm);
  }

  void inputs_backward(const ModelConfig& config, int n, const BlockTensors<const float>& weights,
                       const BlockTensors<float>& gradients, const BlockActivations& block,
                       const BackwardSpace& space, MatmulScratch& scratch) const override {
    const StateSizes sizes = this->sizes(config.architecture);
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < sizes.heads; ++h) {
        const std::ptrdiff_t i = offset_of(t, sizes.heads) + h;
        const float write = block.delta_write[i];
        space.delta_write[i] *= write * (1 - write);
        float& d = space.delta_decay[i];
        gradients.delta_rate[h] += d * block.delta_decay[i];
        d *= -std::exp(weights.delta_rate[h]) /
             (1 + std::exp(-block.delta_decay_in[i] - weights.delta_step[h]));
        gradients.delta_step[h] += d;
      }
    projections_backward(
        config, n,
        {{sizes.mixed, weights.mixer_in, space.mixer_in, gradients.mixer_in},
         {sizes.values, weights.delta_gate, space.delta_gate, gradients.delta_gate},
         {sizes.heads, weights.delta_write, space.delta_write, gradients.delta_write},
         {sizes.heads, weights.delta_decay, space.delta_decay, gradients.delta_decay}},
        block, space, scratch);
  }
};

}  // namespace

const TokenMixer& delta_layer() {
  static constexpr DeltaLayer mixer;
  return mixer;
}

}  // namespace wf
