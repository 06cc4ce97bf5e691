// Biases that depend on distance alone, added to tiles without asking the scheme for each logit.
//
// Where the positions of queries and of keys each go up by one same step, a head's bias is one
// strip over the distances that occur, and a row of a tile adds a contiguous piece of it. Elsewhere
// (packed documents, evicted caches) the strip has an entry for each distance from the least to the
// greatest, and each logit picks its own. Where these are far more than there are logits, a row is
// cut into runs of consecutive distance.
#pragma once

#include "attention/layer_schemes.h"
#include "kernels/panels.h"
#include "tensor/buffer.h"

namespace wf {

class DistanceBias {
 public:
  // Once for each attention call. `contexts` has one entry for each scheme.
  Status prepare(const LayerSchemes& schemes, const LayerContext* contexts, bool with_gradient);
  bool present() const { return form_ != Form::kNone; }

  // Once for each head, before its tiles; and after them in the backward pass.
  void begin_head(int head);
  void end_head_backward(int head);

  void add(const LogitTile& tile);
  // d_logits [rows, tile.stride].
  void add_backward(const LogitTile& tile, const float* d_logits);

 private:
  enum class Form : unsigned char {
    kNone,
    kPieces,  // entry s is the distance low_ + s · step_, and neighbours in a row read neighbours
    kPicked,  // entry s is the distance low_ + s
    kRuns,  // no strip
  };

  // The entry that a row reads in this column.
  std::ptrdiff_t strip_offset(int row, int column) const {
    const LayerContext& context = contexts_[0];
    if (form_ == Form::kPieces)
      return std::ptrdiff_t{column} - row + context.query_positions.count - 1;
    return std::ptrdiff_t{context.key_positions.at(column)} - context.query_positions.at(row) -
           low_;
  }
  // The positions of a tile's keys from a fixed one on, or null where they go up one by one
  // (kPicked).
  const int* key_offsets(const LogitTile& tile);
  // body(scheme, its context, distances [low, high), entry of `low`)
  template <class Body>
  void for_each_stretch(Body body) const;

  const LayerSchemes* schemes_ = nullptr;
  const LayerContext* contexts_ = nullptr;
  Form form_ = Form::kNone;
  int step_ = 1;
  int low_ = 0, size_ = 0;  // first distance of the strip, and entries
  int min_key_ = 0;
  int offsets_[kTileStride];
  Buffer<float> strip_, one_scheme_, d_strip_;
};

// Adds one scheme's distance bias for query row `row` and key columns [column0, column0 + columns)
// to `target`, whatever the positions are. `run` has room for `columns` floats.
void add_distance_row(const LayerScheme& item, const LayerContext& context, int head, int row,
                      int column0, int columns, float* run, float* target);

}  // namespace wf
