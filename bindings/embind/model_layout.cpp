#include "calls/model_layout.h"

#include "boundary.h"
#include "words.h"

namespace wf::binding {
namespace {

using calls::ChosenScheme;
using calls::ModelLayout;

ModelLayout* make(const ModelConfig& config) { return handed_over(ModelLayout::make(config)); }

Code set_cutoffs(ModelLayout& layout, Address cutoffs, int length) {
  return report(layout.set_cutoffs(workspace(), {cutoffs, length}));
}

Code add_layer_type(ModelLayout& layout, const LayerType& layer_type) {
  return report(layout.add_layer_type(layer_type));
}

Code add_scheme(ModelLayout& layout, const ChosenScheme& scheme) {
  return report(layout.add_scheme(scheme));
}

Code set_layer_types(ModelLayout& layout, Address kinds, int length) {
  return report(layout.set_layer_types(workspace(), {kinds, length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(model_layout) {
  using namespace wf::binding;
  register_words<wf::NormKind>("NormKind");
  register_words<wf::NormPlace>("NormPlace");
  register_words<wf::Residual>("Residual");
  register_words<wf::Router>("Router");
  register_words<wf::Activation>("Activation");
  register_words<wf::AttentionGate>("AttentionGate");
  register_words<wf::Head>("Head");
  register_words<wf::QueryKeyNorm>("QueryKeyNorm");
  emscripten::value_object<wf::Architecture>("Architecture")
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::Architecture::name)
#include "model/architecture_fields.def"
      ;
  emscripten::value_object<wf::ModelConfig>("ModelConfig")
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::ModelConfig::name)
#include "model/model_fields.def"
      .field("architecture", &wf::ModelConfig::architecture);
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::LayerType::name)
  emscripten::value_object<wf::LayerType>("LayerType")
#include "attention/window_fields.def"
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::LayerType::name)
#include "model/layer_type_fields.def"
      ;
  emscripten::class_<ModelLayout>("ModelLayout")
      .class_function("make(config)", &make, emscripten::allow_raw_pointers())
      .function("setCutoffs(cutoffs, cutoffsLength)", &set_cutoffs)
      .function("addLayerType(layerType)", &add_layer_type)
      .function("addScheme(scheme)", &add_scheme)
      .function("setLayerTypes(indices, indicesLength)", &set_layer_types);
}
