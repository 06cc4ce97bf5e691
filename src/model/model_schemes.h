// The schemes of a model: each distinct one (same scheme, same options) made once, and where it
// stands.
#pragma once

#include "model/config.h"

namespace wf {

class ModelSchemes {
 public:
  // Errors: those of make_scheme; kOutOfMemory.
  static Result<ModelSchemes> make(const ModelConfig& config);

  // In order of first mention.
  std::span<const SchemeInstance> all() const {
    return {instances_.get(), static_cast<std::size_t>(count_)};
  }
  int count_in(int layer_type) const { return scheme_counts_[layer_type]; }
  // Index among all() of the i-th scheme of a stack.
  int index(int layer_type, int i) const { return indices_[layer_type][i]; }
  const SchemeInstance& at(int layer_type, int i) const { return instances_[index(layer_type, i)]; }

  // How many schemes of the same id come before: they tell apart what would have the same name.
  int earlier_in_model(int instance) const;
  int earlier_in_layer_type(int layer_type, int i) const;

  // Parameters of the schemes of a stack, all together, and of those before the i-th.
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
