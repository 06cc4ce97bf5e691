// The schemes of a model: one object for each distinct scheme (same id and options), and the layer
// types that use it.
#pragma once

#include "model/config.h"

namespace wf {

class ModelSchemes {
 public:
  // Errors: those of make_scheme; kOutOfMemory.
  static Result<ModelSchemes> make(const ModelConfig& config);

  // In the order of their first use.
  std::span<const SchemeInstance> all() const {
    return {instances_.get(), static_cast<std::size_t>(count_)};
  }
  int count_in(int layer_type) const { return scheme_counts_[layer_type]; }
  // Index in all() of the i-th scheme of a layer type.
  int index(int layer_type, int i) const { return indices_[layer_type][i]; }
  const SchemeInstance& at(int layer_type, int i) const { return instances_[index(layer_type, i)]; }

  // Number of earlier schemes with the same id; makes tensor names unique.
  int earlier_in_model(int instance) const;
  int earlier_in_layer_type(int layer_type, int i) const;

  // Number of parameters of the schemes of a layer type: of all, and of those before the i-th.
  int parameters_before(int layer_type, int i) const;
  int parameters_of(int layer_type) const {
    return parameters_before(layer_type, count_in(layer_type));
  }

 private:
  std::unique_ptr<SchemeInstance[]> instances_;
  int count_ = 0;
  int scheme_counts_[kMaxLayerTypes] = {};
  std::uint8_t indices_[kMaxLayerTypes][kMaxSchemes] = {};
};

}  // namespace wf
