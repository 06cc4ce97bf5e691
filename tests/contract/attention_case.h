// An attention problem with random content, computed by the engine (in tiles) and by the twin in
// double precision.
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

// Number of keys in a tile, and a number that reaches into a second tile and ends inside a vector.
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

  // Input of forward(); tests may change it before they run.
  AttentionConfig config;
  std::vector<std::int32_t> query_positions, key_positions;  // [axes,T], [axes,S]
  std::vector<std::int32_t> segments;  // of the queries, and of the keys if key_segments is empty
  std::vector<std::int32_t> key_segments;
  Mask mask;  // query_offset, key_length, given; segments are set from `segments`
  std::vector<float> sinks;
  const Surgery* surgery = nullptr;
  std::vector<float> q, k, v;  // [H,T,D], [K,S,D], [K,S,Dv]
  std::vector<std::vector<float>> parameters;
  // The input of the layer, for schemes with features: of each query [T,E] or key [S,E].
  std::vector<float> states;
  // The layer's query and key projections [H·D,E], [K·D,E], if the scheme shares them.
  std::vector<std::vector<float>> projections;

  int axes() const { return std::max(entry().description->position_axes, 1); }
  // Gives query and key number i the position numbers[i]. On a grid that is a cell of a 3 x 3
  // window, counted row by row; numbers from 9 on start again at the first cell.
  void place(const std::vector<std::int32_t>& numbers);
  // Adds `by` to the positions on one axis, or on all axes if `axis` is -1.
  void shift_positions(int by, int axis = -1);
  void scale_positions(int by);

  Status forward(Recorder* recorder = nullptr);
  // Computes dL/d… for L = Σ output · probe. Requires a call of forward() before.
  Status backward(const std::vector<float>& probe);
  reference::TwinResult twin() const;
  // Returns L as the twin computes it, for finite differences.
  double twin_loss(const std::vector<float>& probe) const;

  std::vector<float> output;  // [H,T,Dv]
  std::vector<float> d_q, d_k, d_v, d_sinks, d_states;
  std::vector<std::vector<float>> d_parameters, d_projections;

  const SchemeEntry& entry() const { return *instance_.entry; }
  const Scheme& scheme() const { return *instance_.scheme; }
  const SchemeDescription& description() const { return instance_.description(); }
  // Whether the scheme itself hides a key from a query, by their indices.
  bool hides(int query, int key) const;
  // Hooks of the scheme with its options.
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

// Returns the largest |a - b|.
double largest_difference(const std::vector<float>& a,
                          const std::vector<std::vector<reference::Row>>& b);
double largest_difference(const std::vector<float>& a, const std::vector<float>& b);

std::vector<float> random_values(std::size_t count, std::uint64_t seed, float deviation = 1);

}  // namespace wf::contract
