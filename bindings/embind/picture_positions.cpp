#include "calls/picture_positions.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::PicturePositions;

PicturePositions positions(int tokens, bool after_largest, Address blocks, int blocks_length,
                           Address out, int out_length) {
  return answer(calls::positions_with_pictures(workspace(), tokens, after_largest,
                                               {blocks, blocks_length}, {out, out_length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(picture_positions) {
  using namespace wf::binding;
  emscripten::value_object<PicturePositions>("PicturePositions")
      .field("code", &PicturePositions::code)
      .field("delta", &PicturePositions::delta);
  emscripten::function(
      "positionsWithPictures(tokens, afterLargest, blocks, blocksLength, out, outLength)",
      &positions);
}
