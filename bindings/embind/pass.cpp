#include "calls/pass.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::List;
using calls::Model;
using calls::Pass;
using calls::PassStep;
using calls::Record;
using calls::RecordRequest;
using calls::Sequence;

Pass* make(Model& model, const Sequence& text, const List& layers, const RecordRequest& request) {
  return handed_over(Pass::make(workspace(), model, text, layers, request));
}

PassStep step(Pass& pass) { return answer(pass.step()); }

Record* take_record(Pass& pass, int slot) { return pass.take_record(slot).release(); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(pass) {
  using namespace wf::binding;
  emscripten::value_object<PassStep>("PassStep")
      .field("code", &PassStep::code)
      .field("layers", &PassStep::layers);
  emscripten::class_<Pass>("Pass")
      .class_function("make(model, text, layers, request)", &make, emscripten::allow_raw_pointers())
      .function("step()", &step)
      .function("recordCount()", &Pass::record_count)
      .function("takeRecord(slot)", &take_record, emscripten::allow_raw_pointers());
}
