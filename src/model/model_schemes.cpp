#include "model/model_schemes.h"

namespace wf {

Result<ModelSchemes> ModelSchemes::make(const ModelConfig& config) {
  ModelSchemes made;
  made.instances_.reset(new (std::nothrow) SchemeInstance[kMostStacks * kMostStackedSchemes]);
  if (!made.instances_) return Status::error(Code::kOutOfMemory, "out of memory: schemes");
  int value_dims[kMostStacks * kMostStackedSchemes];
  for (int s = 0; s < config.stack_count; ++s) {
    const LayerStack& stack = config.stacks[s];
    made.stack_counts_[s] = stack.scheme_count;
    for (int i = 0; i < stack.scheme_count; ++i) {
      const SchemeChoice& choice = stack.schemes[i];
      const SchemeShape shape = config.scheme_shape(stack);
      // What adds to values is another scheme where these have another width.
      const auto is_made = [&](int at) {
        const SchemeInstance& other = made.instances_[at];
        return choice.is_same({other.entry, other.options}) &&
               (!(choice.entry->hooks & kHookOutput) || value_dims[at] == shape.value_dim);
      };
      int found = 0;
      while (found < made.count_ && !is_made(found)) ++found;
      if (found == made.count_) {
        WF_ASSIGN_OR_RETURN(made.instances_[found],
                            make_scheme(*choice.entry, shape, choice.options));
        value_dims[found] = shape.value_dim;
        ++made.count_;
      }
      made.indices_[s][i] = static_cast<std::uint8_t>(found);
      if (made.instances_[found].scheme->needs_projections() &&
          config.projections_of(stack).is_latent())
        return Status::error(
            Code::kUnsupported,
            "scheme %s shares its layer's key projection, and a latent layer has none",
            choice.entry->description->id);
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
