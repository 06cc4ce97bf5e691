// Positions that are worked out from what a text holds.
#include "guard.h"
#include "schemes/vision_positions.h"

namespace wf::binding {
namespace {

// blocks: { first, frames, rows, columns, timeStep } of each, one after the other.
Result<val> positions_with_pictures(int tokens, val blocks, bool after_largest) {
  const int count = blocks["length"].as<int>() / 5;
  WF_ASSIGN_OR_RETURN(Buffer<VisionBlock> list, Buffer<VisionBlock>::make(count));
  for (int b = 0; b < count; ++b) {
    const auto size = [&](int i) { return blocks[5 * b + i].as<int>(); };
    list[b] = {size(0), size(1), size(2), size(3), blocks[5 * b + 4].as<double>()};
  }
  WF_ASSIGN_OR_RETURN(const std::size_t numbers, count_of({3, 1.0 * tokens}));
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> positions, Buffer<std::int32_t>::make(numbers));
  const AfterBlock after = after_largest ? AfterBlock::kLargest : AfterBlock::kRowsAndColumns;
  WF_ASSIGN_OR_RETURN(const int delta, vision_positions({list.data(), list.size()}, tokens, after,
                                                        positions.data()));
  val result = val::object();
  result.set("positions", int32_array(positions.data(), positions.size()));
  result.set("delta", delta);
  return result;
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(positions) {
  using namespace wf::binding;
  emscripten::function("positionsWithPictures", guarded<&positions_with_pictures>);
}
