#include "model/convolution.h"

#include <algorithm>
#include <cstring>

#include "model/linear.h"

namespace wf {
namespace {

std::ptrdiff_t at(int row, int columns) { return std::ptrdiff_t{row} * columns; }

// The part of a token's projection: b, c or u.
enum Part : std::uint8_t { kB, kC, kU };
float* part_of(float* projected, int row, int e, Part part) {
  return projected + at(3 * row + part, e);
}

// A sequence's rows of b · u, of which row `first` belongs to the first token of the call.
struct Sequence {
  const float* products;
  int first;
  const std::int32_t* segments;  // of the call's tokens, or null

  // Whether the token `back` rows before row t exists and is of its segment.
  bool has(int t, int back) const {
    return first + t >= back && (!segments || (t >= back && segments[t] == segments[t - back]));
  }
};

// y [e] = bias + Σ taps · rows of the last tokens up to token t.
void convolve_row(const Sequence& sequence, int t, int e, int taps, const float* weights,
                  const float* bias, float* y) {
  if (bias)
    std::copy_n(bias, e, y);
  else
    std::fill_n(y, e, 0.0f);
  for (int back = 0; back < taps && sequence.has(t, back); ++back) {
    const float* row = sequence.products + at(sequence.first + t - back, e);
    const float* tap = weights + taps - 1 - back;
    for (int i = 0; i < e; ++i) y[i] += tap[i * taps] * row[i];
  }
}

Sequence sequence_of(const SequenceLayout& layout, const float* products, int index, int e) {
  const int row = index * layout.length;
  return {products + at(row, e), 0, layout.segments ? layout.segments + row : nullptr};
}

// Of one sequence: from the gradients of y, in space.convolved, to those of b · u, in
// space.products, and of the taps and their bias.
void taps_backward(const Sequence& sequence, int length, int e, int taps, const float* weights,
                   const float* d_y, float* d_products, float* d_weights, float* d_bias) {
  for (int t = 0; t < length; ++t) {
    const float* d = d_y + at(t, e);
    for (int i = 0; d_bias && i < e; ++i) d_bias[i] += d[i];
    for (int back = 0; back < taps && sequence.has(t, back); ++back) {
      const int tap = taps - 1 - back;
      const float* row = sequence.products + at(t - back, e);
      float* d_row = d_products + at(t - back, e);
      for (int i = 0; i < e; ++i) {
        d_weights[i * taps + tap] += d[i] * row[i];
        d_row[i] += d[i] * weights[i * taps + tap];
      }
    }
  }
}

}  // namespace

void convolution_inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                        const std::uint8_t* visible, const BlockActivations& block,
                        MatmulScratch& scratch) {
  const int e = config.width;
  for (int t = 0; visible && t < n; ++t)
    if (!visible[t]) std::fill_n(block.attention_in + at(t, e), e, 0.0f);
  project(n, e, 3 * e, block.attention_in, weights.matrix(BlockTensor::kConvolutionIn),
          weights.convolution_in_bias, block.convolution_in, Accumulate::kNo, scratch);
}

Status convolve(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                const SequenceLayout& layout, const BlockActivations& block, KvCache* cache) {
  const int e = config.width, n = layout.rows(), taps = config.layer_type(layer).convolution;
  for (int t = 0; t < n; ++t) {
    const float* b = part_of(block.convolution_in, t, e, kB);
    const float* u = part_of(block.convolution_in, t, e, kU);
    float* product = block.products + at(t, e);
    for (int i = 0; i < e; ++i) product[i] = b[i] * u[i];
  }
  Sequence cached = {nullptr, 0, nullptr};
  if (cache) {
    cached.first = cache->length();
    const ConstHeads rows =
        tokens_outermost(static_cast<const float*>(block.products), 1, layout.length, e);
    WF_RETURN_IF_ERROR(cache->append(rows, rows, layout.positions));
    cached.products = cache->keys().data;
  }
  for (int s = 0; s < layout.batch; ++s) {
    const Sequence sequence = cache ? cached : sequence_of(layout, block.products, s, e);
    for (int t = 0; t < layout.length; ++t) {
      const int row = s * layout.length + t;
      float* y = block.convolution_out + at(row, e);
      convolve_row(sequence, t, e, taps, weights.convolution, weights.convolution_bias, y);
      const float* c = part_of(block.convolution_in, row, e, kC);
      for (int i = 0; i < e; ++i) block.convolved[at(row, e) + i] = c[i] * y[i];
    }
  }
  return {};
}

void convolution_backward(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights,
                          const BlockTensors<float>& gradients, const SequenceLayout& layout,
                          const BlockActivations& block, const BackwardSpace& space,
                          MatmulScratch& scratch) {
  const int e = config.width, n = layout.rows(), taps = config.layer_type(layer).convolution;
  for (int t = 0; t < n; ++t) {
    const float* c = part_of(block.convolution_in, t, e, kC);
    float* d_c = part_of(space.convolution_in, t, e, kC);
    for (int i = 0; i < e; ++i) {
      float& d = space.convolved[at(t, e) + i];  // becomes the gradient of y
      d_c[i] = d * block.convolution_out[at(t, e) + i];
      d *= c[i];
    }
  }
  std::memset(space.products, 0, sizeof(float) * static_cast<std::size_t>(n) * e);
  for (int s = 0; s < layout.batch; ++s) {
    const std::ptrdiff_t row = at(s * layout.length, e);
    taps_backward(sequence_of(layout, block.products, s, e), layout.length, e, taps,
                  weights.convolution, space.convolved + row, space.products + row,
                  gradients.convolution, gradients.convolution_bias);
  }
  for (int t = 0; t < n; ++t) {
    const float* b = part_of(block.convolution_in, t, e, kB);
    const float* u = part_of(block.convolution_in, t, e, kU);
    const float* d = space.products + at(t, e);
    for (int i = 0; i < e; ++i) {
      part_of(space.convolution_in, t, e, kB)[i] = d[i] * u[i];
      part_of(space.convolution_in, t, e, kU)[i] = d[i] * b[i];
    }
  }
  project_back(n, e, 3 * e, space.convolution_in, weights.convolution_in, space.normed,
               Accumulate::kNo, scratch);
  add_weight_gradient(n, e, 3 * e, space.convolution_in, block.attention_in,
                      gradients.convolution_in, gradients.convolution_in_bias, scratch);
  for (int t = 0; layout.visible && t < n; ++t)
    if (!layout.visible[t]) std::fill_n(space.normed + at(t, e), e, 0.0f);
}

}  // namespace wf
