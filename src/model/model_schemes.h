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
  int count_in(int stack) const { return stack_counts_[stack]; }
  // Index among all() of the i-th scheme of a stack.
  int index(int stack, int i) const { return indices_[stack][i]; }
  const SchemeInstance& at(int stack, int i) const { return instances_[index(stack, i)]; }

  // How many schemes of the same id come before: they tell apart what would have the same name.
  int earlier_in_model(int instance) const;
  int earlier_in_stack(int stack, int i) const;

  // Parameters of the schemes of a stack, all together, and of those before the i-th.
  int parameters_before(int stack, int i) const;
  int parameters_of(int stack) const { return parameters_before(stack, count_in(stack)); }

 private:
  std::unique_ptr<SchemeInstance[]> instances_;
  int count_ = 0;
  int stack_counts_[kMostStacks] = {};
  std::uint8_t indices_[kMostStacks][kMostStackedSchemes] = {};
};

}  // namespace wf
