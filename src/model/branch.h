// The end of a residual branch (attention or feed-forward layer): from its last activations back to
// the stream, for any order of norms.
#pragma once

#include "model/activations.h"
#include "model/block_norm.h"
#include "model/parameters.h"

namespace wf {

// One of a block's two branches, from its last rows x [n,width] to the stream.
struct Branch {
  int width;
  const float* x;
  Weight weight;  // [E,width]; without one x is added as it is, and width is E
  const float* bias;  // [E], or null
  NormTensors<const float> norm;  // of the output
  const float* source;  // [n,E] the stream before the branch
  float* target;  // [n,E] the stream after it; may be `source`
  float* raw;  // [n,E] the input of the norm, if there is one
  float* raw_rms;  // [n]
};

struct BranchGradients {
  float* weight;
  float* bias;
  NormTensors<float> norm;
  float* d_x;  // written
};

void add_branch(const ModelConfig& config, int n, const Branch& branch, MatmulScratch& scratch);

// `d_target`: gradient of the target. Writes d_x and adds to the gradients of the weights; if the
// sum is normalised, converts space.stream to the gradient of the sum.
void add_branch_backward(const ModelConfig& config, int n, const Branch& branch,
                         const BranchGradients& gradients, const BackwardSpace& space,
                         const float* d_target, MatmulScratch& scratch);

// Adds space.normed [n,E], the gradient of norm(x) (or of x if there is no norm), to the gradient
// of x in space.stream.
void add_input_gradient(const ModelConfig& config, int n, const float* x,
                        NormTensors<const float> norm, const float* inverse_rms,
                        const BackwardSpace& space, NormTensors<float> gradients);

}  // namespace wf
