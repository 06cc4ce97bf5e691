#include "calls/model_layout.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::ArchitectureChoice;
using calls::ChosenScheme;
using calls::ModelLayout;
using calls::ModelSizes;

ModelLayout* make(const ModelSizes& sizes) { return handed_over(ModelLayout::make(sizes)); }

Code set_architecture(ModelLayout& layout, const ArchitectureChoice& choice) {
  return report(layout.set_architecture(choice));
}

Code set_cutoffs(ModelLayout& layout, Address cutoffs, int length) {
  return report(layout.set_cutoffs(workspace(), {cutoffs, length}));
}

Code add_layer_type(ModelLayout& layout, int sliding_window, int chunk_size, int query_key_norm) {
  return report(layout.add_layer_type(sliding_window, chunk_size, query_key_norm));
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
  emscripten::value_object<ModelSizes>("ModelSizes")
      .field("vocabSize", &ModelSizes::vocab_size)
      .field("hiddenSize", &ModelSizes::hidden_size)
      .field("numLayers", &ModelSizes::num_layers)
      .field("numHeads", &ModelSizes::num_heads)
      .field("numKvHeads", &ModelSizes::num_kv_heads)
      .field("headDim", &ModelSizes::head_dim)
      .field("intermediateSize", &ModelSizes::intermediate_size)
      .field("rmsNormEps", &ModelSizes::norm_epsilon)
      .field("isCausal", &ModelSizes::is_causal)
      .field("initializerRange", &ModelSizes::initializer_range)
      .field("softcap", &ModelSizes::softcap)
      .field("finalSoftcap", &ModelSizes::final_softcap)
      .field("sinks", &ModelSizes::sinks);
  emscripten::value_object<ArchitectureChoice>("ArchitectureChoice")
      .field("norm", &ArchitectureChoice::norm)
      .field("normPlace", &ArchitectureChoice::norm_place)
      .field("residual", &ArchitectureChoice::residual)
      .field("activation", &ArchitectureChoice::activation)
      .field("head", &ArchitectureChoice::head)
      .field("tokenTypes", &ArchitectureChoice::token_types)
      .field("embeddingWidth", &ArchitectureChoice::embedding_width)
      .field("clusterDivisor", &ArchitectureChoice::cluster_divisor)
      .field("normBias", &ArchitectureChoice::norm_bias)
      .field("gated", &ArchitectureChoice::gated)
      .field("queryBias", &ArchitectureChoice::query_bias)
      .field("outputBias", &ArchitectureChoice::output_bias)
      .field("feedBias", &ArchitectureChoice::feed_bias)
      .field("headBias", &ArchitectureChoice::head_bias)
      .field("finalNorm", &ArchitectureChoice::final_norm)
      .field("embeddingNorm", &ArchitectureChoice::embedding_norm)
      .field("firstNorm", &ArchitectureChoice::first_norm)
      .field("crossAttention", &ArchitectureChoice::cross_attention)
      .field("embeddingScale", &ArchitectureChoice::embedding_scale)
      .field("attentionScale", &ArchitectureChoice::attention_scale)
      .field("residualScale", &ArchitectureChoice::residual_scale)
      .field("logitScale", &ArchitectureChoice::logit_scale);
  emscripten::class_<ModelLayout>("ModelLayout")
      .class_function("make(sizes)", &make, emscripten::allow_raw_pointers())
      .function("setArchitecture(architecture)", &set_architecture)
      .function("setCutoffs(cutoffs, cutoffsLength)", &set_cutoffs)
      .function("addStack(slidingWindow, chunkSize, queryKeyNorm)", &add_layer_type)
      .function("addScheme(scheme)", &add_scheme)
      .function("setStackOf(kinds, kindsLength)", &set_layer_types);
}
