#include "model/block.h"

#include <cstring>

#include "kernels/activation.h"
#include "kernels/matmul.h"
#include "kernels/norm.h"
#include "model/latent_projection.h"

namespace wf {
namespace {

// y [rows,out] = x [rows,in] · Wᵀ, W [out,in]; or added to y.
void project(int rows, int in, int out, const float* x, const float* weight, float* y,
             Accumulate accumulate, MatmulScratch& scratch) {
  matmul(rows, out, in, 1, {x, in}, Operand{weight, in}.transposed(), y, out, accumulate, scratch);
}

// d_x [rows,in] (+)= d_y [rows,out] · W.
void project_back(int rows, int in, int out, const float* d_y, const float* weight, float* d_x,
                  Accumulate accumulate, MatmulScratch& scratch) {
  matmul(rows, in, out, 1, {d_y, out}, {weight, in}, d_x, in, accumulate, scratch);
}

// d_W [out,in] += d_yᵀ · x.
void add_weight_gradient(int rows, int in, int out, const float* d_y, const float* x, float* d_w,
                         MatmulScratch& scratch) {
  matmul(out, in, rows, 1, Operand{d_y, out}.transposed(), {x, in}, d_w, in, Accumulate::kYes,
         scratch);
}

void clear(float* x, std::size_t rows, int columns) {
  std::memset(x, 0, rows * static_cast<std::size_t>(columns) * sizeof(float));
}

// The norm of a layer's queries and keys, whose heads lie in rows of D one after the other.
struct QueryKeyNorms {
  bool apply;
  const float* query;
  const float* key;
  int head_dim;

  QueryKeyNorms(const ModelConfig& config, const BlockTensors<const float>& weights, int layer,
                const TransformerActivations& activations)
      : apply(config.stack(layer).query_key_norm != QueryKeyNorm::kNone),
        query(weights.query_norm ? weights.query_norm : activations.ones()),
        key(weights.key_norm ? weights.key_norm : activations.ones()),
        head_dim(config.head_dim) {}

  Matrix heads(float* rows, int count) const { return {rows, count, head_dim, head_dim}; }
};

// The values of a sequence [K,T,Dv]; in latent layers they lie between the content of the keys.
Heads value_rows(const ModelConfig& config, int layer, const SequenceLayout& layout, float* base,
                 int sequence) {
  const ProjectionPlan plan = config.projections(layer);
  const int content = plan.is_latent() ? plan.content : 0, row = config.value_width(layer);
  return {base + static_cast<std::size_t>(sequence) * layout.length * row + content,
          config.num_kv_heads,
          layout.length,
          plan.value_dim,
          content + plan.value_dim,
          row};
}

AttentionInput attention_input(const ModelConfig& config, const BlockTensors<const float>& weights,
                               int layer, const SequenceLayout& layout,
                               const BlockActivations& block, int sequence) {
  const std::size_t row = static_cast<std::size_t>(sequence) * layout.length;
  AttentionInput input;
  input.q = tokens_outermost(static_cast<const float*>(block.q + row * config.query_width()),
                             config.num_heads, layout.length, config.head_dim);
  input.k = tokens_outermost(static_cast<const float*>(block.k + row * config.key_width()),
                             config.num_kv_heads, layout.length, config.head_dim);
  input.v = value_rows(config, layer, layout, block.v, sequence);
  input.sinks = weights.sinks;
  input.query_positions = layout.positions;
  input.key_positions = layout.positions;
  if (layout.segments) {
    input.mask.query_segments = layout.segments + row;
    input.mask.key_segments = layout.segments + row;
  }
  if (layout.lengths) input.mask.key_length = layout.lengths[sequence];
  return input;
}

Heads query_rows(const ModelConfig& config, const SequenceLayout& layout, float* base,
                 int sequence) {
  return tokens_outermost(
      base + static_cast<std::size_t>(sequence) * layout.length * config.query_width(),
      config.num_heads, layout.length, config.head_dim);
}

Heads attended_rows(const ModelConfig& config, int layer, const SequenceLayout& layout, float* base,
                    int sequence) {
  const int row = config.attended_width(layer);
  return tokens_outermost(base + static_cast<std::size_t>(sequence) * layout.length * row,
                          config.num_heads, layout.length, row / config.num_heads);
}

Heads key_rows(const ModelConfig& config, const SequenceLayout& layout, float* base, int sequence) {
  return tokens_outermost(
      base + static_cast<std::size_t>(sequence) * layout.length * config.key_width(),
      config.num_kv_heads, layout.length, config.head_dim);
}

void attention_inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                      int layer, TransformerActivations& activations) {
  const BlockActivations& block = activations.block(layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const int e = config.width, q = config.query_width(), k = config.key_width();
  rms_norm({block.input, n, e, e}, weights.input_norm, config.norm_epsilon,
           {block.attention_in, n, e, e}, block.attention_rms);
  if (weights.latent_up) return latent_projections(config, layer, weights, n, block, scratch);
  const QueryKeyNorms norms(config, weights, layer, activations);
  float* raw_q = norms.apply ? block.projected_q : block.q;
  float* raw_k = norms.apply ? block.projected_k : block.k;
  project(n, e, q, block.attention_in, weights.query, raw_q, Accumulate::kNo, scratch);
  project(n, e, k, block.attention_in, weights.key, raw_k, Accumulate::kNo, scratch);
  project(n, e, k, block.attention_in, weights.value, block.v, Accumulate::kNo, scratch);
  if (!norms.apply) return;
  rms_norm(norms.heads(raw_q, n * config.num_heads), norms.query, config.norm_epsilon,
           norms.heads(block.q, n * config.num_heads), block.q_rms);
  rms_norm(norms.heads(raw_k, n * config.num_kv_heads), norms.key, config.norm_epsilon,
           norms.heads(block.k, n * config.num_kv_heads), block.k_rms);
}

// From the gradients of queries and keys in `space` to those of their projections, which returns.
struct ProjectionGradients {
  float* q;
  float* k;
};
ProjectionGradients query_key_norm_backward(const ModelConfig& config,
                                            const BlockTensors<const float>& weights,
                                            const BlockTensors<float>& gradients, int n, int layer,
                                            TransformerActivations& activations) {
  const BlockActivations& block = activations.block(layer);
  const BackwardSpace& space = activations.backward();
  const QueryKeyNorms norms(config, weights, layer, activations);
  if (!norms.apply) return {space.q, space.k};
  const int queries = n * config.num_heads, keys = n * config.num_kv_heads;
  clear(space.projected_q, queries, config.head_dim);
  clear(space.projected_k, keys, config.head_dim);
  rms_norm_backward(norms.heads(block.projected_q, queries), norms.query, block.q_rms,
                    norms.heads(space.q, queries), norms.heads(space.projected_q, queries),
                    gradients.query_norm);
  rms_norm_backward(norms.heads(block.projected_k, keys), norms.key, block.k_rms,
                    norms.heads(space.k, keys), norms.heads(space.projected_k, keys),
                    gradients.key_norm);
  return {space.projected_q, space.projected_k};
}

// From space.q, space.k and space.v to space.normed, which is written.
void dense_projections_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                                const BlockTensors<float>& gradients, int n, int layer,
                                TransformerActivations& activations) {
  const int e = config.width, q = config.query_width(), k = config.key_width();
  const BlockActivations& block = activations.block(layer);
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  const ProjectionGradients projected =
      query_key_norm_backward(config, weights, gradients, n, layer, activations);
  project_back(n, e, q, projected.q, weights.query, space.normed, Accumulate::kNo, scratch);
  project_back(n, e, k, projected.k, weights.key, space.normed, Accumulate::kYes, scratch);
  project_back(n, e, k, space.v, weights.value, space.normed, Accumulate::kYes, scratch);
  add_weight_gradient(n, e, q, projected.q, block.attention_in, gradients.query, scratch);
  add_weight_gradient(n, e, k, projected.k, block.attention_in, gradients.key, scratch);
  add_weight_gradient(n, e, k, space.v, block.attention_in, gradients.value, scratch);
}

void attention_residual(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                        int layer, const BlockActivations& block, MatmulScratch& scratch) {
  const int e = config.width;
  if (block.middle != block.input)
    std::memcpy(block.middle, block.input, static_cast<std::size_t>(n) * e * sizeof(float));
  project(n, config.attended_width(layer), e, block.attended, weights.output, block.middle,
          Accumulate::kYes, scratch);
}

void feed_half_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                       const BlockActivations& block, MatmulScratch& scratch) {
  const int e = config.width, f = config.intermediate;
  rms_norm({block.middle, n, e, e}, weights.post_norm, config.norm_epsilon,
           {block.feed_in, n, e, e}, block.feed_rms);
  project(n, e, f, block.feed_in, weights.gate, block.gate, Accumulate::kNo, scratch);
  project(n, e, f, block.feed_in, weights.up, block.up, Accumulate::kNo, scratch);
  swiglu(block.gate, block.up, static_cast<std::size_t>(n) * f, block.hidden);
  if (block.output != block.middle)
    std::memcpy(block.output, block.middle, static_cast<std::size_t>(n) * e * sizeof(float));
  project(n, f, e, block.hidden, weights.down, block.output, Accumulate::kYes, scratch);
}

void feed_half_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                        const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                        const BackwardSpace& space, MatmulScratch& scratch) {
  const int e = config.width, f = config.intermediate;
  project_back(n, f, e, space.stream, weights.down, space.hidden, Accumulate::kNo, scratch);
  add_weight_gradient(n, f, e, space.stream, block.hidden, gradients.down, scratch);
  swiglu_backward(block.gate, block.up, space.hidden, static_cast<std::size_t>(n) * f, space.gate,
                  space.up);
  project_back(n, e, f, space.gate, weights.gate, space.normed, Accumulate::kNo, scratch);
  project_back(n, e, f, space.up, weights.up, space.normed, Accumulate::kYes, scratch);
  add_weight_gradient(n, e, f, space.gate, block.feed_in, gradients.gate, scratch);
  add_weight_gradient(n, e, f, space.up, block.feed_in, gradients.up, scratch);
  rms_norm_backward({block.middle, n, e, e}, weights.post_norm, block.feed_rms,
                    {space.normed, n, e, e}, {space.stream, n, e, e}, gradients.post_norm);
}

Status attention_half_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                               const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                               const SequenceLayout& layout, TransformerActivations& activations) {
  const int n = layout.rows(), e = config.width;
  const int q = config.query_width(), k = config.key_width();
  const BlockActivations& block = activations.block(schemes.layer);
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  const int attended = config.attended_width(schemes.layer);
  const int v = config.value_width(schemes.layer);
  project_back(n, attended, e, space.stream, weights.output, space.attended, Accumulate::kNo,
               scratch);
  add_weight_gradient(n, attended, e, space.stream, block.attended, gradients.output, scratch);
  clear(space.q, n, q);
  clear(space.k, n, k);
  clear(space.v, n, v);
  for (int b = 0; b < layout.batch; ++b) {
    WF_RETURN_IF_ERROR(attention_backward(
        config.attention(schemes.layer), schemes,
        attention_input(config, weights, schemes.layer, layout, block, b),
        attended_rows(config, schemes.layer, layout, block.attended, b),
        attended_rows(config, schemes.layer, layout, space.attended, b),
        activations.attention(schemes.layer, b), activations.scratch(),
        query_rows(config, layout, space.q, b), key_rows(config, layout, space.k, b),
        value_rows(config, schemes.layer, layout, space.v, b), gradients.sinks));
  }
  if (weights.latent_up)
    latent_projections_backward(config, schemes.layer, weights, gradients, n, block, space,
                                scratch);
  else
    dense_projections_backward(config, weights, gradients, n, schemes.layer, activations);
  rms_norm_backward({block.input, n, e, e}, weights.input_norm, block.attention_rms,
                    {space.normed, n, e, e}, {space.stream, n, e, e}, gradients.input_norm);
  return {};
}

// Attention of the next tokens of a latent layer, whose cache holds one key [c | slice] for each.
Status absorbed_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                       TransformerActivations& activations) {
  const int n = layout.rows(), e = config.width, layer = schemes.layer;
  const BlockActivations& block = activations.block(layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const AttentionConfig attention = config.decoding_attention(layer);
  rms_norm({block.input, n, e, e}, weights.input_norm, config.norm_epsilon,
           {block.attention_in, n, e, e}, block.attention_rms);
  absorbed_projections(config, layer, weights, n, block, scratch);
  const ConstHeads key = tokens_outermost(block.latent, 1, n, attention.head_dim);
  ConstHeads value = key;
  value.columns = attention.value_dim;
  WF_RETURN_IF_ERROR(attention_decode(
      attention, schemes, cache,
      tokens_outermost(block.absorbed, config.num_heads, n, attention.head_dim), key, value,
      layout.positions, tokens_outermost(block.context, config.num_heads, n, attention.value_dim),
      activations.attention(layer, 0), activations.scratch(), weights.sinks));
  expand_context(config, layer, weights, n, block, scratch);
  return {};
}

}  // namespace

Status block_forward(const ModelConfig& config, const BlockTensors<const float>& weights,
                     const LayerSchemes& schemes, const SequenceLayout& layout,
                     TransformerActivations& activations, Recorder* recorder) {
  const int n = layout.rows();
  const BlockActivations& block = activations.block(schemes.layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  attention_inputs(config, weights, n, schemes.layer, activations);
  for (int b = 0; b < layout.batch; ++b) {
    WF_RETURN_IF_ERROR(attention_forward(
        config.attention(schemes.layer), schemes,
        attention_input(config, weights, schemes.layer, layout, block, b),
        attended_rows(config, schemes.layer, layout, block.attended, b),
        activations.attention(schemes.layer, b), activations.scratch(), recorder));
  }
  attention_residual(config, weights, n, schemes.layer, block, scratch);
  feed_half_forward(config, weights, n, block, scratch);
  return {};
}

Status block_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                    TransformerActivations& activations) {
  const int n = layout.rows();
  const BlockActivations& block = activations.block(schemes.layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  if (config.absorbs(schemes.layer)) {
    WF_RETURN_IF_ERROR(absorbed_decode(config, weights, schemes, layout, cache, activations));
    attention_residual(config, weights, n, schemes.layer, block, scratch);
    feed_half_forward(config, weights, n, block, scratch);
    return {};
  }
  attention_inputs(config, weights, n, schemes.layer, activations);
  const AttentionInput input = attention_input(config, weights, schemes.layer, layout, block, 0);
  WF_RETURN_IF_ERROR(attention_decode(
      config.attention(schemes.layer), schemes, cache, input.q, input.k, input.v, layout.positions,
      attended_rows(config, schemes.layer, layout, block.attended, 0),
      activations.attention(schemes.layer, 0), activations.scratch(), weights.sinks));
  attention_residual(config, weights, n, schemes.layer, block, scratch);
  feed_half_forward(config, weights, n, block, scratch);
  return {};
}

Status block_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                      const SequenceLayout& layout, TransformerActivations& activations) {
  feed_half_backward(config, weights, gradients, layout.rows(), activations.block(schemes.layer),
                     activations.backward(), activations.scratch().matmul);
  return attention_half_backward(config, weights, gradients, schemes, layout, activations);
}

}  // namespace wf
