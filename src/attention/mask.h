// Which keys a query may see. Masks go by index in the sequence, never by position.
#pragma once

#include <cstdint>

#include "schemes/tile.h"
#include "tensor/view.h"

namespace wf {

// An additive or boolean mask from the caller, broadcastable to [H,T,S]: a stride of 0 repeats.
struct ExplicitMask {
  const float* additive = nullptr;  // added to the logits; -infinity forbids
  const std::uint8_t* allowed = nullptr;  // 1 = attend
  std::ptrdiff_t head_stride = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;

  bool present() const { return additive || allowed; }
};

struct Mask {
  bool is_causal = false;
  int window = 0;  // hide keys at a distance of `window` or more; 0: none
  int chunk = 0;  // queries see only keys of their chunk of this many tokens; 0: of all
  // Causality does not hide keys below this index; window and chunk still do.
  int prefix_length = 0;
  // Index of query 0 among the keys; if negative, the first queries see nothing.
  int query_offset = 0;
  int key_length = -1;  // keys from this index on are padding; -1: none
  // A hole between the first keys and the window, with which a scheme may replace `window`.
  Reach reach = {};
  const std::int32_t* query_segments = nullptr;  // [T] segment of each query, or null
  const std::int32_t* key_segments = nullptr;  // [S]
  ExplicitMask given;

  struct Range {
    int begin, end;
  };
  // The keys [begin, end) that a query's row may see, before explicit masks, segments and the hole.
  Range visible(int row, int keys) const;
  // The keys [begin, end) that any of `rows` rows from row0 on may see; tiles outside are skipped.
  Range visible_to_any(int row0, int rows, int keys) const;
  // Prefetches the additive mask for these logits in long contiguous reads, which memory serves
  // faster than the short reads of `apply`; those then hit the cache.
  void fetch(int head, int row0, int rows, int column0, int columns) const;
  // The hidden keys [begin, end) of the hole; empty if there is none.
  Range hole(int row) const;
  // Writes -infinity to the logits of hidden keys and adds the additive mask. logits [rows, stride]
  // of the tile at (row0, column0).
  void apply(int head, int row0, int rows, int column0, int columns, float* logits,
             std::ptrdiff_t stride) const;
  // Whether apply would change nothing.
  bool leaves_alone(int row0, int rows, int column0, int columns, int keys) const;
};

}  // namespace wf
