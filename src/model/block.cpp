#include "model/block.h"

#include <cstring>

#include "kernels/norm.h"
#include "model/branch.h"
#include "model/feed_forward.h"
#include "model/latent_projection.h"
#include "model/linear.h"

namespace wf {
namespace {

void clear(float* x, std::size_t rows, int columns) {
  std::memset(x, 0, rows * static_cast<std::size_t>(columns) * sizeof(float));
}

// The norm of a layer's queries and keys, whose heads lie in rows of D one after the other: of each
// head, or of all heads of a token at once.
struct QueryKeyNorms {
  bool apply;
  bool is_whole;
  const float* query;
  const float* key;
  int head_dim;

  QueryKeyNorms(const ModelConfig& config, const BlockTensors<const float>& weights, int layer,
                const TransformerActivations& activations)
      : apply(config.stack(layer).query_key_norm != QueryKeyNorm::kNone),
        is_whole(config.stack(layer).query_key_norm == QueryKeyNorm::kWhole),
        query(weights.query_norm ? weights.query_norm : activations.ones()),
        key(weights.key_norm ? weights.key_norm : activations.ones()),
        head_dim(config.head_dim) {}

  // `heads` of each of n tokens.
  Matrix rows(float* data, int n, int heads) const {
    const int columns = is_whole ? heads * head_dim : head_dim;
    return {data, is_whole ? n : n * heads, columns, columns};
  }
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

// What attention reads of the stream, and in a parallel block the feed-forward too.
void read_stream(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                 const BlockActivations& block) {
  const int e = config.width;
  if (weights.input_norm)
    normalise(config, {block.input, n, e, e}, {weights.input_norm, weights.input_norm_bias},
              {block.attention_in, n, e, e}, block.attention_rms);
  parallel_feed_input(config, weights, n, block);
}

void attention_inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                      int layer, TransformerActivations& activations) {
  const BlockActivations& block = activations.block(layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const int e = config.width, q = config.query_width(), k = config.key_width();
  read_stream(config, weights, n, block);
  if (weights.latent_up) return latent_projections(config, layer, weights, n, block, scratch);
  const QueryKeyNorms norms(config, weights, layer, activations);
  float* raw_q = norms.apply ? block.projected_q : block.q;
  float* raw_k = norms.apply ? block.projected_k : block.k;
  project_all(n, e, block.attention_in,
              {{q, weights.matrix(BlockTensor::kQuery), weights.query_bias, raw_q},
               {k, weights.matrix(BlockTensor::kKey), weights.key_bias, raw_k},
               {k, weights.matrix(BlockTensor::kValue), weights.value_bias, block.v}},
              scratch);
  if (!norms.apply) return;
  rms_norm(norms.rows(raw_q, n, config.num_heads), norms.query, config.norm_epsilon,
           norms.rows(block.q, n, config.num_heads), block.q_rms);
  rms_norm(norms.rows(raw_k, n, config.num_kv_heads), norms.key, config.norm_epsilon,
           norms.rows(block.k, n, config.num_kv_heads), block.k_rms);
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
  const int queries = config.num_heads, keys = config.num_kv_heads;
  clear(space.projected_q, n, config.query_width());
  clear(space.projected_k, n, config.key_width());
  rms_norm_backward(norms.rows(block.projected_q, n, queries), norms.query, block.q_rms,
                    norms.rows(space.q, n, queries), norms.rows(space.projected_q, n, queries),
                    gradients.query_norm);
  rms_norm_backward(norms.rows(block.projected_k, n, keys), norms.key, block.k_rms,
                    norms.rows(space.k, n, keys), norms.rows(space.projected_k, n, keys),
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
  add_weight_gradient(n, e, q, projected.q, block.attention_in, gradients.query,
                      gradients.query_bias, scratch);
  add_weight_gradient(n, e, k, projected.k, block.attention_in, gradients.key, gradients.key_bias,
                      scratch);
  add_weight_gradient(n, e, k, space.v, block.attention_in, gradients.value, gradients.value_bias,
                      scratch);
}

Branch attention_branch(const ModelConfig& config, const BlockTensors<const float>& weights,
                        int layer, const BlockActivations& block) {
  return {.width = config.attended_width(layer),
          .x = block.attended,
          .weight = weights.matrix(BlockTensor::kOutput),
          .bias = weights.output_bias,
          .norm = {weights.attention_norm, weights.attention_norm_bias},
          .source = block.input,
          .target = block.middle,
          .raw = block.attention_out,
          .raw_rms = block.attention_out_rms};
}

// What comes after attention.
void finish_block(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                  int layer, const BlockActivations& block, MatmulScratch& scratch) {
  add_branch(config, n, attention_branch(config, weights, layer, block), scratch);
  feed_forward(config, weights, n, block, scratch);
}

Status attention_half_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                               const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                               const SequenceLayout& layout, TransformerActivations& activations) {
  const int n = layout.rows();
  const int q = config.query_width(), k = config.key_width();
  const BlockActivations& block = activations.block(schemes.layer);
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  const int v = config.value_width(schemes.layer);
  add_branch_backward(config, n, attention_branch(config, weights, schemes.layer, block),
                      {.weight = gradients.output,
                       .bias = gradients.output_bias,
                       .norm = {gradients.attention_norm, gradients.attention_norm_bias},
                       .d_x = space.attended},
                      space, config.architecture.is_parallel() ? space.branch : space.stream,
                      scratch);
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
  add_input_gradient(config, n, block.input, {weights.input_norm, weights.input_norm_bias},
                     block.attention_rms, space, {gradients.input_norm, gradients.input_norm_bias});
  return {};
}

// Attention of the next tokens of a latent layer, whose cache holds one key [c | slice] for each.
Status absorbed_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                       TransformerActivations& activations) {
  const int n = layout.rows(), layer = schemes.layer;
  const BlockActivations& block = activations.block(layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const AttentionConfig attention = config.decoding_attention(layer);
  read_stream(config, weights, n, block);
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
  finish_block(config, weights, n, schemes.layer, block, scratch);
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
    finish_block(config, weights, n, schemes.layer, block, scratch);
    return {};
  }
  attention_inputs(config, weights, n, schemes.layer, activations);
  const AttentionInput input = attention_input(config, weights, schemes.layer, layout, block, 0);
  WF_RETURN_IF_ERROR(attention_decode(
      config.attention(schemes.layer), schemes, cache, input.q, input.k, input.v, layout.positions,
      attended_rows(config, schemes.layer, layout, block.attended, 0),
      activations.attention(schemes.layer, 0), activations.scratch(), weights.sinks));
  finish_block(config, weights, n, schemes.layer, block, scratch);
  return {};
}

Status block_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                      const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                      const SequenceLayout& layout, TransformerActivations& activations) {
  const BackwardSpace& space = activations.backward();
  const int n = layout.rows();
  if (config.architecture.is_parallel())
    std::memcpy(space.branch, space.stream,
                static_cast<std::size_t>(n) * config.width * sizeof(float));
  feed_forward_backward(config, weights, gradients, n, activations.block(schemes.layer), space,
                        activations.scratch().matmul);
  return attention_half_backward(config, weights, gradients, schemes, layout, activations);
}

}  // namespace wf
