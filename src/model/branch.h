// How attention and feed-forward leave the residual stream and come back, wherever norms stand.
#pragma once

#include "model/activations.h"
#include "model/block_norm.h"
#include "model/parameters.h"

namespace wf {

// One of a block's two halves, from its last rows x [n,width] to the stream.
struct Branch {
  int width;
  const float* x;
  Weight weight;        // [E,width]
  const float* bias;    // [E], or null
  NormTensors<const float> norm;  // of the output
  const float* source;  // [n,E] the stream that enters
  float* target;        // [n,E] and leaves; may be the source
  float* raw;           // [n,E] what the norm reads, where there is one
  float* raw_rms;       // [n]
};

struct BranchGradients {
  float* weight;
  float* bias;
  NormTensors<float> norm;
  float* d_x;  // written
};

void add_branch(const ModelConfig& config, int n, const Branch& branch, MatmulScratch& scratch);

// `d_target`: gradient of the target. Writes d_x, adds to the gradients of the weights and, where
// the sum is normalised, turns space.stream into the gradient of the sum.
void add_branch_backward(const ModelConfig& config, int n, const Branch& branch,
                         const BranchGradients& gradients, const BackwardSpace& space,
                         const float* d_target, MatmulScratch& scratch);

// Adds space.normed [n,E], the gradient of norm(x) (of x itself where there is no such norm), to
// that of x in space.stream.
void add_input_gradient(const ModelConfig& config, int n, const float* x,
                        NormTensors<const float> norm, const float* inverse_rms,
                        const BackwardSpace& space, NormTensors<float> gradients);

}  // namespace wf
