// Fills the measures of a head during its forward pass. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/head_measures.h"
#include "attention/scratch.h"
#include "attention/tile_sizes.h"

namespace wf::detail {

// What a forward pass calls for each block of query rows. Virtual, or the linker would inline the
// measures into the pass, and the page's first engine, which measures nothing, would contain them.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  // Keeps a tile's logits, after softcap and mask and with nothing left to add, until the block
  // ends; `index` counts the tiles of the block in the order of the forward pass.
  virtual void keep(int index, const LogitTile& tile) = 0;
  // `log_sum_exp` [T] is the forward pass's. Errors: kOutOfMemory.
  virtual Status add_block(int row0, int rows, const float* log_sum_exp) = 0;
};

// Reads the logits of a head of self-attention and stores what they say in a slot of the measures:
// `begin`; then, for each block of query rows in order, `keep` with each of its tiles and
// `add_block`; then `finish`.
class HeadMeasurement : public BlockObserver {
 public:
  HeadMeasurement(const AttentionCall& call, AttentionScratch& scratch, int head,
                  HeadMeasures& measures);

  // Errors: kOutOfMemory.
  Status begin();
  void keep(int index, const LogitTile& tile) override;
  Status add_block(int row0, int rows, const float* log_sum_exp) override;
  void finish(int slot);

 private:
  // Sums over the keys of one query.
  struct RowSums {
    int visible = 0;
    double weight = 0, entropy = 0, distance = 0;  // entropy in nats
    double logit = 0, logit_squares = 0, content = 0, logit_content = 0;
    double same = 0, induction = 0, previous = 0, self = 0, first = 0;
    double before = 0;  // Σ weight of the tiles before the one with the median
    int median = -1;
  };

  // A tile row: logits after and before softcap and mask, and content.
  struct TileRow {
    float *logits, *uncapped, *content;
    int column0, columns;

    bool has(int column) const { return column >= column0 && column < column0 + columns; }
  };

  ConstMatrix content_of(ConstMatrix x, int row0, int rows) const {
    return {x.row(row0), rows, content_channels_, x.stride};
  }
  // The first element of an array by distance that belongs to a key.
  float* at_distance(float* by_distance, int query, int column) const {
    return by_distance + column - query + measures_.tokens() - 1;
  }
  float* block_tile(int index) const {
    return scratch_.block_logits.data() + elements_of(index, kTileFloats);
  }
  Status begin_split(int row0, int rows);
  void split_tile(const LogitTile& tile, float* uncapped, float* content);
  void add_tile(const LogitTile& tile, const float* log_sum_exp);
  int hide(int query, const TileRow& row, bool is_whole) const;
  void add_pairs(const LogitTile& tile, const float* uncapped, bool is_whole);
  void add_tile_row(int query, RowSums& sums, const TileRow& row, float log_sum);
  void add_distances(int query, RowSums& sums, const float* weights, const TileRow& row,
                     double total) const;
  void add_tokens(int query, RowSums& sums, const float* weights, const TileRow& row) const;
  void find_median(int query, RowSums& sums, const float* weights, const TileRow& row, double total,
                   float log_sum) const;
  void add_row(int query, const RowSums& row);
  void add_row_pairs(int query, int i);

  // Whether the present block's logits are split into pairs of channels too.
  bool has_pairs() const { return splits_ && measures_.pairs(); }
  // Of rows of the block: Σ logit · key, and Σ key, over the visible keys.
  Matrix by_logit(int i, int rows) const {
    const int channels = head_.k.columns;
    return {scratch_.pair_sums.data() + elements_of(i, channels), rows, channels, channels};
  }
  float* key_sum(int i) const { return by_logit(kBlockRows + i, 1).row(0); }

  const AttentionCall& call_;
  AttentionScratch& scratch_;
  const HeadLogits head_;
  HeadMeasures& measures_;
  HeadSums sums_;
  int content_channels_ = 0;
  bool splits_ = false;  // whether the present block's logits are split into content and position
  RowSums rows_[kBlockRows];
};

}  // namespace wf::detail
