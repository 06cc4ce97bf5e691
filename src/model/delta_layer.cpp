// The gated delta rule in place of attention (Gated DeltaNet: Yang et al. 2024, arXiv 2412.06464;
// the block of Qwen3-Next). Queries, keys and values of a token pass a short convolution and an
// activation; queries and keys have length 1. Of each head's output, the norm is multiplied by the
// SiLU of a gate.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention/recorder.h"
#include "executor.h"
#include "kernels/activation.h"
#include "kernels/delta_rule.h"
#include "kernels/dot.h"
#include "kernels/norm.h"
#include "model/depthwise.h"
#include "model/linear.h"
#include "model/token_mixer.h"

namespace wf {
namespace {

constexpr float kLengthEpsilon = 1e-6f;  // as in Qwen's code, whatever the epsilon of norms

std::ptrdiff_t at(int row, int columns) { return std::ptrdiff_t{row} * columns; }
std::size_t bytes(int rows, int columns) {
  return sizeof(float) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// The sizes of a layer, and where a head's numbers are.
struct Sizes {
  const Architecture& a;

  int heads = a.delta_value_heads, key_heads = a.delta_key_heads;
  int d = a.delta_key_dim, dv = a.delta_value_dim;
  int keys = a.delta_keys(), values = a.delta_values(), mixed = a.delta_mixed();
  float query_scale = 1 / std::sqrt(static_cast<float>(d));

  DeltaSizes of_head() const { return {d, dv}; }
  std::ptrdiff_t state() const { return at(d, dv); }
  // Offsets in a row [queries | keys | values]; heads of values share those of keys in groups.
  int q(int head) const { return head / (heads / key_heads) * d; }
  int k(int head) const { return keys + q(head); }
  int v(int head) const { return 2 * keys + head * dv; }

  DeltaToken token(const BlockActivations& block, int row, int head) const {
    const float* qkv = block.delta_qkv + at(row, mixed);
    return {qkv + q(head), qkv + k(head), qkv + v(head),
            std::exp(block.delta_decay[at(row, heads) + head]),
            block.delta_write[at(row, heads) + head]};
  }
};

float softplus(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x))); }

// Divides each head of queries and keys by its length, and queries by √D.
void normalise_lengths(const Sizes& sizes, int n, float* qkv, float* inverse_lengths) {
  const int heads = 2 * sizes.key_heads;
  for (int t = 0; t < n; ++t)
    for (int h = 0; h < heads; ++h) {
      float* x = qkv + at(t, sizes.mixed) + h * sizes.d;
      const float inverse = 1 / std::sqrt(dot(x, x, sizes.d) + kLengthEpsilon);
      inverse_lengths[at(t, heads) + h] = inverse;
      const float factor = h < sizes.key_heads ? inverse * sizes.query_scale : inverse;
      for (int i = 0; i < sizes.d; ++i) x[i] *= factor;
    }
}

// Of the gradients of queries and keys, in place: with y = x / |x|, dx = (dy − y · (y·dy)) / |x|.
void lengths_backward(const Sizes& sizes, int n, const float* qkv, const float* inverse_lengths,
                      float* d) {
  const int heads = 2 * sizes.key_heads;
  for (int t = 0; t < n; ++t)
    for (int h = 0; h < heads; ++h) {
      const std::ptrdiff_t first = at(t, sizes.mixed) + h * sizes.d;
      const float* y = qkv + first;
      float* dy = d + first;
      const float scale = h < sizes.key_heads ? sizes.query_scale : 1;
      const float along = dot(y, dy, sizes.d) / (scale * scale);
      const float inverse = inverse_lengths[at(t, heads) + h] * scale;
      for (int i = 0; i < sizes.d; ++i) dy[i] = inverse * (dy[i] - along * y[i]);
    }
}

class DeltaLayer final : public TokenMixer {
 public:
  void inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
              const std::uint8_t* visible, const BlockActivations& block,
              MatmulScratch& scratch) const override {
    const Sizes sizes{config.architecture};
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
        block.delta_decay[at(t, heads) + h] =
            -std::exp(weights.delta_rate[h]) *
            softplus(block.delta_decay_in[at(t, heads) + h] + weights.delta_step[h]);
  }

  Status mix(const ModelConfig& config, int, const BlockTensors<const float>& weights,
             const SequenceLayout& layout, const BlockActivations& block, KvCache* cache,
             Recorder* recorder) const override {
    const Sizes sizes{config.architecture};
    const int n = layout.rows(), m = sizes.mixed;
    if (cache)
      WF_RETURN_IF_ERROR(cache->append({nullptr, 0, n, 1}, {nullptr, 0, n, 1}, layout.positions));
    convolve(config, weights, layout, block, cache);
    activate(config.architecture.activation, block.convolution_out, nullptr,
             static_cast<std::size_t>(at(n, m)), block.delta_qkv);
    normalise_lengths(sizes, n, block.delta_qkv, block.delta_lengths);
    float* states = cache ? cache->state().data() : block.delta_states;
    share_out(lanes_for(3.0 * n * static_cast<double>(sizes.state()) * sizes.heads), sizes.heads,
              [&](int, int head) {
                float* state = states + head * sizes.state();
                run_head(sizes, layout, block, head, !cache, state);
              });
    const int rows = n * sizes.heads;
    rms_norm({block.delta_out, rows, sizes.dv, sizes.dv}, weights.delta_norm, config.norm_epsilon,
             {block.mixed, rows, sizes.dv, sizes.dv}, block.delta_rms);
    swiglu(block.delta_gate, block.mixed, static_cast<std::size_t>(at(n, sizes.values)),
           block.mixed);
    return recorder ? record(sizes, layout, block, *recorder) : Status();
  }

  void backward(const ModelConfig& config, int, const BlockTensors<const float>& weights,
                const BlockTensors<float>& gradients, const SequenceLayout& layout,
                const BlockActivations& block, const BackwardSpace& space,
                MatmulScratch& scratch) const override {
    const Sizes sizes{config.architecture};
    const int n = layout.rows(), m = sizes.mixed, rows = n * sizes.heads;
    const auto heads_of = [&](float* x) { return Matrix{x, rows, sizes.dv, sizes.dv}; };
    rms_norm(heads_of(block.delta_out), weights.delta_norm, config.norm_epsilon,
             heads_of(space.delta_out), block.delta_rms);
    swiglu_backward(block.delta_gate, space.delta_out, space.mixed,
                    static_cast<std::size_t>(at(n, sizes.values)), space.delta_gate, space.mixed);
    std::memset(space.delta_out, 0, bytes(n, sizes.values));
    rms_norm_backward(heads_of(block.delta_out), weights.delta_norm, block.delta_rms,
                      heads_of(space.mixed), heads_of(space.delta_out), gradients.delta_norm);
    std::memset(space.delta_qkv, 0, bytes(n, m));
    for (int s = 0; s < layout.batch; ++s)
      for (int head = 0; head < sizes.heads; ++head)
        head_backward(sizes, layout, s, head, block, space);
    lengths_backward(sizes, n, block.delta_qkv, block.delta_lengths, space.delta_qkv);
    activate_backward(config.architecture.activation, block.convolution_out, nullptr,
                      space.delta_qkv, static_cast<std::size_t>(at(n, m)), space.delta_qkv,
                      nullptr);
    std::memset(space.mixer_in, 0, bytes(n, m));
    for (int s = 0; s < layout.batch; ++s) {
      const std::ptrdiff_t first = at(s * layout.length, m);
      convolve_backward(rows_of(layout, block, s, m), layout.length, m,
                        config.architecture.delta_taps, weights.convolution,
                        space.delta_qkv + first, space.mixer_in + first, gradients.convolution,
                        nullptr);
    }
    gates_backward(sizes, n, weights, gradients, block, space);
    inputs_backward(config, n, weights, gradients, block, space, scratch);
    clear_hidden_rows(layout.visible, n, config.width, space.normed);
  }

 private:
  static ConvolvedRows rows_of(const SequenceLayout& layout, const BlockActivations& block,
                               int sequence, int channels) {
    const int row = sequence * layout.length;
    return {block.mixer_in + at(row, channels), nullptr, 0,
            layout.segments ? layout.segments + row : nullptr};
  }

  // With a cache, the rows before the first of the call are the last ones of its state, which then
  // has the last rows of the call.
  static void convolve(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const SequenceLayout& layout, const BlockActivations& block,
                       KvCache* cache) {
    const int m = config.architecture.delta_mixed(), taps = config.architecture.delta_taps;
    for (int s = 0; s < layout.batch; ++s) {
      ConvolvedRows rows = rows_of(layout, block, s, m);
      if (cache) {
        rows.end_of_earlier = cache->state().data() + cache->state().size();
        rows.earlier = taps - 1;
      }
      for (int t = 0; t < layout.length; ++t)
        convolve_row(rows, t, m, taps, weights.convolution, nullptr,
                     block.convolution_out + at(s * layout.length + t, m));
    }
    if (!cache || taps == 1) return;
    float* kept = cache->state().data() + cache->state().size() - at(taps - 1, m);
    const int added = std::min(layout.length, taps - 1), moved = taps - 1 - added;
    std::memmove(kept, kept + at(added, m), bytes(moved, m));
    std::memcpy(kept + at(moved, m), block.mixer_in + at(layout.length - added, m),
                bytes(added, m));
  }

  // `begins`: with an empty state, also at each segment.
  static void run_head(const Sizes& sizes, const SequenceLayout& layout,
                       const BlockActivations& block, int head, bool begins, float* state) {
    for (int row = 0; row < layout.rows(); ++row) {
      if (begins && is_first(layout, row)) std::memset(state, 0, bytes(sizes.d, sizes.dv));
      delta_step(sizes.token(block, row, head), sizes.of_head(), state,
                 block.delta_out + at(row, sizes.values) + head * sizes.dv);
    }
  }

  // Writes by how much each head's output at a row multiplies the value of each earlier token.
  static Status record(const Sizes& sizes, const SequenceLayout& layout,
                       const BlockActivations& block, Recorder& recorder) {
    WF_ASSIGN_OR_RETURN(Buffer<float> u, Buffer<float>::make(sizes.d));
    WF_ASSIGN_OR_RETURN(Buffer<float> weights, Buffer<float>::make(layout.length));
    for (int head = 0; head < sizes.heads; ++head) {
      const int slot = recorder.head_slot(head);
      for (int r = 0; r < recorder.rows() && slot >= 0; ++r) {
        weights.fill_zero();
        int t = recorder.row(r);
        std::copy_n(sizes.token(block, t, head).q, sizes.d, u.data());
        for (bool goes_on = true; goes_on; --t) {
          weights[t] = delta_weight(sizes.token(block, t, head), sizes.d, u.data());
          goes_on = !is_first(layout, t);
        }
        recorder.keep(recorder.effective_weights(), slot, r, weights.data());
      }
    }
    return {};
  }

  static bool is_first(const SequenceLayout& layout, int row) {
    return row % layout.length == 0 ||
           (layout.segments && layout.segments[row] != layout.segments[row - 1]);
  }

  // Computes the states of a sequence again, and then from its last token to the first the
  // gradients of queries, keys, values, decays and writes.
  static void head_backward(const Sizes& sizes, const SequenceLayout& layout, int sequence,
                            int head, const BlockActivations& block, const BackwardSpace& space) {
    const int first = sequence * layout.length;
    const std::size_t size = bytes(sizes.d, sizes.dv);
    const auto state = [&](int t) { return space.delta_states + t * sizes.state(); };
    float *d_state = state(layout.length + 1), *scratch = state(layout.length + 2);
    // State t + 1 is that after token t, and state 0 is empty.
    const auto before = [&](int t) { return state(is_first(layout, first + t) ? 0 : t); };
    std::memset(state(0), 0, size);
    for (int t = 0; t < layout.length; ++t) {
      std::memcpy(state(t + 1), before(t), size);
      delta_step(sizes.token(block, first + t, head), sizes.of_head(), state(t + 1), scratch);
    }
    std::memset(d_state, 0, size);
    for (int t = layout.length - 1; t >= 0; --t) {
      const int row = first + t;
      float* d = space.delta_qkv + at(row, sizes.mixed);
      DeltaGradients gradients = {d + sizes.q(head), d + sizes.k(head), d + sizes.v(head), 0, 0};
      const DeltaToken token = sizes.token(block, row, head);
      delta_step_backward(token, sizes.of_head(), before(t), state(t + 1),
                          space.delta_out + at(row, sizes.values) + head * sizes.dv, d_state,
                          scratch, gradients);
      space.delta_write[at(row, sizes.heads) + head] = gradients.write;
      space.delta_decay[at(row, sizes.heads) + head] = gradients.decay * token.decay;
      if (is_first(layout, row)) std::memset(d_state, 0, size);
    }
  }

  // From the gradients of decays (of their logarithms) and writes to those of their projections.
  static void gates_backward(const Sizes& sizes, int n, const BlockTensors<const float>& weights,
                             const BlockTensors<float>& gradients, const BlockActivations& block,
                             const BackwardSpace& space) {
    for (int t = 0; t < n; ++t)
      for (int h = 0; h < sizes.heads; ++h) {
        const std::ptrdiff_t i = at(t, sizes.heads) + h;
        const float write = block.delta_write[i];
        space.delta_write[i] *= write * (1 - write);
        float& d = space.delta_decay[i];
        gradients.delta_rate[h] += d * block.delta_decay[i];
        d *= -std::exp(weights.delta_rate[h]) /
             (1 + std::exp(-block.delta_decay_in[i] - weights.delta_step[h]));
        gradients.delta_step[h] += d;
      }
  }

  static void inputs_backward(const ModelConfig& config, int n,
                              const BlockTensors<const float>& weights,
                              const BlockTensors<float>& gradients, const BlockActivations& block,
                              const BackwardSpace& space, MatmulScratch& scratch) {
    const Sizes sizes{config.architecture};
    struct Projection {
      int out;
      const float* weight;
      float *d_y, *d_weight;
    };
    Accumulate accumulate = Accumulate::kNo;
    for (const Projection& one :
         {Projection{sizes.mixed, weights.mixer_in, space.mixer_in, gradients.mixer_in},
          {sizes.values, weights.delta_gate, space.delta_gate, gradients.delta_gate},
          {sizes.heads, weights.delta_write, space.delta_write, gradients.delta_write},
          {sizes.heads, weights.delta_decay, space.delta_decay, gradients.delta_decay}}) {
      project_back(n, config.width, one.out, one.d_y, one.weight, space.normed, accumulate,
                   scratch);
      add_weight_gradient(n, config.width, one.out, one.d_y, block.attention_in, one.d_weight,
                          nullptr, scratch);
      accumulate = Accumulate::kYes;
    }
  }
};

}  // namespace

const TokenMixer& delta_layer() {
  static constexpr DeltaLayer mixer;
  return mixer;
}

}  // namespace wf
