#include "schemes/vision_positions.h"

#include <algorithm>
#include <cmath>

namespace wf {
namespace {

constexpr double kMaxPosition = 1 << 30;

Status check(const VisionBlock& block, int index, int from, int tokens) {
  if (block.frames < 1 || block.rows < 1 || block.columns < 1 || !(block.time_step >= 0))
    return WF_UNEXPECTED("blocks[%d]", "%d frames, %d rows, %d columns, time step %g",
                         "1 or more of each, and a time step from 0", index, block.frames,
                         block.rows, block.columns, block.time_step);
  if (block.first < from || block.first + block.cells() > tokens)
    return WF_UNEXPECTED("blocks[%d]", "%.0f tokens from token %d", "tokens %d to %d", index,
                         block.cells(), block.first, from, tokens - 1);
  return {};
}

}  // namespace

Result<int> vision_positions(std::span<const VisionBlock> blocks, int tokens, AfterBlock after,
                             std::int32_t* positions) {
  int token = 0;
  double start = 0, largest = -1;  // start of the next range; the largest position so far
  const auto put = [&](double time, double row, double column) {
    largest = std::max({largest, time, row, column});
    if (largest < kMaxPosition) {
      positions[token] = static_cast<std::int32_t>(time);
      positions[tokens + token] = static_cast<std::int32_t>(row);
      positions[2 * std::ptrdiff_t{tokens} + token] = static_cast<std::int32_t>(column);
    }
    ++token;
  };
  const auto put_text = [&](int end) {
    while (token < end) {
      put(start, start, start);
      ++start;
    }
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const VisionBlock& block = blocks[b];
    WF_RETURN_IF_ERROR(check(block, static_cast<int>(b), token, tokens));
    put_text(block.first);
    for (int f = 0; f < block.frames; ++f) {
      const double time = start + std::floor(f * block.time_step);
      for (int y = 0; y < block.rows; ++y)
        for (int x = 0; x < block.columns; ++x) put(time, start + y, start + x);
    }
    start =
        after == AfterBlock::kLargest ? largest + 1 : start + std::max(block.rows, block.columns);
  }
  put_text(tokens);
  if (largest >= kMaxPosition)
    return WF_UNEXPECTED("blocks", "positions up to %.0f", "positions below %.0f", largest,
                         kMaxPosition);
  return static_cast<int>(largest) + 1 - tokens;
}

}  // namespace wf
