// One attention problem with random content, run both ways: in tiles and by the double twin.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/recorder.h"
#include "attention/tile_sizes.h"
#include "reference/attention_twin.h"

namespace wf::contract {

// Keys of a tile, and so many that they reach into a second one and end inside a vector.
constexpr int kTileKeys = detail::kBlockColumns;
constexpr int kPastTile = kTileKeys + 22;

struct Sizes {
  int heads = 4, kv_heads = 2, head_dim = 8, value_dim = 6;
  int queries = 9, keys = 9;
  int width = 0;  // of the model; 0: heads · head_dim
};

class AttentionCase {
 public:
  AttentionCase(const SchemeEntry& entry, const OptionValues& options, const Sizes& sizes,
                bool is_causal, std::uint64_t seed);

  // Changes what is asked, before running.
  AttentionConfig config;
  std::vector<std::int32_t> query_positions, key_positions;  // [axes,T], [axes,S]
  std::vector<std::int32_t> segments;  // of the queries, and of the keys unless they have own ones
  std::vector<std::int32_t> key_segments;
  Mask mask;  // query_offset, key_length, given; segments are set from `segments`
  std::vector<float> sinks;
  const Surgery* surgery = nullptr;
  std::vector<float> q, k, v;  // [H,T,D], [K,S,D], [K,S,Dv]
  std::vector<std::vector<float>> parameters;
  // The layer's query and key projections [H·D,E], [K·D,E], where the scheme shares them.
  std::vector<std::vector<float>> projections;

  int axes() const { return std::max(entry().description->position_axes, 1); }
  // Puts query and key number i at place numbers[i]: a text's position, or for grids a cell of a
  // window of 3 x 3, row by row and then over again.
  void place(const std::vector<std::int32_t>& numbers);
  // Of every axis, or of one.
  void shift_positions(int by, int axis = -1);
  void scale_positions(int by);

  Status forward(Recorder* recorder = nullptr);
  // dL/d… for L = Σ output · probe; forward must have run.
  Status backward(const std::vector<float>& probe);
  reference::TwinResult twin() const;
  // L as the twin computes it, for finite differences.
  double twin_loss(const std::vector<float>& probe) const;

  std::vector<float> output;  // [H,T,Dv]
  std::vector<float> d_q, d_k, d_v, d_sinks;
  std::vector<std::vector<float>> d_parameters, d_projections;

  const SchemeEntry& entry() const { return *instance_.entry; }
  const Scheme& scheme() const { return *instance_.scheme; }
  // With these options.
  std::uint32_t hooks() const { return instance_.hooks; }
  LayerSchemes schemes();
  AttentionInput input();
  int width() const { return sizes_.width ? sizes_.width : sizes_.heads * sizes_.head_dim; }
  const Sizes& sizes() const { return sizes_; }
  AttentionScratch& scratch() { return scratch_; }
  AttentionSaved& saved() { return saved_; }

 private:
  const std::vector<std::int32_t>& segments_of_keys() const {
    return key_segments.empty() ? segments : key_segments;
  }

  Sizes sizes_;
  SchemeInstance instance_;
  AttentionSaved saved_;
  AttentionScratch scratch_;
  std::vector<const float*> value_pointers_;
  std::vector<float*> gradient_pointers_;
};

// Largest |a - b|.
double largest_difference(const std::vector<float>& a,
                          const std::vector<std::vector<reference::Row>>& b);
double largest_difference(const std::vector<float>& a, const std::vector<float>& b);

std::vector<float> random_values(std::size_t count, std::uint64_t seed, float deviation = 1);

}  // namespace wf::contract
