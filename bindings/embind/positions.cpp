// Positions that are worked out from what a text holds.
#include "call.h"
#include "schemes/vision_positions.h"

namespace wf::binding {
namespace {

// The number of tokens, whether text goes on after the largest position, and blocks: { first,
// frames, rows, columns, timeStep } of each, one after the other. { positions, delta }
Status positions_with_pictures(Arguments& arguments, Answer& answer) {
  const int tokens = arguments.integer();
  const AfterBlock after = arguments.flag() ? AfterBlock::kLargest : AfterBlock::kRowsAndColumns;
  const std::span<const double> numbers = arguments.list<double>();
  Buffer<VisionBlock> blocks;
  WF_RETURN_IF_ERROR(blocks.reserve(numbers.size() / 5));
  const double* next = numbers.data();
  for (VisionBlock& block : blocks) {
    block = {static_cast<int>(next[0]), static_cast<int>(next[1]), static_cast<int>(next[2]),
             static_cast<int>(next[3]), next[4]};
    next += 5;
  }
  WF_ASSIGN_OR_RETURN(const std::size_t count, count_of({3, 1.0 * tokens}));
  WF_ASSIGN_OR_RETURN(std::int32_t* positions, answer.room<std::int32_t>(count));
  WF_ASSIGN_OR_RETURN(const int delta, vision_positions(blocks, tokens, after, positions));
  answer.add(delta);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(positions) {
  using namespace wf::binding;
  bind<&positions_with_pictures>("positionsWithPictures");
}
