#include "calls/picture_positions.h"

#include <cmath>

#include "schemes/vision_positions.h"

namespace wf::calls {

Result<PicturePositions> positions_with_pictures(const Workspace& workspace, int tokens,
                                                 bool after_largest, List blocks, List result) {
  constexpr int kNumbers = 5;
  constexpr const char* kNames[kNumbers] = {"first", "frames", "rows", "columns", "timeStep"};
  Reader reader(workspace);
  const auto numbers = reader.list<const double>("blocks", blocks);
  auto* positions = reader.result<std::int32_t>("out", result, {3, 1.0 * tokens});
  if (blocks.length % kNumbers)
    reader.refuse(WF_UNEXPECTED("blocks", "%d numbers", "5 for each block", blocks.length));
  WF_RETURN_IF_ERROR(reader.status());
  Buffer<VisionBlock> given;
  WF_RETURN_IF_ERROR(given.reserve(numbers.size() / kNumbers));
  const double* next = numbers.data();
  for (VisionBlock& block : given) {
    for (int i = 0; i + 1 < kNumbers; ++i)
      WF_RETURN_IF_ERROR(check_range(kNames[i], next[i], i ? 1 : 0, INT32_MAX));
    if (!(next[4] >= 0 && std::isfinite(next[4])))
      return WF_UNEXPECTED("timeStep", "%.0f", "a number from 0", next[4]);
    block = {static_cast<int>(next[0]), static_cast<int>(next[1]), static_cast<int>(next[2]),
             static_cast<int>(next[3]), next[4]};
    next += kNumbers;
  }
  const AfterBlock after = after_largest ? AfterBlock::kLargest : AfterBlock::kRowsAndColumns;
  WF_ASSIGN_OR_RETURN(const int delta, vision_positions(given, tokens, after, positions));
  return PicturePositions{.delta = delta};
}

}  // namespace wf::calls
