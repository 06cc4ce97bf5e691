#include "model/state_layer.h"

#include <algorithm>

#include "attention/recorder.h"
#include "executor.h"
#include "kernels/activation.h"
#include "model/linear.h"

namespace wf {
namespace {

ConvolvedRows rows_of(const SequenceLayout& layout, const BlockActivations& block, int sequence,
                      int channels) {
  const int row = sequence * layout.length;
  return {block.mixer_in + offset_of(row, channels), nullptr, 0,
          layout.segments ? layout.segments + row : nullptr};
}

// With a cache, the rows before the first of the call are the last ones of its state, which then
// has the last rows of the call.
void convolve(const ModelConfig& config, const BlockTensors<const float>& weights,
              const SequenceLayout& layout, const BlockActivations& block, KvCache* cache) {
  const int m = config.architecture.delta_mixed(), taps = config.architecture.delta_taps;
  for (int s = 0; s < layout.batch; ++s) {
    ConvolvedRows rows = rows_of(layout, block, s, m);
    if (cache) {
      rows.end_of_earlier = cache->state().data() + cache->state().size();
      rows.earlier = taps - 1;
    }
    for (int t = 0; t < layout.length; ++t)
      convolve_row(rows, t, m, taps, weights.convolution, weights.convolution_bias,
                   block.convolution_out + offset_of(s * layout.length + t, m));
  }
  if (!cache || taps == 1) return;
  float* kept = cache->state().data() + cache->state().size() - offset_of(taps - 1, m);
  const int added = std::min(layout.length, taps - 1), moved = taps - 1 - added;
  std::memmove(kept, kept + offset_of(added, m), bytes_of(moved, m));
  std::memcpy(kept + offset_of(moved, m), block.mixer_in + offset_of(layout.length - added, m),
              bytes_of(added, m));
}

bool is_first(const SequenceLayout& layout, int row) {
  return row % layout.length == 0 ||
         (layout.segments && layout.segments[row] != layout.segments[row - 1]);
}

// `begins`: with an empty state, also at each segment.
void run_head(const StateSizes& sizes, const SequenceLayout& layout, const BlockActivations& block,
              int head, bool begins, float* state) {
  for (int row = 0; row < layout.rows(); ++row) {
    if (begins && is_first(layout, row)) std::memset(state, 0, bytes_of(sizes.d, sizes.dv));
    delta_step(sizes.token(block, row, head), sizes.of_head(), state,
               block.delta_out + offset_of(row, sizes.values) + head * sizes.dv);
  }
}

// Computes the states of a sequence again, and then from its last token to the first the gradients
// of queries, keys, values, decays and writes.
void head_backward(const StateSizes& sizes, const SequenceLayout& layout, int sequence, int head,
                   const BlockActivations& block, const BackwardSpace& space) {
  const int first = sequence * layout.length;
  const std::size_t size = bytes_of(sizes.d, sizes.dv);
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
    float* d = space.delta_qkv + offset_of(row, sizes.mixed);
    DeltaGradients gradients = {d + sizes.q(head), d + sizes.k(head), d + sizes.v(head), 0, 0};
    const DeltaToken token = sizes.token(block, row, head);
    delta_step_backward(token, sizes.of_head(), before(t), state(t + 1),
                        space.delta_out + offset_of(row, sizes.values) + head * sizes.dv, d_state,
                        scratch, gradients);
    space.delta_write[offset_of(row, sizes.heads) + head] = gradients.write;
    space.delta_decay[offset_of(row, sizes.heads) + head] = gradients.decay * token.decay;
    if (is_first(layout, row)) std::memset(d_state, 0, size);
  }
}

}  // namespace

float softplus(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x))); }

Status StateLayer::mix(const ModelConfig& config, int, const BlockTensors<const float>& weights,
                       const SequenceLayout& layout, const BlockActivations& block, KvCache* cache,
                       Recorder* recorder) const {
  const StateSizes sizes = this->sizes(config.architecture);
  const int n = layout.rows(), m = sizes.mixed;
  if (cache)
    WF_RETURN_IF_ERROR(cache->append({nullptr, 0, n, 1}, {nullptr, 0, n, 1}, layout.positions));
  convolve(config, weights, layout, block, cache);
  activate(config.architecture.activation, block.convolution_out, nullptr,
           static_cast<std::size_t>(offset_of(n, m)), block.delta_qkv);
  prepare(sizes, layout, block);
  float* states = cache ? cache->state().data() : block.delta_states;
  share_out(lanes_for(3.0 * n * static_cast<double>(sizes.state()) * sizes.heads), sizes.heads,
            [&](int, int head) {
              float* state = states + head * sizes.state();
              run_head(sizes, layout, block, head, !cache, state);
            });
  finish(config, weights, layout, block);
  return recorder ? record(sizes, weights, layout, block, *recorder) : Status();
}

// Writes by how much each head's output at a row multiplies the value of each earlier token.
Status StateLayer::record(const StateSizes& sizes, const BlockTensors<const float>& weights,
                          const SequenceLayout& layout, const BlockActivations& block,
                          Recorder& recorder) const {
  WF_ASSIGN_OR_RETURN(Buffer<float> u, Buffer<float>::make(sizes.d));
  WF_ASSIGN_OR_RETURN(Buffer<float> effective, Buffer<float>::make(layout.length));
  for (int head = 0; head < sizes.heads; ++head) {
    const int slot = recorder.head_slot(head);
    for (int r = 0; r < recorder.rows() && slot >= 0; ++r) {
      effective.fill_zero();
      const int row = recorder.row(r);
      std::copy_n(sizes.token(block, row, head).q, sizes.d, u.data());
      bool goes_on = true;
      for (int t = row; goes_on; --t) {
        effective[t] = delta_weight(sizes.token(block, t, head), sizes.of_head(), u.data());
        goes_on = !is_first(layout, t);
      }
      effective[row] += direct_weight(weights, head);
      recorder.keep(recorder.effective_weights(), slot, r, effective.data());
    }
  }
  return {};
}

void StateLayer::backward(const ModelConfig& config, int, const BlockTensors<const float>& weights,
                          const BlockTensors<float>& gradients, const SequenceLayout& layout,
                          const BlockActivations& block, const BackwardSpace& space,
                          MatmulScratch& scratch) const {
  const StateSizes sizes = this->sizes(config.architecture);
  const int n = layout.rows(), m = sizes.mixed;
  std::memset(space.delta_qkv, 0, bytes_of(n, m));
  finish_backward(config, weights, gradients, n, block, space);
  for (int s = 0; s < layout.batch; ++s)
    for (int head = 0; head < sizes.heads; ++head)
      head_backward(sizes, layout, s, head, block, space);
  prepare_backward(sizes, weights, layout, block, space);
  activate_backward(config.architecture.activation, block.convolution_out, nullptr, space.delta_qkv,
                    static_cast<std::size_t>(offset_of(n, m)), space.delta_qkv, nullptr);
  std::memset(space.mixer_in, 0, bytes_of(n, m));
  for (int s = 0; s < layout.batch; ++s) {
    const std::ptrdiff_t first = offset_of(s * layout.length, m);
    convolve_backward(rows_of(layout, block, s, m), layout.length, m,
                      config.architecture.delta_taps, weights.convolution, space.delta_qkv + first,
                      space.mixer_in + first, gradients.convolution, gradients.convolution_bias);
  }
  inputs_backward(config, n, weights, gradients, block, space, scratch);
  clear_hidden_rows(layout.visible, n, config.width, space.normed);
}

void StateLayer::projections_backward(const ModelConfig& config, int n,
                                      std::initializer_list<Projection> projections,
                                      const BlockActivations& block, const BackwardSpace& space,
                                      MatmulScratch& scratch) {
  Accumulate accumulate = Accumulate::kNo;
  for (const Projection& one : projections) {
    project_back(n, config.width, one.out, one.d_y, one.weight, space.normed, accumulate, scratch);
    add_weight_gradient(n, config.width, one.out, one.d_y, block.attention_in, one.d_weight,
                        nullptr, scratch);
    accumulate = Accumulate::kYes;
  }
}

}  // namespace wf
