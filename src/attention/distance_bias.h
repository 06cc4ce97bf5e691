// Biases that depend on distance alone, computed once for each distance and not for each logit.
//
// If the positions of queries and of keys increase by one common step, the bias of a head is one
// strip over the distances that occur, and a row of a tile adds a contiguous piece of it. Otherwise
// (packed sequences, evicted caches) the strip has an entry for each distance from the smallest to
// the largest, and each logit looks up its entry. If there are far more distances than logits, a
// row is split into runs of consecutive distances.
#pragma once

#include "attention/layer_schemes.h"
#include "kernels/panels.h"
#include "tensor/buffer.h"

namespace wf {

class DistanceBias {
 public:
  // Call once for each attention call. `contexts` has one entry for each scheme.
  Status prepare(const LayerSchemes& schemes, const LayerContext* contexts, bool with_gradient);
  bool present() const { return form_ != Form::kNone; }

  // Call once for each head before its tiles, and after them in the backward pass.
  void begin_head(int head);
  void end_head_backward(int head);

  void add(const LogitTile& tile);
  // d_logits [rows, tile.stride].
  void add_backward(const LogitTile& tile, const float* d_logits);

 private:
  enum class Form : unsigned char {
    kNone,
    // Entry s is the distance low_ + s · step_; adjacent logits of a row read adjacent entries.
    kPieces,
    kPicked,  // entry s is the distance low_ + s; each logit looks up its entry
    kRuns,  // no strip
  };

  // The entry of the strip for this row and column.
  std::ptrdiff_t strip_offset(int row, int column) const {
    const LayerContext& context = contexts_[0];
    if (form_ == Form::kPieces)
      return std::ptrdiff_t{column} - row + context.query_positions.count - 1;
    return std::ptrdiff_t{context.key_positions.at(column)} - context.query_positions.at(row) -
           low_;
  }
  // Positions of a tile's keys relative to the smallest, or null if they increase by one (kPicked).
  const int* key_offsets(const LogitTile& tile);
  // Calls body(scheme, its context, distances [low, high), entry of `low`).
  template <class Body>
  void for_each_range(Body body) const;

  const LayerSchemes* schemes_ = nullptr;
  const LayerContext* contexts_ = nullptr;
  Form form_ = Form::kNone;
  int step_ = 1;
  int low_ = 0, size_ = 0;  // first distance of the strip, and number of entries
  int min_key_ = 0;
  int offsets_[kTileStride];
  Buffer<float> strip_, one_scheme_, d_strip_;
};

// Adds one scheme's distance bias for query row `row` and key columns [column0, column0 + columns)
// to `target`, for any positions. `run` is scratch memory of `columns` floats.
void add_distance_row(const LayerScheme& item, const LayerContext& context, int head, int row,
                      int column0, int columns, float* run, float* target);

}  // namespace wf
