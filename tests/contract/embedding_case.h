// Token vectors to which one scheme adds positions, computed by the scheme and by its twin in
// double precision.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "reference/attention_twin.h"

namespace wf::contract {

class EmbeddingCase {
 public:
  static constexpr int kHeads = 2, kHeadDim = 4, kWidth = kHeads * kHeadDim;

  // Makes random parameters, and a random token vector for each of `numbers`. A number is a
  // position; on a grid it is a cell of 6 x 6, counted row by row, and numbers from 36 on start
  // again at the first cell.
  EmbeddingCase(const SchemeEntry& entry, const OptionValues& options,
                const std::vector<std::int32_t>& numbers, std::uint64_t seed);

  std::vector<std::int32_t> positions;  // [axes,T]
  std::vector<float> x;  // [T,E]
  std::vector<std::vector<float>> parameters, d_parameters;
  std::vector<float> output, d_x;  // [T,E]

  int axes() const { return std::max(instance_.entry->description->position_axes, 1); }
  int count() const { return static_cast<int>(positions.size()) / axes(); }

  // Hooks of the scheme with its options.
  std::uint32_t hooks() const { return instance_.hooks; }

  Status check() const;
  // Writes `output`. Requires positions that pass check().
  void forward();
  // Computes dL/d… for L = Σ output · probe.
  void backward(const std::vector<float>& probe);
  std::vector<reference::Row> twin() const;
  double twin_loss(const std::vector<float>& probe) const;
  const Scheme& scheme() const { return *instance_.scheme; }

 private:
  LayerContext context(std::vector<const float*>& values, std::vector<float*>& gradients);

  SchemeShape shape_;
  SchemeInstance instance_;
};

// Returns what the scheme adds to token vectors [T,E] of zeros, with these parameters, H = 1 and D
// = E = width.
std::vector<float> embedded_positions(const std::string& id, const OptionValues& options, int width,
                                      const std::vector<std::int32_t>& positions,
                                      const std::vector<float>& parameters = {}, int axes = 1);

}  // namespace wf::contract
