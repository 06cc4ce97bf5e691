#include "model/branch.h"

#include <cstring>

#include "kernels/dot.h"
#include "model/linear.h"

namespace wf {
namespace {

std::size_t bytes_of(int n, int columns) {
  return static_cast<std::size_t>(n) * columns * sizeof(float);
}

}  // namespace

void add_branch(const ModelConfig& config, int n, const Branch& branch, MatmulScratch& scratch) {
  const int e = config.width;
  const NormPlace norm_place = config.architecture.norm_place;
  const auto project_to = [&](float* y, Accumulate accumulate) {
    if (branch.weight.is_absent()) {
      if (accumulate == Accumulate::kNo) std::memset(y, 0, bytes_of(n, e));
      return add_scaled(config.architecture.residual_scale, branch.x, n * e, y);
    }
    project(n, branch.width, e, branch.x, branch.weight, branch.bias, y, accumulate, scratch,
            config.architecture.residual_scale);
  };
  if (norm_place == NormPlace::kBefore) {
    if (branch.target != branch.source) std::memcpy(branch.target, branch.source, bytes_of(n, e));
    return project_to(branch.target, Accumulate::kYes);
  }
  const Matrix raw = {branch.raw, n, e, e};
  if (norm_place == NormPlace::kAfter) {
    std::memcpy(branch.raw, branch.source, bytes_of(n, e));
    project_to(branch.raw, Accumulate::kYes);
    return normalise(config, raw, branch.norm, {branch.target, n, e, e}, branch.raw_rms);
  }
  project_to(branch.raw, Accumulate::kNo);
  // If nothing is saved for a backward pass, normalises in place.
  float* normed = branch.target == branch.source ? branch.raw : branch.target;
  const float* other = branch.target == branch.source ? branch.raw : branch.source;
  normalise(config, raw, branch.norm, {normed, n, e, e}, branch.raw_rms);
  const std::ptrdiff_t count = std::ptrdiff_t{n} * e;
  for (std::ptrdiff_t i = 0; i < count; ++i) branch.target[i] += other[i];
}

void add_branch_backward(const ModelConfig& config, int n, const Branch& branch,
                         const BranchGradients& gradients, const BackwardSpace& space,
                         const float* d_target, MatmulScratch& scratch) {
  const int e = config.width;
  const NormPlace norm_place = config.architecture.norm_place;
  const float* d_y = d_target;
  if (norm_place != NormPlace::kBefore) {
    std::memset(space.branch, 0, bytes_of(n, e));
    normalise_backward(config, {branch.raw, n, e, e}, branch.norm, branch.raw_rms,
                       {d_target, n, e, e}, {space.branch, n, e, e}, gradients.norm);
    d_y = space.branch;
    if (norm_place == NormPlace::kAfter) std::memcpy(space.stream, space.branch, bytes_of(n, e));
  }
  const float scale = config.architecture.residual_scale;
  if (branch.weight.is_absent()) {
    std::memset(gradients.d_x, 0, bytes_of(n, e));
    return add_scaled(scale, d_y, n * e, gradients.d_x);
  }
  project_back(n, branch.width, e, d_y, branch.weight.values, gradients.d_x, Accumulate::kNo,
               scratch, scale);
  add_weight_gradient(n, branch.width, e, d_y, branch.x, gradients.weight, gradients.bias, scratch,
                      scale);
}

void add_input_gradient(const ModelConfig& config, int n, const float* x,
                        NormTensors<const float> norm, const float* inverse_rms,
                        const BackwardSpace& space, NormTensors<float> gradients) {
  const int e = config.width;
  if (norm.weight)
    return normalise_backward(config, {x, n, e, e}, norm, inverse_rms, {space.normed, n, e, e},
                              {space.stream, n, e, e}, gradients);
  const std::ptrdiff_t count = std::ptrdiff_t{n} * e;
  for (std::ptrdiff_t i = 0; i < count; ++i) space.stream[i] += space.normed[i];
}

}  // namespace wf
