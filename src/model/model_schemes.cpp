#include "model/model_schemes.h"

namespace wf {

Result<ModelSchemes> ModelSchemes::make(const ModelConfig& config) {
  ModelSchemes made;
  made.instances_.reset(new (std::nothrow) SchemeInstance[kMostStacks * kMostStackedSchemes]);
  if (!made.instances_) return Status::error(Code::kOutOfMemory, "out of memory: schemes");
  for (int s = 0; s < config.stack_count; ++s) {
    const LayerStack& stack = config.stacks[s];
    made.stack_counts_[s] = stack.scheme_count;
    for (int i = 0; i < stack.scheme_count; ++i) {
      const SchemeChoice& choice = stack.schemes[i];
      int found = 0;
      while (found < made.count_ &&
             !choice.is_same({made.instances_[found].entry, made.instances_[found].options}))
        ++found;
      if (found == made.count_) {
        WF_ASSIGN_OR_RETURN(made.instances_[found],
                            make_scheme(*choice.entry, config.scheme_shape(), choice.options));
        ++made.count_;
      }
      made.indices_[s][i] = static_cast<std::uint8_t>(found);
    }
  }
  return made;
}

int ModelSchemes::earlier_in_model(int instance) const {
  int earlier = 0;
  for (int i = 0; i < instance; ++i) earlier += instances_[i].entry == instances_[instance].entry;
  return earlier;
}

int ModelSchemes::earlier_in_stack(int stack, int i) const {
  int earlier = 0;
  for (int j = 0; j < i; ++j) earlier += at(stack, j).entry == at(stack, i).entry;
  return earlier;
}

int ModelSchemes::parameters_before(int stack, int i) const {
  int count = 0;
  for (int j = 0; j < i; ++j) count += static_cast<int>(at(stack, j).scheme->parameters().size());
  return count;
}

}  // namespace wf
