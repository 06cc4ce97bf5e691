#include "model/model_schemes.h"

namespace wf {

Result<ModelSchemes> ModelSchemes::make(const ModelConfig& config) {
  ModelSchemes made;
  made.instances_.reset(new (std::nothrow) SchemeInstance[kMaxLayerTypes * kMaxSchemes]);
  if (!made.instances_) return Status::error(Code::kOutOfMemory, "out of memory: schemes");
  int value_dims[kMaxLayerTypes * kMaxSchemes];
  for (int s = 0; s < config.layer_type_count; ++s) {
    const LayerType& layer_type = config.layer_types[s];
    made.scheme_counts_[s] = layer_type.scheme_count;
    for (int i = 0; i < layer_type.scheme_count; ++i) {
      const SchemeChoice& choice = layer_type.schemes[i];
      SchemeShape shape = config.scheme_shape(layer_type);
      if (choice.entry->hooks & kHookEmbeddings) shape.width = config.input_width();
      // Layer types share a scheme object only if their value widths are equal, in case it adds to
      // values.
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
          config.projections_of(layer_type).is_latent())
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

int ModelSchemes::earlier_in_layer_type(int layer_type, int i) const {
  int earlier = 0;
  for (int j = 0; j < i; ++j) earlier += at(layer_type, j).entry == at(layer_type, i).entry;
  return earlier;
}

int ModelSchemes::parameters_before(int layer_type, int i) const {
  int count = 0;
  for (int j = 0; j < i; ++j)
    count += static_cast<int>(at(layer_type, j).scheme->parameters().size());
  return count;
}

}  // namespace wf
