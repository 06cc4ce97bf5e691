// A gated short convolution in place of attention (LFM2, Liquid AI 2025): of each token x three
// vectors b, c, u are projected, and the layer's output is W · (c · (k ∗ (b · u))), where k has a
// few taps for each channel and reaches from a token to those before it. The cache has a row of
// b · u for each token.
#include <algorithm>
#include <cstring>

#include "model/depthwise.h"
#include "model/linear.h"
#include "model/token_mixer.h"

namespace wf {
namespace {

std::ptrdiff_t at(int row, int columns) { return std::ptrdiff_t{row} * columns; }

// The part of a token's projection: b, c or u.
enum Part : std::uint8_t { kB, kC, kU };
float* part_of(float* projected, int row, int e, Part part) {
  return projected + at(3 * row + part, e);
}

ConvolvedRows rows_of(const SequenceLayout& layout, const float* products, int index, int e) {
  const int row = index * layout.length;
  return {products + at(row, e), nullptr, 0, layout.segments ? layout.segments + row : nullptr};
}

class ShortConvolution final : public TokenMixer {
 public:
  void inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
              const std::uint8_t* visible, const BlockActivations& block,
              MatmulScratch& scratch) const override {
    const int e = config.width;
    clear_hidden_rows(visible, n, e, block.attention_in);
    project(n, e, 3 * e, block.attention_in, weights.matrix(BlockTensor::kMixerIn),
            weights.mixer_in_bias, block.mixer_in, Accumulate::kNo, scratch);
  }

  Status mix(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
             const SequenceLayout& layout, const BlockActivations& block, KvCache* cache,
             Recorder*) const override {
    const int e = config.width, n = layout.rows(), taps = config.layer_type(layer).convolution;
    for (int t = 0; t < n; ++t) {
      const float* b = part_of(block.mixer_in, t, e, kB);
      const float* u = part_of(block.mixer_in, t, e, kU);
      float* product = block.products + at(t, e);
      for (int i = 0; i < e; ++i) product[i] = b[i] * u[i];
    }
    ConvolvedRows cached = {};
    if (cache) {
      cached.earlier = cache->length();
      const ConstHeads rows =
          tokens_outermost(static_cast<const float*>(block.products), 1, layout.length, e);
      WF_RETURN_IF_ERROR(cache->append(rows, rows, layout.positions));
      cached.rows = cached.end_of_earlier = cache->keys().data + at(cached.earlier, e);
    }
    for (int s = 0; s < layout.batch; ++s) {
      const ConvolvedRows rows = cache ? cached : rows_of(layout, block.products, s, e);
      for (int t = 0; t < layout.length; ++t) {
        const int row = s * layout.length + t;
        float* y = block.convolution_out + at(row, e);
        convolve_row(rows, t, e, taps, weights.convolution, weights.convolution_bias, y);
        const float* c = part_of(block.mixer_in, row, e, kC);
        for (int i = 0; i < e; ++i) block.mixed[at(row, e) + i] = c[i] * y[i];
      }
    }
    return {};
  }

  void backward(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                const BlockTensors<float>& gradients, const SequenceLayout& layout,
                const BlockActivations& block, const BackwardSpace& space,
                MatmulScratch& scratch) const override {
    const int e = config.width, n = layout.rows(), taps = config.layer_type(layer).convolution;
    for (int t = 0; t < n; ++t) {
      const float* c = part_of(block.mixer_in, t, e, kC);
      float* d_c = part_of(space.mixer_in, t, e, kC);
      for (int i = 0; i < e; ++i) {
        float& d = space.mixed[at(t, e) + i];  // becomes the gradient of the convolution
        d_c[i] = d * block.convolution_out[at(t, e) + i];
        d *= c[i];
      }
    }
    std::memset(space.products, 0, sizeof(float) * static_cast<std::size_t>(n) * e);
    for (int s = 0; s < layout.batch; ++s) {
      const std::ptrdiff_t row = at(s * layout.length, e);
      convolve_backward(rows_of(layout, block.products, s, e), layout.length, e, taps,
                        weights.convolution, space.mixed + row, space.products + row,
                        gradients.convolution, gradients.convolution_bias);
    }
    for (int t = 0; t < n; ++t) {
      const float* b = part_of(block.mixer_in, t, e, kB);
      const float* u = part_of(block.mixer_in, t, e, kU);
      const float* d = space.products + at(t, e);
      for (int i = 0; i < e; ++i) {
        part_of(space.mixer_in, t, e, kB)[i] = d[i] * u[i];
        part_of(space.mixer_in, t, e, kU)[i] = d[i] * b[i];
      }
    }
    project_back(n, e, 3 * e, space.mixer_in, weights.mixer_in, space.normed, Accumulate::kNo,
                 scratch);
    add_weight_gradient(n, e, 3 * e, space.mixer_in, block.attention_in, gradients.mixer_in,
                        gradients.mixer_in_bias, scratch);
    clear_hidden_rows(layout.visible, n, e, space.normed);
  }
};

}  // namespace

const TokenMixer& short_convolution() {
  static constexpr ShortConvolution mixer;
  return mixer;
}

}  // namespace wf
