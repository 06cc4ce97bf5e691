#include "calls/checkpoint.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Checkpoint;
using calls::CheckpointPiece;
using calls::List;
using calls::Model;
using calls::NeededBytes;

Checkpoint* make(int files) { return handed_over(Checkpoint::make(files)); }

NeededBytes add(Checkpoint& checkpoint, int file, Address beginning, int length,
                double file_bytes) {
  return answer(checkpoint.add(workspace(), file, {beginning, length}, file_bytes));
}

List place(Checkpoint& checkpoint, int file, Address name, int length) {
  return checkpoint.place(workspace(), file, {name, length});
}

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
  emscripten::value_object<NeededBytes>("NeededBytes")
      .field("code", &NeededBytes::code)
      .field("bytes", &NeededBytes::bytes);
  emscripten::value_object<CheckpointPiece>("CheckpointPiece")
      .field("file", &CheckpointPiece::file)
      .field("offset", &CheckpointPiece::offset)
      .field("bytes", &CheckpointPiece::bytes);
  emscripten::class_<Checkpoint>("Checkpoint")
      .class_function("make(files)", &make, emscripten::allow_raw_pointers())
      .function("add(file, beginning, beginningLength, fileBytes)", &add)
      .function("entries(file)", &Checkpoint::entries)
      .function("place(file, name, nameLength)", &place)
      .function("begin(model, plan, planLength, allowNotFinite)", &begin)
      .function("next()", &Checkpoint::next)
      .function("give(bytes, bytesLength)", &give);
}
