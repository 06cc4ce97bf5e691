#include "calls/checkpoint.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Checkpoint;
using calls::Model;

Checkpoint* make(int files) { return handed_over(Checkpoint::make(files)); }

// Negative after an error.
double add(Checkpoint& checkpoint, int file, Address beginning, int length, double file_bytes) {
  const auto needed = checkpoint.add(workspace(), file, {beginning, length}, file_bytes);
  report(needed.status());
  return needed.ok() ? needed.value() : -1;
}

// The file of the next piece, its offset, and its number of bytes; 0 when all are read.
int next_file(const Checkpoint& checkpoint) { return checkpoint.next().file; }
double next_offset(const Checkpoint& checkpoint) {
  return static_cast<double>(checkpoint.next().offset);
}
int next_bytes(const Checkpoint& checkpoint) { return static_cast<int>(checkpoint.next().bytes); }

Code begin(Checkpoint& checkpoint, const Model& model, Address plan, int length,
           bool allow_not_finite) {
  return report(checkpoint.begin(workspace(), model, {plan, length}, allow_not_finite));
}

Code give(Checkpoint& checkpoint, Address bytes, int length) {
  return report(checkpoint.give(workspace(), {bytes, length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(checkpoint) {
  using namespace wf::binding;
  emscripten::enum_<wf::PlanFlag>("PlanFlag")
#define WF_PLAN_FLAG(name, letter, word, member) .value(word, wf::PlanFlag::name)
      WF_PLAN_FLAGS(WF_PLAN_FLAG);
#undef WF_PLAN_FLAG
  emscripten::class_<Checkpoint>("Checkpoint")
      .class_function("make(files)", &make, emscripten::allow_raw_pointers())
      .function("add(file, beginning, beginningLength, fileBytes)", &add)
      .function("begin(model, plan, planLength, allowNotFinite)", &begin)
      .function("nextFile()", &next_file)
      .function("nextOffset()", &next_offset)
      .function("nextBytes()", &next_bytes)
      .function("give(bytes, bytesLength)", &give);
}
