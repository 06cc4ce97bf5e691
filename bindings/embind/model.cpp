#include "calls/model.h"

#include "boundary.h"
#include "words.h"

namespace wf::binding {
namespace {

using calls::Bytes;
using calls::List;
using calls::Loss;
using calls::Memory;
using calls::Model;
using calls::ModelLayout;
using calls::ModelSurgery;
using calls::Padding;
using calls::Record;
using calls::RecordRequest;
using calls::Sequence;
using calls::StateRequest;

Model* make(const ModelLayout& layout, double seed, WeightType type) {
  return handed_over(Model::make(layout, seed, type));
}

Model* blank(const ModelLayout& layout, WeightType type, const Model* embedding_owner) {
  return handed_over(Model::blank(layout, type, embedding_owner));
}

Model* reconfigured(const Model& original, const ModelLayout& layout, double seed) {
  return handed_over(original.reconfigured(layout, seed));
}

Bytes* save(const Model& model, bool in_f16) { return handed_over(model.save(in_f16)); }

Code run(Model& model, const Sequence& text, const ModelSurgery* surgery, const List& layers,
         const RecordRequest& record, const Memory* memory, const RecordRequest& beside,
         const StateRequest& states) {
  return report(model.run(workspace(), text, surgery, layers, record, {memory, beside}, states));
}

Record* take_record(Model& model, int slot) { return model.take_record(slot).release(); }

Code read_logits(Model& model, const List& rows, Address out, int out_length) {
  return report(model.read_logits(workspace(), rows, {out, out_length}));
}

Code read_hidden(Model& model, const List& rows, Address out, int out_length) {
  return report(model.read_hidden(workspace(), rows, {out, out_length}));
}

Code lens(Model& model, const List& stream, Address out, int out_length) {
  return report(model.lens(workspace(), stream, {out, out_length}));
}

Loss loss(Model& model, const Sequence& text, const ModelSurgery* surgery, Address out,
          int out_length, const Memory* memory, bool is_exact) {
  return answer(model.loss(workspace(), text, surgery, {out, out_length}, memory, is_exact));
}

Memory* make_memory(const Model& model, Address states, int states_length, int rows,
                    Address visible, int visible_length) {
  return handed_over(Memory::make(workspace(), *model.transformer(), {states, states_length}, rows,
                                  {visible, visible_length}));
}

ModelSurgery* new_surgery(int layers, int patches) {
  return handed_over(ModelSurgery::make(layers, patches));
}

Code set_layer(ModelSurgery& surgery, const Model& model, int layer, Address numbers, int length) {
  return report(surgery.set_layer(workspace(), *model.transformer(), layer, {numbers, length}));
}

Code set_heads(ModelSurgery& surgery, const Model& model, const List& ablations) {
  return report(surgery.set_heads(workspace(), *model.transformer(), ablations));
}

Code add_patch(ModelSurgery& surgery, const Model& model, int layer, int head, const List& rows,
               const List& values) {
  return report(surgery.add_patch(workspace(), *model.transformer(), layer, head, rows, values));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(model) {
  using namespace wf::binding;
  register_words<wf::WeightType>("WeightType");
  register_words<wf::Ablation>("Ablation");
  register_words<wf::HeadAblation>("HeadAblation");
  emscripten::constant("maxTerms", wf::kMaxTerms);
  emscripten::constant("maxSchemes", wf::kMaxSchemes);
  emscripten::constant("maxLayerTypes", wf::kMaxLayerTypes);
  emscripten::value_object<Loss>("Loss").field("code", &Loss::code).field("mean", &Loss::mean);
  emscripten::class_<Bytes>("Bytes").function("list()", &Bytes::list);
  emscripten::class_<ModelSurgery>("Ablations")
      .class_function("make(layers, patches)", &new_surgery, emscripten::allow_raw_pointers())
      .function("setLayer(model, layer, ablations, ablationsLength)", &set_layer)
      .function("setHeads(model, ablations)", &set_heads)
      .function("addPatch(model, layer, head, rows, values)", &add_patch);
  emscripten::class_<Memory>("Memory").class_function(
      "make(model, states, statesLength, rows, visible, visibleLength)", &make_memory,
      emscripten::allow_raw_pointers());
  emscripten::value_object<Padding>("Padding")
      .field("embeddingPositions", &Padding::embedding_positions)
      .field("visible", &Padding::visible);
  emscripten::value_object<Sequence>("Sequence")
      .field("ids", &Sequence::ids)
      .field("positions", &Sequence::positions)
      .field("padding", &Sequence::padding)
      .field("vectors", &Sequence::vectors);
  emscripten::value_object<StateRequest>("StateRequest")
      .field("stream", &StateRequest::stream)
      .field("outputs", &StateRequest::outputs);
  emscripten::class_<Model>("Model")
      .class_function("make(layout, seed, dtype)", &make, emscripten::allow_raw_pointers())
      .class_function("blank(layout, dtype, embeddingOwner)", &blank,
                      emscripten::allow_raw_pointers())
      .function("reconfigured(layout, seed)", &reconfigured, emscripten::allow_raw_pointers())
      .function("save(inF16)", &save, emscripten::allow_raw_pointers())
      .function("parameterCount()", &Model::parameter_count)
      .function("weightType()", &Model::weight_type)
      .function("weightBytes()", &Model::weight_bytes)
      .function("headWidth(layer)", &Model::head_width)
      .function("option(layerType, scheme, index)", &Model::option)
      .function("run(text, ablations, layers, record, memory, beside, states)", &run,
                emscripten::allow_raw_pointers())
      .function("recordCount()", &Model::record_count)
      .function("takeRecord(slot)", &take_record, emscripten::allow_raw_pointers())
      .function("readLogits(rows, out, outLength)", &read_logits)
      .function("readHidden(rows, out, outLength)", &read_hidden)
      .function("lens(stream, out, outLength)", &lens)
      .function("loss(text, ablations, out, outLength, memory, isExact)", &loss,
                emscripten::allow_raw_pointers());
}
