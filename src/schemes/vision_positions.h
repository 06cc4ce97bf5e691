// Positions of a text that contains pictures and videos: time, row and column of every token, as in
// models with multimodal rotary embedding. Wang et al. 2024, arXiv 2409.12191, section 2.1;
// get_rope_index of Hugging Face transformers.
#pragma once

#include <span>

#include "status.h"
#include "tensor/view.h"

namespace wf {

// A range of tokens that are the cells of a picture (frames = 1) or video: frame by frame, row by
// row.
struct VisionBlock {
  int first = 0;  // index of its first token
  int frames = 1;
  int rows = 1;  // of tokens, after merging patches
  int columns = 1;
  double time_step = 1;  // positions from frame to frame; positions are truncated to integers

  double cells() const { return 1.0 * frames * rows * columns; }
};

// Position of the text after a block: after the largest position so far (transformers 4, with which
// the models were released), or max(rows, columns) of the block further (transformers 5). These
// differ if there are more frames than rows and columns.
enum class AfterBlock : bool { kLargest, kRowsAndColumns };

// Writes positions [3, tokens]: times, rows, columns. A text token has the same position on all
// axes. Returns delta: the n-th decoded token (from 0) has position n + delta on all axes, with
// delta = the largest position + 1 - tokens. Blocks are in order and do not overlap. Errors:
// kInvalidArgument for blocks outside the text, or positions of 2^30 and more.
Result<int> vision_positions(std::span<const VisionBlock> blocks, int tokens, AfterBlock after,
                             std::int32_t* positions);

}  // namespace wf
