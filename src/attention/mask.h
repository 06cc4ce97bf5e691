// Which keys a query may see. Masks go by index in the sequence, never by position.
#pragma once

#include <cstdint>

#include "tensor/view.h"

namespace wf {

// An additive or boolean mask given by the caller, broadcastable to [H,T,S]: a stride of 0 repeats.
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
  int window = 0;  // keys at a distance of `window` or more are hidden; 0: none are
  int chunk = 0;  // queries see keys of their own chunk of this many tokens; 0: of all
  int prefix_length = 0;  // causality does not hide keys below this; window and chunk still do
  int query_offset = 0;  // index of query 0 among the keys; below 0 the first queries see nothing
  int key_length = -1;  // keys from this index on are padding; -1: none are
  const std::int32_t* query_segments = nullptr;  // [T] document of each query, or null
  const std::int32_t* key_segments = nullptr;  // [S]
  ExplicitMask given;

  struct Stretch {
    int begin, end;
  };
  // The keys [begin, end) that a query's row may see, explicit masks and documents left aside.
  Stretch visible(int row, int keys) const;
  // The keys outside of which none of `rows` rows from row0 on sees anything: whole tiles beyond
  // them are skipped.
  Stretch visible_to_any(int row0, int rows, int keys) const;
  // Reads what an additive mask has for these logits, once and in long stretches, which come from
  // memory faster than the short ones of the tiles that apply will read from the cache then.
  void fetch(int head, int row0, int rows, int column0, int columns) const;
  // Writes -infinity where a query must not look, and adds the additive mask.
  // logits [rows, stride] of the tile at (row0, column0).
  void apply(int head, int row0, int rows, int column0, int columns, float* logits,
             std::ptrdiff_t stride) const;
  // True where apply would change nothing.
  bool leaves_alone(int row0, int rows, int column0, int columns, int keys) const;
};

}  // namespace wf
