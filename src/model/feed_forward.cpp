#include "model/feed_forward.h"

#include "model/branch.h"
#include "model/experts.h"
#include "model/feed_activation.h"
#include "model/linear.h"

namespace wf {
namespace {

// The norm of the feed-forward layer's input: none, its own or attention's.
template <class Float>
NormTensors<Float> input_norm(const ModelConfig& config, const BlockTensors<Float>& tensors) {
  if (config.architecture.residual == Residual::kShared)
    return {tensors.input_norm, tensors.input_norm_bias};
  return {tensors.post_norm, tensors.post_norm_bias};
}

Branch branch_of(const ModelConfig& config, const BlockTensors<const float>& weights,
                 const BlockActivations& block) {
  const NormTensors<const float> norm = {weights.feed_norm, weights.feed_norm_bias};
  if (weights.router)
    return {.width = config.width,
            .x = block.feed_sum,
            .weight = {},
            .bias = nullptr,
            .norm = norm,
            .source = block.middle,
            .target = block.output,
            .raw = block.feed_out,
            .raw_rms = block.feed_out_rms};
  return {.width = config.intermediate,
          .x = block.hidden,
          .weight = weights.matrix(BlockTensor::kDown),
          .bias = weights.down_bias,
          .norm = norm,
          .source = block.middle,
          .target = block.output,
          .raw = block.feed_out,
          .raw_rms = block.feed_out_rms};
}

// From space.hidden to space.normed, which is overwritten.
void dense_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                    const BlockTensors<float>& gradients, int n, const BlockActivations& block,
                    const BackwardSpace& space, MatmulScratch& scratch) {
  const int e = config.width, f = config.intermediate;
  const Architecture& architecture = config.architecture;
  activate_rows_backward(architecture, n, f, block.gate, block.up, space.hidden, space.gate,
                         space.up);
  if (architecture.gated) {
    project_back(n, e, f, space.gate, weights.gate, space.normed, Accumulate::kNo, scratch);
    add_weight_gradient(n, e, f, space.gate, block.feed_in, gradients.gate, gradients.gate_bias,
                        scratch);
  }
  project_back(n, e, f, space.up, weights.up, space.normed,
               architecture.gated ? Accumulate::kYes : Accumulate::kNo, scratch);
  add_weight_gradient(n, e, f, space.up, block.feed_in, gradients.up, gradients.up_bias, scratch);
}

}  // namespace

void parallel_feed_input(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                         const BlockActivations& block) {
  // KShared uses attention's input.
  if (config.architecture.residual != Residual::kParallel) return;
  const int e = config.width;
  normalise(config, {block.input, n, e, e}, input_norm(config, weights), {block.feed_in, n, e, e},
            block.feed_rms);
}

void feed_forward(const ModelConfig& config, const BlockTensors<const float>& weights, int n,
                  const BlockActivations& block, MatmulScratch& scratch) {
  const int e = config.width, f = config.intermediate;
  const Architecture& architecture = config.architecture;
  const NormTensors<const float> norm = input_norm(config, weights);
  if (norm.weight && !architecture.is_parallel())
    normalise(config, {block.middle, n, e, e}, norm, {block.feed_in, n, e, e}, block.feed_rms);
  if (weights.router) {
    experts_forward(config, weights, n, block, scratch);
    return add_branch(config, n, branch_of(config, weights, block), scratch);
  }
  const ProjectedRows up = {f, weights.matrix(BlockTensor::kUp), weights.up_bias, block.up};
  if (architecture.gated)
    project_all(n, e, block.feed_in,
                {{f, weights.matrix(BlockTensor::kGate), weights.gate_bias, block.gate}, up},
                scratch);
  else
    project_all(n, e, block.feed_in, {up}, scratch);
  activate_rows(architecture, n, f, block.gate, block.up, block.hidden);
  add_branch(config, n, branch_of(config, weights, block), scratch);
}

void feed_forward_backward(const ModelConfig& config, const BlockTensors<const float>& weights,
                           const BlockTensors<float>& gradients, int n,
                           const BlockActivations& block, const BackwardSpace& space,
                           MatmulScratch& scratch) {
  const Architecture& architecture = config.architecture;
  add_branch_backward(config, n, branch_of(config, weights, block),
                      {.weight = gradients.down,
                       .bias = gradients.down_bias,
                       .norm = {gradients.feed_norm, gradients.feed_norm_bias},
                       .d_x = weights.router ? space.feed_sum : space.hidden},
                      space, space.stream, scratch);
  if (weights.router)
    experts_backward(config, weights, gradients, n, block, space, scratch);
  else
    dense_backward(config, weights, gradients, n, block, space, scratch);
  add_input_gradient(config, n, architecture.is_parallel() ? block.input : block.middle,
                     input_norm(config, weights), block.feed_rms, space,
                     input_norm(config, gradients));
}

}  // namespace wf
