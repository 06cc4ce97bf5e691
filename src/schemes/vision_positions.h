// Positions of a text with pictures and videos in it: time, row and column of every token, as the
// models with multimodal rotary embedding count them.
// Wang et al. 2024, arXiv 2409.12191, section 2.1; get_rope_index of Hugging Face transformers.
#pragma once

#include <span>

#include "status.h"
#include "tensor/view.h"

namespace wf {

// A stretch of tokens that are cells of a picture (frames = 1) or video: frame by frame, row by
// row.
struct VisionBlock {
  int first = 0;  // index of its first token
  int frames = 1;
  int rows = 1;  // of tokens, after patches were merged
  int columns = 1;
  double time_step = 1;  // positions from frame to frame; fractions of a time are dropped

  double cells() const { return 1.0 * frames * rows * columns; }
};

// Where the text goes on after a block: past the largest position so far (transformers 4, with
// which the models were released), or as many on as the block has rows or columns, whichever are
// more (transformers 5). They differ where frames are more than those.
enum class AfterBlock : bool { kLargest, kRowsAndColumns };

// Writes positions [3, tokens]: times, rows, columns. A text's token has the same on all axes. The
// token that is decoded as number n (from 0) then has position n + delta on all axes: the largest
// position + 1 - tokens. Blocks are in order and do not overlap.
// Errors: kInvalidArgument for blocks that do not lie in the text, or positions of 2^30 and more.
Result<int> vision_positions(std::span<const VisionBlock> blocks, int tokens, AfterBlock after,
                             std::int32_t* positions);

}  // namespace wf
