// Positions computed from the pictures in a text.
#pragma once

#include "calls/reader.h"

namespace wf::calls {

struct PicturePositions {
  Code code = Code::kOk;
  int delta = 0;  // the n-th decoded token has position n + delta
};

// result (int32) [3,tokens]: times, rows and columns of a text's tokens. Blocks are doubles {
// first, frames, rows, columns, time step }, in order. After a block the text continues after the
// largest position so far, or as described in schemes/vision_positions.h. Errors: kInvalidArgument
// for blocks outside the text; kOutOfMemory.
Result<PicturePositions> positions_with_pictures(const Workspace& workspace, int tokens,
                                                 bool after_largest, List blocks, List result);

}  // namespace wf::calls
