#include "model/block.h"

#include <cstring>

#include "kernels/layer_norm.h"
#include "kernels/norm.h"
#include "model/attention_gate.h"
#include "model/branch.h"
#include "model/cross_attention.h"
#include "model/feed_forward.h"
#include "model/latent_projection.h"
#include "model/linear.h"
#include "model/token_mixer.h"

namespace wf {
namespace {

void clear(float* x, std::size_t rows, int columns) {
  std::memset(x, 0, rows * static_cast<std::size_t>(columns) * sizeof(float));
}

// The norm of a layer's queries or keys, whose heads are consecutive rows of D.
struct HeadNorm {
  QueryKeyNorm kind;
  int heads, head_dim;
  float epsilon;
  const float* weight;
  const float* bias;

  bool is_layer() const {
    return kind == QueryKeyNorm::kLayer || kind == QueryKeyNorm::kLayerHeads;
  }
  // Rows for RMSNorm: one for each head, or one for all heads of a token.
  Matrix rows(float* data, int n) const {
    const bool is_whole = kind == QueryKeyNorm::kWhole;
    const int columns = is_whole ? heads * head_dim : head_dim;
    return {data, is_whole ? n : n * heads, columns, columns};
  }
  // One head of n tokens.
  Matrix head(float* data, int n, int index) const {
    return {data + index * head_dim, n, head_dim, std::ptrdiff_t{heads} * head_dim};
  }
  int weights_of(int index) const { return kind == QueryKeyNorm::kLayer ? 0 : index * head_dim; }

  void apply(float* x, int n, float* y, float* inverse_rms) const {
    if (!is_layer()) return rms_norm(rows(x, n), weight, epsilon, rows(y, n), inverse_rms);
    for (int h = 0; h < heads; ++h)
      layer_norm(head(x, n, h), weight + weights_of(h), bias, epsilon, head(y, n, h));
  }
  // Writes d_x, adds to d_weight and d_bias (which may be null).
  void backward(float* x, int n, const float* inverse_rms, float* d_y, float* d_x, float* d_weight,
                float* d_bias) const {
    clear(d_x, n, heads * head_dim);
    if (!is_layer())
      return rms_norm_backward(rows(x, n), weight, inverse_rms, rows(d_y, n), rows(d_x, n),
                               d_weight);
    for (int h = 0; h < heads; ++h)
      layer_norm_backward(head(x, n, h), weight + weights_of(h), epsilon, head(d_y, n, h),
                          head(d_x, n, h), d_weight ? d_weight + weights_of(h) : nullptr, d_bias);
  }
};

struct QueryKeyNorms {
  HeadNorm query, key;

  QueryKeyNorms(const ModelConfig& config, const BlockTensors<const float>& weights, int layer,
                const TransformerActivations& activations)
      : query({config.layer_type(layer).query_key_norm, config.num_heads, config.head_dim,
               config.norm_epsilon, weights.query_norm, weights.query_norm_bias}),
        key({query.kind, config.num_kv_heads, config.head_dim, config.norm_epsilon,
             weights.key_norm, weights.key_norm_bias}) {
    if (query.weight && query.kind != QueryKeyNorm::kWeightedAfter) return;
    query.weight = key.weight = activations.ones();
  }

  bool apply() const { return query.kind != QueryKeyNorm::kNone; }
  // Weights of channels that attention applies.
  template <class Float>
  static ChannelWeights<Float> after(const ModelConfig& config, int layer,
                                     const BlockTensors<Float>& tensors) {
    if (config.layer_type(layer).query_key_norm != QueryKeyNorm::kWeightedAfter) return {};
    return {tensors.query_norm, tensors.key_norm};
  }
};

// The values of a sequence [K,T,Dv]; in latent layers they alternate with the content of the keys.
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
  input.channel_weights = QueryKeyNorms::after(config, layer, weights);
  input.states = {block.attention_in + row * config.width, layout.length, config.width,
                  config.width};
  input.key_states = input.states;
  input.query_positions = layout.positions;
  input.key_positions = layout.positions;
  if (layout.segments) {
    input.mask.query_segments = layout.segments + row;
    input.mask.key_segments = layout.segments + row;
  }
  if (layout.visible) input.mask.given = {.allowed = layout.visible + row, .column_stride = 1};
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

// Writes the input of attention, and in a parallel block also that of the feed-forward layer.
void read_stream(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                 const BlockActivations& block) {
  const int e = config.width;
  if (weights.input_norm)
    normalise(config, {block.input, n, e, e}, {weights.input_norm, weights.input_norm_bias},
              {block.attention_in, n, e, e}, block.attention_rms);
  else if (block.attention_in != block.input)
    std::memcpy(block.attention_in, block.input, std::size_t(n) * e * sizeof(float));
  parallel_feed_input(config, weights, n, block);
}

// Computes n rows of attention's inputs in `block`, or of those of a mixer, which reads only
// `visible` ones (null: all).
void attention_inputs(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                      int layer, const std::uint8_t* visible, const BlockActivations& block,
                      TransformerActivations& activations) {
  MatmulScratch& scratch = activations.scratch().matmul;
  const int e = config.width, q = config.query_width(), k = config.key_width();
  read_stream(config, weights, n, block);
  if (const TokenMixer* mixer = mixer_of(config, layer))
    return mixer->inputs(config, weights, n, visible, block, scratch);
  attention_gate_input(config, layer, weights, n, block, scratch);
  if (weights.latent_up) return latent_projections(config, layer, weights, n, block, scratch);
  const QueryKeyNorms norms(config, weights, layer, activations);
  float* raw_q = norms.apply() ? block.projected_q : block.q;
  float* raw_k = norms.apply() ? block.projected_k : block.k;
  project_all(n, e, block.attention_in,
              {{q, weights.matrix(BlockTensor::kQuery), weights.query_bias, raw_q},
               {k, weights.matrix(BlockTensor::kKey), weights.key_bias, raw_k},
               {k, weights.matrix(BlockTensor::kValue), weights.value_bias, block.v}},
              scratch);
  if (!norms.apply()) return;
  norms.query.apply(raw_q, n, block.q, block.q_rms);
  norms.key.apply(raw_k, n, block.k, block.k_rms);
}

// The activations from row `row` on, for inference.
BlockActivations rows_from(const ModelConfig& config, int layer, BlockActivations block, int row) {
  const ProjectionPlan plan = config.projections(layer);
  const auto move = [row](float*& part, int columns) {
    if (part) part += std::ptrdiff_t{row} * columns;
  };
  for (float** part : {&block.input, &block.attention_in, &block.attention_out, &block.feed_out,
                       &block.middle, &block.feed_in, &block.feed_sum, &block.output})
    move(*part, config.width);
  for (float** part : {&block.attention_rms, &block.latent_rms, &block.query_latent_rms,
                       &block.attention_out_rms, &block.feed_out_rms, &block.feed_rms})
    move(*part, 1);
  // Experts compute some rows at a time, always with the same memory.
  const int feed = config.has_experts(layer) ? 0 : config.intermediate;
  for (float** part : {&block.gate, &block.up, &block.hidden}) move(*part, feed);
  for (float** part : {&block.q, &block.projected_q}) move(*part, config.query_width());
  for (float** part : {&block.k, &block.projected_k}) move(*part, config.key_width());
  for (float** part : {&block.query_in, &block.query_latent}) move(*part, plan.query_rank);
  if (plan.is_latent())
    for (float** part : {&block.latent_in, &block.latent}) move(*part, plan.cached());
  move(block.q_rms, config.num_heads);
  move(block.k_rms, config.num_kv_heads);
  move(block.v, config.value_width(layer));
  for (float** part : {&block.attended, &block.gated}) move(*part, config.attended_width(layer));
  move(block.attention_gate, config.gate_width(layer));
  move(block.mixer_in, config.mixer_in_width(layer));
  for (float** part : {&block.mixed, &block.delta_gate}) move(*part, config.mixed_width(layer));
  for (float** part : {&block.delta_decay, &block.delta_decay_in, &block.delta_write})
    move(*part, config.architecture.delta_value_heads);
  return block;
}

// Computes the gradients of the projections from those of queries and keys in `space`.
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
  if (!norms.apply()) return {space.q, space.k};
  const bool is_after = norms.query.kind == QueryKeyNorm::kWeightedAfter;
  norms.query.backward(block.projected_q, n, block.q_rms, space.q, space.projected_q,
                       is_after ? nullptr : gradients.query_norm, gradients.query_norm_bias);
  norms.key.backward(block.projected_k, n, block.k_rms, space.k, space.projected_k,
                     is_after ? nullptr : gradients.key_norm, gradients.key_norm_bias);
  return {space.projected_q, space.projected_k};
}

// From space.q, space.k and space.v; adds to space.normed.
void dense_projections_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                                const BlockTensors<float>& gradients, int n, int layer,
                                TransformerActivations& activations) {
  const int e = config.width, q = config.query_width(), k = config.key_width();
  const BlockActivations& block = activations.block(layer);
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  const ProjectionGradients projected =
      query_key_norm_backward(config, weights, gradients, n, layer, activations);
  project_back(n, e, q, projected.q, weights.query, space.normed, Accumulate::kYes, scratch);
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
  const bool attends = config.attends(layer);
  return {.width = attends ? config.attended_width(layer) : config.mixed_width(layer),
          .x = attends ? block.gated : block.mixed,
          .weight = weights.matrix(attends ? BlockTensor::kOutput : BlockTensor::kMixerOut),
          .bias = attends ? weights.output_bias : weights.mixer_out_bias,
          .norm = {weights.attention_norm, weights.attention_norm_bias},
          .source = block.input,
          .target = block.middle,
          .raw = block.attention_out,
          .raw_rms = block.attention_out_rms};
}

// The part of a block after self-attention.
Status finish_block(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const LayerSchemes& schemes, const SequenceLayout& layout,
                    TransformerActivations& activations, Recorder* cross_recorder) {
  const BlockActivations& block = activations.block(schemes.layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const int n = layout.rows();
  add_branch(config, n, attention_branch(config, weights, schemes.layer, block), scratch);
  if (layout.memory)
    WF_RETURN_IF_ERROR(cross_attention(config, weights, schemes, *layout.memory, layout.positions,
                                       activations, cross_recorder));
  feed_forward(config, weights, n, block, scratch);
  return {};
}

// From the gradient of attention's outputs, in space.attended, to that of its input, in
// space.normed.
Status attention_inputs_backward(const ModelConfig& config,
                                 const BlockTensors<const float>& weights,
                                 const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                                 const SequenceLayout& layout,
                                 TransformerActivations& activations) {
  const int n = layout.rows(), q = config.query_width(), k = config.key_width();
  const int v = config.value_width(schemes.layer);
  const BlockActivations& block = activations.block(schemes.layer);
  const BackwardSpace& space = activations.backward();
  clear(space.q, n, q);
  clear(space.k, n, k);
  clear(space.v, n, v);
  clear(space.normed, n, config.width);
  for (int b = 0; b < layout.batch; ++b) {
    const Matrix d_states = {space.normed + std::size_t(b) * layout.length * config.width,
                             layout.length, config.width, config.width};
    WF_RETURN_IF_ERROR(attention_backward(
        config.attention(schemes.layer), schemes,
        attention_input(config, weights, schemes.layer, layout, block, b),
        attended_rows(config, schemes.layer, layout, block.attended, b),
        attended_rows(config, schemes.layer, layout, space.attended, b),
        activations.attention(schemes.layer, b), activations.scratch(),
        query_rows(config, layout, space.q, b), key_rows(config, layout, space.k, b),
        value_rows(config, schemes.layer, layout, space.v, b), gradients.sinks, d_states, d_states,
        QueryKeyNorms::after(config, schemes.layer, gradients)));
  }
  if (weights.latent_up)
    latent_projections_backward(config, schemes.layer, weights, gradients, n, block, space,
                                activations.scratch().matmul);
  else
    dense_projections_backward(config, weights, gradients, n, schemes.layer, activations);
  return {};
}

Status attention_half_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                               const BlockTensors<float>& gradients, const LayerSchemes& schemes,
                               const SequenceLayout& layout, TransformerActivations& activations) {
  const int n = layout.rows();
  const BlockActivations& block = activations.block(schemes.layer);
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  const TokenMixer* mixer = mixer_of(config, schemes.layer);
  add_branch_backward(config, n, attention_branch(config, weights, schemes.layer, block),
                      {.weight = mixer ? gradients.mixer_out : gradients.output,
                       .bias = mixer ? gradients.mixer_out_bias : gradients.output_bias,
                       .norm = {gradients.attention_norm, gradients.attention_norm_bias},
                       .d_x = mixer ? space.mixed : space.attended},
                      space, config.architecture.is_parallel() ? space.branch : space.stream,
                      scratch);
  if (mixer) {
    mixer->backward(config, schemes.layer, weights, gradients, layout, block, space, scratch);
  } else {
    attention_gate_backward(config, schemes.layer, n, block, space);
    WF_RETURN_IF_ERROR(
        attention_inputs_backward(config, weights, gradients, schemes, layout, activations));
    attention_gate_input_backward(config, schemes.layer, weights, gradients, n, block, space,
                                  scratch);
  }
  add_input_gradient(config, n, block.input, {weights.input_norm, weights.input_norm_bias},
                     block.attention_rms, space, {gradients.input_norm, gradients.input_norm_bias});
  return {};
}

// Attention for the next tokens of a latent layer, whose cache holds one key [c | slice] for each.
Status absorbed_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                       TransformerActivations& activations) {
  const int n = layout.rows(), layer = schemes.layer;
  const BlockActivations& block = activations.block(layer);
  MatmulScratch& scratch = activations.scratch().matmul;
  const AttentionConfig attention = config.decoding_attention(layer);
  read_stream(config, weights, n, block);
  attention_gate_input(config, layer, weights, n, block, scratch);
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
                     TransformerActivations& activations, Recorder* recorder,
                     Recorder* cross_recorder, const PassStates& states) {
  const int n = layout.rows();
  const BlockActivations& block = activations.block(schemes.layer);
  attention_inputs(config, weights, n, schemes.layer, layout.visible, block, activations);
  const TokenMixer* mixer = mixer_of(config, schemes.layer);
  if (mixer)
    WF_RETURN_IF_ERROR(
        mixer->mix(config, schemes.layer, weights, layout, block, nullptr, recorder));
  for (int b = 0; b < layout.batch && !mixer; ++b) {
    WF_RETURN_IF_ERROR(attention_forward(
        config.attention(schemes.layer), schemes,
        attention_input(config, weights, schemes.layer, layout, block, b),
        attended_rows(config, schemes.layer, layout, block.attended, b),
        activations.attention(schemes.layer, b), activations.scratch(), recorder));
  }
  apply_attention_gate(config, schemes.layer, n, block);
  for (int b = 0; b < layout.batch && !mixer; ++b)
    states.change_outputs(
        schemes.layer, attended_rows(config, schemes.layer, layout, block.gated, b),
        layout.visible ? layout.visible + static_cast<std::size_t>(b) * layout.length : nullptr);
  return finish_block(config, weights, schemes, layout, activations, cross_recorder);
}

void block_attention_inputs(const ModelConfig& config, const BlockTensors<const float>& weights,
                            const SequenceLayout& layout, int layer, int row0, int rows,
                            TransformerActivations& activations) {
  attention_inputs(config, weights, rows, layer, layout.visible ? layout.visible + row0 : nullptr,
                   rows_from(config, layer, activations.block(layer), row0), activations);
}

Status block_mixer(const ModelConfig& config, const BlockTensors<const float>& weights,
                   const SequenceLayout& layout, int layer, TransformerActivations& activations,
                   Recorder* recorder) {
  return mixer_of(config, layer)
      ->mix(config, layer, weights, layout, activations.block(layer), nullptr, recorder);
}

Result<std::unique_ptr<AttentionPass>> block_attention(const ModelConfig& config,
                                                       const BlockTensors<const float>& weights,
                                                       const LayerSchemes& schemes,
                                                       const SequenceLayout& layout,
                                                       TransformerActivations& activations,
                                                       Recorder* recorder) {
  const BlockActivations& block = activations.block(schemes.layer);
  return AttentionPass::begin(config.attention(schemes.layer), schemes,
                              attention_input(config, weights, schemes.layer, layout, block, 0),
                              attended_rows(config, schemes.layer, layout, block.attended, 0),
                              activations.attention(schemes.layer, 0), activations.scratch(),
                              recorder);
}

void block_rest(const ModelConfig& config, const BlockTensors<const float>& weights, int layer,
                int row0, int rows, TransformerActivations& activations) {
  const BlockActivations block = rows_from(config, layer, activations.block(layer), row0);
  MatmulScratch& scratch = activations.scratch().matmul;
  apply_attention_gate(config, layer, rows, block);
  add_branch(config, rows, attention_branch(config, weights, layer, block), scratch);
  feed_forward(config, weights, rows, block, scratch);
}

Status block_decode(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const LayerSchemes& schemes, const SequenceLayout& layout, KvCache& cache,
                    TransformerActivations& activations, Recorder* recorder) {
  const int n = layout.rows();
  const BlockActivations& block = activations.block(schemes.layer);
  if (config.absorbs(schemes.layer)) {
    WF_RETURN_IF_ERROR(absorbed_decode(config, weights, schemes, layout, cache, activations));
    apply_attention_gate(config, schemes.layer, n, block);
    return finish_block(config, weights, schemes, layout, activations, nullptr);
  }
  attention_inputs(config, weights, n, schemes.layer, nullptr, block, activations);
  if (const TokenMixer* mixer = mixer_of(config, schemes.layer)) {
    WF_RETURN_IF_ERROR(mixer->mix(config, schemes.layer, weights, layout, block, &cache, nullptr));
    return finish_block(config, weights, schemes, layout, activations, nullptr);
  }
  const AttentionInput input = attention_input(config, weights, schemes.layer, layout, block, 0);
  WF_RETURN_IF_ERROR(attention_decode(
      config.attention(schemes.layer), schemes, cache, input.q, input.k, input.v, layout.positions,
      attended_rows(config, schemes.layer, layout, block.attended, 0),
      activations.attention(schemes.layer, 0), activations.scratch(), weights.sinks, recorder,
      input.states, input.channel_weights));
  apply_attention_gate(config, schemes.layer, n, block);
  return finish_block(config, weights, schemes, layout, activations, nullptr);
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
