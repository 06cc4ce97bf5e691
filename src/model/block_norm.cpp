#include "model/block_norm.h"

#include "kernels/layer_norm.h"
#include "kernels/norm.h"

namespace wf {

void normalise(const ModelConfig& config, ConstMatrix x, NormTensors<const float> norm, Matrix y,
               float* inverse_rms) {
  if (config.architecture.norm == NormKind::kLayer)
    layer_norm(x, norm.weight, norm.bias, config.norm_epsilon, y);
  else
    rms_norm(x, norm.weight, config.norm_epsilon, y, inverse_rms);
}

void normalise_backward(const ModelConfig& config, ConstMatrix x, NormTensors<const float> norm,
                        const float* inverse_rms, ConstMatrix d_y, Matrix d_x,
                        NormTensors<float> gradients) {
  if (config.architecture.norm == NormKind::kLayer)
    layer_norm_backward(x, norm.weight, config.norm_epsilon, d_y, d_x, gradients.weight,
                        gradients.bias);
  else
    rms_norm_backward(x, norm.weight, inverse_rms, d_y, d_x, gradients.weight);
}

}  // namespace wf
