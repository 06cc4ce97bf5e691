#include "model/cross_attention.h"

#include <algorithm>

#include "attention/attention.h"
#include "model/branch.h"
#include "model/linear.h"
#include "tensor/extent.h"

namespace wf {
namespace {

// Each scheme applies as its description says for cross-attention; no key is hidden.
AttentionConfig cross_config(const ModelConfig& config, int layer) {
  AttentionConfig attention = config.attention(layer);
  attention.is_causal = false;
  attention.is_cross = true;
  attention.sliding_window = 0;
  attention.chunk_size = 0;
  return attention;
}

}  // namespace

Result<CrossMemory> CrossMemory::sized(const ModelConfig& config, ConstMatrix states) {
  if (!config.architecture.cross_attention)
    return Status::error(Code::kUnsupported,
                         "the model has no cross-attention, so it reads no other sequence");
  if (states.rows < 1 || states.columns != config.width)
    return WF_UNEXPECTED("states", "shape [%d,%d]", "one or more rows of %d", states.rows,
                         states.columns, config.width);
  CrossMemory memory;
  memory.layers_ = config.num_layers;
  memory.heads_ = config.num_kv_heads;
  memory.head_dim_ = config.head_dim;
  memory.length_ = states.rows;
  WF_RETURN_IF_ERROR(
      memory.numbers_.reserve(elements_of(2 * config.num_layers, states.rows, config.key_width())));
  WF_RETURN_IF_ERROR(memory.positions_.reserve(states.rows));
  for (int i = 0; i < states.rows; ++i) memory.positions_[i] = i;
  return memory;
}

Status CrossMemory::hide(const std::uint8_t* visible) {
  if (!visible) return {};
  WF_RETURN_IF_ERROR(visible_.reserve(length_));
  std::copy_n(visible, length_, visible_.begin());
  return {};
}

Mask CrossMemory::mask() const {
  Mask mask;
  if (visible_.size()) mask.given = {.allowed = visible_.data(), .column_stride = 1};
  return mask;
}

void CrossMemory::fill(int layer, const BlockTensors<const float>& weights, ConstMatrix states,
                       MatmulScratch& scratch) {
  float* keys = numbers_.data() + 2 * layer * size();
  project(states.rows, states.columns, heads_ * head_dim_, states.data,
          weights.matrix(BlockTensor::kCrossKey), weights.cross_key_bias, keys, Accumulate::kNo,
          scratch);
  project(states.rows, states.columns, heads_ * head_dim_, states.data,
          weights.matrix(BlockTensor::kCrossValue), weights.cross_value_bias, keys + size(),
          Accumulate::kNo, scratch);
}

Status cross_attention(const ModelConfig& config, const BlockTensors<const float>& weights,
                       const LayerSchemes& schemes, const CrossMemory& memory,
                       const Positions& positions, TransformerActivations& activations,
                       Recorder* recorder) {
  const BlockActivations& block = activations.block(schemes.layer);
  const NormTensors<const float> norm = {weights.cross_norm, weights.cross_norm_bias};
  MatmulScratch& scratch = activations.scratch().matmul;
  const int n = positions.count, e = config.width, q = config.query_width();
  const float* in = block.middle;
  if (config.architecture.normalises_inputs()) {
    normalise(config, {block.middle, n, e, e}, norm, {block.attention_in, n, e, e},
              block.attention_rms);
    in = block.attention_in;
  }
  project(n, e, q, in, weights.matrix(BlockTensor::kCrossQuery), weights.cross_query_bias, block.q,
          Accumulate::kNo, scratch);
  AttentionInput input;
  input.q =
      tokens_outermost(static_cast<const float*>(block.q), config.num_heads, n, config.head_dim);
  input.k = memory.keys(schemes.layer);
  input.v = memory.values(schemes.layer);
  input.query_positions = positions;
  input.key_positions = memory.positions();
  input.mask = memory.mask();
  // Surgery applies to self-attention only.
  LayerSchemes whole = schemes;
  whole.surgery = nullptr;
  WF_RETURN_IF_ERROR(
      attention_forward(cross_config(config, schemes.layer), whole, input,
                        tokens_outermost(block.attended, config.num_heads, n, config.head_dim),
                        activations.attention(schemes.layer, 0), activations.scratch(), recorder));
  add_branch(config, n,
             {.width = q,
              .x = block.attended,
              .weight = weights.matrix(BlockTensor::kCrossOutput),
              .bias = weights.cross_output_bias,
              .norm = norm,
              .source = block.middle,
              .target = block.middle,
              .raw = block.attention_out,
              .raw_rms = block.attention_out_rms},
             scratch);
  return {};
}

}  // namespace wf
