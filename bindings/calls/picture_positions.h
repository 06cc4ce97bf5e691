// Positions that are worked out from what a text holds.
#pragma once

#include "calls/reader.h"

namespace wf::calls {

struct PicturePositions {
  Code code = Code::kOk;
  int delta = 0;  // a token decoded as number n has position n + delta
};

// result (int32) [3,tokens]: times, rows and columns of a text's tokens. Blocks are doubles
// { first, frames, rows, columns, time step }, one after the other; after a block the text goes on
// past the largest position so far, or as schemes/vision_positions.h says.
// Errors: kInvalidArgument for blocks that do not lie in the text; kOutOfMemory.
Result<PicturePositions> positions_with_pictures(const Workspace& workspace, int tokens,
                                                 bool after_largest, List blocks, List result);

}  // namespace wf::calls
