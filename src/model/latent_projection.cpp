#include "model/latent_projection.h"

#include <cstring>

#include "kernels/matmul.h"
#include "kernels/norm.h"

namespace wf {
namespace {

// y [rows,out] = x [rows,in] · Wᵀ, W [out,in].
void project(ConstMatrix x, const float* weight, Matrix y, MatmulScratch& scratch) {
  matmul(x.rows, y.columns, x.columns, 1, {x.data, x.stride},
         Operand{weight, x.columns}.transposed(), y.data, y.stride, Accumulate::kNo, scratch);
}

// d_x = (or +=) d_y · W, d_W += d_yᵀ · x.
void project_back(ConstMatrix x, const float* weight, ConstMatrix d_y, Matrix d_x, float* d_weight,
                  Accumulate accumulate, MatmulScratch& scratch) {
  matmul(x.rows, x.columns, d_y.columns, 1, {d_y.data, d_y.stride}, {weight, x.columns}, d_x.data,
         d_x.stride, accumulate, scratch);
  matmul(d_y.columns, x.columns, x.rows, 1, Operand{d_y.data, d_y.stride}.transposed(),
         {x.data, x.stride}, d_weight, x.columns, Accumulate::kYes, scratch);
}

struct Sizes {
  int width, heads, kv_heads, head_dim, query_rank, rank, slice, value;
  float epsilon;

  Sizes(const ModelConfig& config, int layer)
      : width(config.width),
        heads(config.num_heads),
        kv_heads(config.num_kv_heads),
        head_dim(config.head_dim),
        epsilon(config.norm_epsilon) {
    const ProjectionPlan plan = config.projections(layer);
    query_rank = plan.query_rank;
    rank = plan.rank;
    slice = plan.slice;
    value = plan.value_dim;
  }

  int content() const { return head_dim - slice; }
  int cached() const { return rank + slice; }
  int expanded() const { return content() + value; }  // of a key head
  int keys_row() const { return kv_heads * expanded(); }
  // Rows of W_UK for a query head; those of W_UV follow after content() rows.
  const float* up(const float* weight, int head) const {
    return weight + std::ptrdiff_t{head / (heads / kv_heads)} * expanded() * rank;
  }
  Matrix rows(int n, float* x, int columns) const { return {x, n, columns, columns}; }
  // c in rows [c | k^R].
  Matrix latent(int n, float* x) const { return {x, n, rank, cached()}; }
};

void copy(const float* source, int count, float* target) {
  std::memcpy(target, source, static_cast<std::size_t>(count) * sizeof(float));
}

void queries(const Sizes& s, const BlockTensors<const float>& weights, int n,
             const BlockActivations& block, MatmulScratch& scratch) {
  const ConstMatrix input = s.rows(n, block.attention_in, s.width);
  const Matrix q = s.rows(n, block.q, s.heads * s.head_dim);
  if (s.query_rank == 0) return project(input, weights.query, q, scratch);
  const Matrix raw = s.rows(n, block.query_in, s.query_rank);
  const Matrix normed = s.rows(n, block.query_latent, s.query_rank);
  project(input, weights.query_down, raw, scratch);
  rms_norm(raw, weights.query_down_norm, s.epsilon, normed, block.query_latent_rms);
  project(normed, weights.query, q, scratch);
}

// Computes [c | k^R] of each row.
void latents(const Sizes& s, const BlockTensors<const float>& weights, int n,
             const BlockActivations& block, MatmulScratch& scratch) {
  project(s.rows(n, block.attention_in, s.width), weights.latent_down,
          s.rows(n, block.latent_in, s.cached()), scratch);
  rms_norm(s.latent(n, block.latent_in), weights.latent_norm, s.epsilon, s.latent(n, block.latent),
           block.latent_rms);
  if (block.latent == block.latent_in) return;
  for (int t = 0; t < n; ++t) {
    const std::ptrdiff_t at = std::ptrdiff_t{t} * s.cached() + s.rank;
    copy(block.latent_in + at, s.slice, block.latent + at);
  }
}

}  // namespace

void latent_projections(const ModelConfig& config, int layer,
                        const BlockTensors<const float>& weights, int n,
                        const BlockActivations& block, MatmulScratch& scratch) {
  const Sizes s(config, layer);
  queries(s, weights, n, block, scratch);
  latents(s, weights, n, block, scratch);
  project(s.latent(n, block.latent), weights.latent_up, s.rows(n, block.v, s.keys_row()), scratch);
  for (int t = 0; t < n; ++t) {
    const float* slice = block.latent + std::ptrdiff_t{t} * s.cached() + s.rank;
    for (int h = 0; h < s.kv_heads; ++h) {
      const std::ptrdiff_t head = std::ptrdiff_t{t} * s.kv_heads + h;
      float* key = block.k + head * s.head_dim;
      copy(block.v + head * s.expanded(), s.content(), key);
      copy(slice, s.slice, key + s.content());
    }
  }
}

void latent_projections_backward(const ModelConfig& config, int layer,
                                 const BlockTensors<const float>& weights,
                                 const BlockTensors<float>& gradients, int n,
                                 const BlockActivations& block, const BackwardSpace& space,
                                 MatmulScratch& scratch) {
  const Sizes s(config, layer);
  const Matrix d_packed = s.rows(n, space.latent_in, s.cached());
  std::memset(d_packed.data, 0, std::size_t{1} * n * s.cached() * sizeof(float));
  for (int t = 0; t < n; ++t) {
    float* d_slice = d_packed.row(t) + s.rank;
    for (int h = 0; h < s.kv_heads; ++h) {
      const std::ptrdiff_t head = std::ptrdiff_t{t} * s.kv_heads + h;
      const float* d_key = space.k + head * s.head_dim;
      copy(d_key, s.content(), space.v + head * s.expanded());
      // All heads share the slice.
      for (int c = 0; c < s.slice; ++c) d_slice[c] += d_key[s.content() + c];
    }
  }
  const Matrix d_latent = s.rows(n, space.latent, s.rank);
  project_back(s.latent(n, block.latent), weights.latent_up, s.rows(n, space.v, s.keys_row()),
               d_latent, gradients.latent_up, Accumulate::kNo, scratch);
  rms_norm_backward(s.latent(n, block.latent_in), weights.latent_norm, block.latent_rms, d_latent,
                    s.latent(n, space.latent_in), gradients.latent_norm);
  const ConstMatrix input = s.rows(n, block.attention_in, s.width);
  const Matrix d_input = s.rows(n, space.normed, s.width);
  project_back(input, weights.latent_down, d_packed, d_input, gradients.latent_down,
               Accumulate::kYes, scratch);

  const Matrix d_q = s.rows(n, space.q, s.heads * s.head_dim);
  if (s.query_rank == 0)
    return project_back(input, weights.query, d_q, d_input, gradients.query, Accumulate::kYes,
                        scratch);
  const Matrix d_normed = s.rows(n, space.query_latent, s.query_rank);
  const Matrix d_raw = s.rows(n, space.query_in, s.query_rank);
  project_back(s.rows(n, block.query_latent, s.query_rank), weights.query, d_q, d_normed,
               gradients.query, Accumulate::kNo, scratch);
  std::memset(d_raw.data, 0, std::size_t{1} * n * s.query_rank * sizeof(float));
  rms_norm_backward(s.rows(n, block.query_in, s.query_rank), weights.query_down_norm,
                    block.query_latent_rms, d_normed, d_raw, gradients.query_down_norm);
  project_back(input, weights.query_down, d_raw, d_input, gradients.query_down, Accumulate::kYes,
               scratch);
}

void absorbed_projections(const ModelConfig& config, int layer,
                          const BlockTensors<const float>& weights, int n,
                          const BlockActivations& block, MatmulScratch& scratch) {
  const Sizes s(config, layer);
  queries(s, weights, n, block, scratch);
  latents(s, weights, n, block, scratch);
  const int row = s.heads * s.head_dim, absorbed_row = s.heads * s.cached();
  for (int h = 0; h < s.heads; ++h) {
    const float* q = block.q + h * s.head_dim;
    float* absorbed = block.absorbed + h * s.cached();
    matmul(n, s.rank, s.content(), 1, {q, row}, {s.up(weights.latent_up, h), s.rank}, absorbed,
           absorbed_row, Accumulate::kNo, scratch);
    for (int t = 0; t < n; ++t)
      copy(q + std::ptrdiff_t{t} * row + s.content(), s.slice,
           absorbed + std::ptrdiff_t{t} * absorbed_row + s.rank);
  }
}

void expand_context(const ModelConfig& config, int layer, const BlockTensors<const float>& weights,
                    int n, const BlockActivations& block, MatmulScratch& scratch) {
  const Sizes s(config, layer);
  for (int h = 0; h < s.heads; ++h) {
    const float* up = s.up(weights.latent_up, h) + std::ptrdiff_t{s.content()} * s.rank;
    matmul(n, s.value, s.rank, 1, {block.context + h * s.rank, s.heads * s.rank},
           Operand{up, s.rank}.transposed(), block.attended + h * s.value, s.heads * s.value,
           Accumulate::kNo, scratch);
  }
}

}  // namespace wf
