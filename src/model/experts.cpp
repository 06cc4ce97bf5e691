#include "model/experts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/dot.h"
#include "kernels/softmax.h"
#include "model/feed_activation.h"
#include "model/linear.h"

namespace wf {
namespace {

// A pair of a token and one of its experts. Pairs have two orders: by token, `token` · k + choice;
// and by expert, in which the rows of one expert are consecutive.
struct Pairs {
  int k = 0;
  std::int32_t* order = nullptr;  // [n·k] by expert: the index by token
  int ends[kMaxExperts] = {};  // where the rows of each expert end

  int begin_of(int expert) const { return expert ? ends[expert - 1] : 0; }
  int token(int row) const { return order[row] / k; }
};

// Sorts n·k pairs by expert; tokens keep their order.
Pairs sorted_pairs(const Architecture& a, int n, const BlockActivations& block) {
  Pairs pairs = {.k = a.chosen_experts, .order = block.pair_order};
  const int count = n * pairs.k;
  for (int i = 0; i < count; ++i) ++pairs.ends[block.chosen[i]];
  for (int i = 0, begin = 0; i < a.experts; ++i) begin += std::exchange(pairs.ends[i], begin);
  for (int i = 0; i < count; ++i) pairs.order[pairs.ends[block.chosen[i]]++] = i;
  return pairs;
}

// Writes the indices of the k largest of score + preference; of equal ones the first.
void choose(const float* scores, const float* preference, int count, int k, std::int32_t* chosen) {
  float best[kMaxChosenExperts];
  int filled = 0;
  for (int i = 0; i < count; ++i) {
    const float value = scores[i] + (preference ? preference[i] : 0);
    int at = filled;
    while (at > 0 && value > best[at - 1]) --at;
    if (at == k) continue;
    if (filled < k) ++filled;
    for (int j = filled - 1; j > at; --j) {
      best[j] = best[j - 1];
      chosen[j] = chosen[j - 1];
    }
    best[at] = value;
    chosen[at] = i;
  }
}

// Writes the scores of all experts for n tokens, and the chosen experts with their weights.
void route(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
           const float* x, const BlockActivations& block, MatmulScratch& scratch) {
  const Architecture& a = config.architecture;
  const int k = a.chosen_experts;
  project(n, config.width, a.experts, x, {weights.router}, weights.router_bias, block.scores,
          Accumulate::kNo, scratch);
  for (int t = 0; t < n; ++t) {
    float* scores = block.scores + std::ptrdiff_t{t} * a.experts;
    if (a.scores_by_sigmoid())
      sigmoid_row(scores, a.experts);
    else
      scale_row(scores, a.experts,
                1 / exponentials(scores, a.experts, row_maximum(scores, a.experts)));
    std::int32_t* chosen = block.chosen + std::ptrdiff_t{t} * k;
    float* pair_weights = block.pair_weights + std::ptrdiff_t{t} * k;
    choose(scores, weights.router_preference, a.experts, k, chosen);
    float sum = 1e-20f;  // sigmoids may all be zero
    for (int j = 0; j < k; ++j) sum += pair_weights[j] = scores[chosen[j]];
    scale_row(pair_weights, k, a.router_scale / (a.divides_weights() ? sum : 1));
  }
}

// Part `index` of a matrix of experts, [rows, columns]. `slice` holds the result if quantised.
Weight part_of(Weight all, int index, int rows, int columns, QuantisedMatrix& slice) {
  if (!all.quantised)
    return {all.values + static_cast<std::ptrdiff_t>(index) * rows * columns, nullptr};
  slice = *all.quantised;
  slice.data += static_cast<std::size_t>(index) * quantised_bytes(slice.type, rows, columns);
  return {nullptr, &slice};
}

// Number `index` of consecutive vectors, or null if there are none.
template <class Float>
Float* vector_of(Float* all, int index, int size) {
  return all ? all + std::ptrdiff_t{index} * size : nullptr;
}

// One gated feed-forward layer with m rows of its activations.
struct Rows {
  int m, width;
  const float* x;  // [m,E]
  float *gate, *up, *hidden;  // [m,width]
  float* out;  // [m,E]
};

void run_expert(const ModelConfig& config, Weight gate, Weight up, Weight down,
                const float* gate_bias, const float* up_bias, const float* down_bias,
                const Rows& rows, MatmulScratch& scratch) {
  const int e = config.width;
  project_all(rows.m, e, rows.x,
              {{rows.width, gate, gate_bias, rows.gate}, {rows.width, up, up_bias, rows.up}},
              scratch);
  activate_rows(config.architecture, rows.m, rows.width, rows.gate, rows.up, rows.hidden);
  project(rows.m, rows.width, e, rows.hidden, down, down_bias, rows.out, Accumulate::kNo, scratch);
}

// The rows of an expert among those of all pairs.
Rows rows_of(const ModelConfig& config, const BlockActivations& block, int first, int count) {
  const int e = config.width, f = config.architecture.expert_size;
  const std::ptrdiff_t at = std::ptrdiff_t{first} * f, row = std::ptrdiff_t{first} * e;
  return {count,
          f,
          block.expert_in + row,
          block.gate + at,
          block.up + at,
          block.hidden + at,
          block.expert_out + row};
}

// The activations of the shared expert are behind those of all pairs.
Rows shared_rows(const ModelConfig& config, const BlockActivations& block, int n, const float* x) {
  const Architecture& a = config.architecture;
  const std::ptrdiff_t at = std::ptrdiff_t{block.expert_rows} * a.chosen_experts * a.expert_size;
  return {n, a.shared_size, x, block.gate + at, block.up + at, block.hidden + at, block.shared_out};
}

// Copies the tokens of each pair, by expert, and multiplies them by the router's weights unless
// these are for outputs.
void gather(const Architecture& a, const Pairs& pairs, int count, int e, const float* x,
            const BlockActivations& block) {
  for (int i = 0; i < count; ++i) {
    float* row = block.expert_in + std::ptrdiff_t{i} * e;
    std::copy_n(x + std::ptrdiff_t{pairs.token(i)} * e, e, row);
    if (a.router_scales_inputs) scale_row(row, e, block.pair_weights[pairs.order[i]]);
  }
}

void add_shared(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                const float* x, const BlockActivations& block, MatmulScratch& scratch, float* sum) {
  const int e = config.width;
  const Rows rows = shared_rows(config, block, n, x);
  run_expert(config, weights.matrix(BlockTensor::kSharedGate),
             weights.matrix(BlockTensor::kSharedUp), weights.matrix(BlockTensor::kSharedDown),
             nullptr, nullptr, nullptr, rows, scratch);
  if (weights.shared_scale) {
    project(n, e, 1, x, {weights.shared_scale}, nullptr, block.shared_scale, Accumulate::kNo,
            scratch);
    sigmoid_row(block.shared_scale, n);
  }
  for (int t = 0; t < n; ++t)
    add_scaled(weights.shared_scale ? block.shared_scale[t] : 1, rows.out + std::ptrdiff_t{t} * e,
               e, sum + std::ptrdiff_t{t} * e);
}

// From n ≤ block.expert_rows rows x to `sum`.
void run_rows(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
              const float* x, const BlockActivations& block, MatmulScratch& scratch, float* sum) {
  const Architecture& a = config.architecture;
  const int e = config.width, f = a.expert_size, count = n * a.chosen_experts;
  route(config, weights, n, x, block, scratch);
  const Pairs pairs = sorted_pairs(a, n, block);
  gather(a, pairs, count, e, x, block);
  std::memset(sum, 0, sizeof(float) * static_cast<std::size_t>(n) * e);
  for (int i = 0; i < a.experts; ++i) {
    const int first = pairs.begin_of(i), end = pairs.ends[i];
    if (first == end) continue;
    QuantisedMatrix slices[3];
    run_expert(config, part_of(weights.matrix(BlockTensor::kExpertGate), i, f, e, slices[0]),
               part_of(weights.matrix(BlockTensor::kExpertUp), i, f, e, slices[1]),
               part_of(weights.matrix(BlockTensor::kExpertDown), i, e, f, slices[2]),
               vector_of(weights.expert_gate_bias, i, f), vector_of(weights.expert_up_bias, i, f),
               vector_of(weights.expert_down_bias, i, e),
               rows_of(config, block, first, end - first), scratch);
    for (int row = first; row < end; ++row)
      add_scaled(a.router_scales_inputs ? 1 : block.pair_weights[pairs.order[row]],
                 block.expert_out + std::ptrdiff_t{row} * e, e,
                 sum + std::ptrdiff_t{pairs.token(row)} * e);
  }
  if (a.shared_size) add_shared(config, weights, n, x, block, scratch, sum);
}

// Gradients of an expert's weights.
struct ExpertGradients {
  float *gate, *up, *down;
  float *gate_bias, *up_bias, *down_bias;
};

// From the gradient d_out [m,E] to d_x [m,E], which is overwritten or added to.
void run_expert_backward(const ModelConfig& config, const float* gate, const float* up,
                         const float* down, const ExpertGradients& gradients, const Rows& rows,
                         const BackwardSpace& space, const float* d_out, float* d_x,
                         Accumulate accumulate, MatmulScratch& scratch) {
  const int e = config.width, f = rows.width, m = rows.m;
  project_back(m, f, e, d_out, down, space.hidden, Accumulate::kNo, scratch);
  add_weight_gradient(m, f, e, d_out, rows.hidden, gradients.down, gradients.down_bias, scratch);
  activate_rows_backward(config.architecture, m, f, rows.gate, rows.up, space.hidden, space.gate,
                         space.up);
  project_back(m, e, f, space.gate, gate, d_x, accumulate, scratch);
  project_back(m, e, f, space.up, up, d_x, Accumulate::kYes, scratch);
  add_weight_gradient(m, e, f, space.gate, rows.x, gradients.gate, gradients.gate_bias, scratch);
  add_weight_gradient(m, e, f, space.up, rows.x, gradients.up, gradients.up_bias, scratch);
}

// Converts the gradients of a token's k weights to those of all logits of the router.
void route_row_backward(const Architecture& a, const float* scores, const std::int32_t* chosen,
                        const float* d_weights, float* d_logits) {
  const int k = a.chosen_experts;
  float sum = 1e-20f, dot = 0;  // of the chosen scores; of these with their gradients
  for (int j = 0; j < k; ++j) {
    sum += scores[chosen[j]];
    dot += scores[chosen[j]] * d_weights[j];
  }
  std::fill_n(d_logits, a.experts, 0.0f);
  float along = 0;  // Σ score · its gradient
  for (int j = 0; j < k; ++j) {
    float d = a.router_scale * d_weights[j];
    if (a.divides_weights()) d = (d - a.router_scale * dot / sum) / sum;
    d_logits[chosen[j]] = d;
    along += scores[chosen[j]] * d;
  }
  for (int i = 0; i < a.experts; ++i)
    d_logits[i] =
        scores[i] * (a.scores_by_sigmoid() ? d_logits[i] * (1 - scores[i]) : d_logits[i] - along);
}

void shared_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                     const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                     const BackwardSpace& space, MatmulScratch& scratch) {
  const int e = config.width;
  const Rows rows = shared_rows(config, block, n, block.feed_in);
  for (int t = 0; t < n; ++t) {
    const std::ptrdiff_t at = std::ptrdiff_t{t} * e;
    const float scale = weights.shared_scale ? block.shared_scale[t] : 1;
    if (weights.shared_scale)
      space.shared_scale[t] = dot(space.feed_sum + at, rows.out + at, e) * scale * (1 - scale);
    for (int i = 0; i < e; ++i) space.expert_out[at + i] = scale * space.feed_sum[at + i];
  }
  run_expert_backward(config, weights.shared_gate, weights.shared_up, weights.shared_down,
                      {gradients.shared_gate, gradients.shared_up, gradients.shared_down, nullptr,
                       nullptr, nullptr},
                      rows, space, space.expert_out, space.normed, Accumulate::kYes, scratch);
  if (!weights.shared_scale) return;
  project_back(n, e, 1, space.shared_scale, weights.shared_scale, space.normed, Accumulate::kYes,
               scratch);
  add_weight_gradient(n, e, 1, space.shared_scale, block.feed_in, gradients.shared_scale, nullptr,
                      scratch);
}

}  // namespace

void experts_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                     const BlockActivations& block, MatmulScratch& scratch) {
  for (int first = 0; first < n; first += block.expert_rows) {
    const std::ptrdiff_t at = std::ptrdiff_t{first} * config.width;
    run_rows(config, weights, std::min(block.expert_rows, n - first), block.feed_in + at, block,
             scratch, block.feed_sum + at);
  }
}

void experts_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                      const BackwardSpace& space, MatmulScratch& scratch) {
  const Architecture& a = config.architecture;
  const int e = config.width, f = a.expert_size, k = a.chosen_experts, count = n * k;
  const Pairs pairs = sorted_pairs(a, n, block);
  gather(a, pairs, count, e, block.feed_in, block);
  for (int row = 0; row < count; ++row) {
    const std::ptrdiff_t at = std::ptrdiff_t{row} * e;
    const float* d_sum = space.feed_sum + std::ptrdiff_t{pairs.token(row)} * e;
    const int pair = pairs.order[row];
    if (!a.router_scales_inputs) space.pair_weights[pair] = dot(d_sum, block.expert_out + at, e);
    const float weight = a.router_scales_inputs ? 1 : block.pair_weights[pair];
    for (int i = 0; i < e; ++i) space.expert_out[at + i] = weight * d_sum[i];
  }
  for (int i = 0; i < a.experts; ++i) {
    const int first = pairs.begin_of(i), rows = pairs.ends[i] - first;
    if (rows == 0) continue;
    const std::ptrdiff_t at = std::ptrdiff_t{first} * e;
    run_expert_backward(
        config, vector_of(weights.expert_gate, i, f * e), vector_of(weights.expert_up, i, f * e),
        vector_of(weights.expert_down, i, e * f),
        {vector_of(gradients.expert_gate, i, f * e), vector_of(gradients.expert_up, i, f * e),
         vector_of(gradients.expert_down, i, e * f), vector_of(gradients.expert_gate_bias, i, f),
         vector_of(gradients.expert_up_bias, i, f), vector_of(gradients.expert_down_bias, i, e)},
        rows_of(config, block, first, rows), space, space.expert_out + at, space.expert_in + at,
        Accumulate::kNo, scratch);
  }
  for (int row = 0; row < count && a.router_scales_inputs; ++row) {
    float* d_in = space.expert_in + std::ptrdiff_t{row} * e;
    const int pair = pairs.order[row];
    space.pair_weights[pair] = dot(d_in, block.feed_in + std::ptrdiff_t{pairs.token(row)} * e, e);
    scale_row(d_in, e, block.pair_weights[pair]);
  }
  for (int t = 0; t < n; ++t)
    route_row_backward(
        a, block.scores + std::ptrdiff_t{t} * a.experts, block.chosen + std::ptrdiff_t{t} * k,
        space.pair_weights + std::ptrdiff_t{t} * k, space.scores + std::ptrdiff_t{t} * a.experts);
  project_back(n, e, a.experts, space.scores, weights.router, space.normed, Accumulate::kNo,
               scratch);
  add_weight_gradient(n, e, a.experts, space.scores, block.feed_in, gradients.router,
                      gradients.router_bias, scratch);
  for (int row = 0; row < count; ++row)
    add_to(space.expert_in + std::ptrdiff_t{row} * e, e,
           space.normed + std::ptrdiff_t{pairs.token(row)} * e);
  if (a.shared_size) shared_backward(config, weights, gradients, n, block, space, scratch);
}

}  // namespace wf
