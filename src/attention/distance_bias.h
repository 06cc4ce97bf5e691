// Biases that depend on distance alone, added to tiles without a gather.
//
// Where the positions of queries and of keys each run without gaps, a head's bias is one strip over
// the relative positions r = key - query, and a row of a tile adds a contiguous piece of it.
// Elsewhere (packed documents, evicted caches) a row is cut into runs of consecutive r.
#pragma once

#include "attention/layer_schemes.h"
#include "tensor/buffer.h"

namespace wf {

class DistanceBias {
 public:
  // Once for each attention call. `contexts` has one entry for each scheme.
  Status prepare(const LayerSchemes& schemes, const LayerContext* contexts, bool with_gradient);
  bool present() const { return present_; }

  // Once for each head, before its tiles; and after them in the backward pass.
  void begin_head(int head);
  void end_head_backward(int head);

  void add(const LogitTile& tile);
  // d_logits [rows, tile.stride].
  void add_backward(const LogitTile& tile, const float* d_logits);

 private:
  std::ptrdiff_t strip_offset(int row, int column) const;

  const LayerSchemes* schemes_ = nullptr;
  const LayerContext* contexts_ = nullptr;
  bool present_ = false;
  bool consecutive_ = false;
  int low_ = 0, high_ = 0;  // relative positions of the strip
  Buffer<float> strip_, one_scheme_, d_strip_;
};

// Adds one scheme's distance bias for query row `row` and key columns [column0, column0 + columns)
// to `target`, whatever the positions are. `run` has room for `columns` floats.
void add_distance_row(const LayerScheme& item, const LayerContext& context, int head, int row,
                      int column0, int columns, float* run, float* target);

}  // namespace wf
