// Token vectors to which one scheme adds positions, run both ways: by the scheme and by its double
// twin.
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

  // Random token vectors, one for each number, and random parameters. A number is a position, or on
  // a grid a cell of 6 x 6, row by row and then over again.
  EmbeddingCase(const SchemeEntry& entry, const OptionValues& options,
                const std::vector<std::int32_t>& numbers, std::uint64_t seed);

  std::vector<std::int32_t> positions;  // [axes,T]
  std::vector<float> x;  // [T,E]
  std::vector<std::vector<float>> parameters, d_parameters;
  std::vector<float> output, d_x;  // [T,E]

  int axes() const { return std::max(instance_.entry->description->position_axes, 1); }
  int count() const { return static_cast<int>(positions.size()) / axes(); }

  // With these options.
  std::uint32_t hooks() const { return instance_.hooks; }

  Status check() const;
  // Writes `output`; the positions must have passed check().
  void forward();
  // dL/d… for L = Σ output · probe.
  void backward(const std::vector<float>& probe);
  std::vector<reference::Row> twin() const;
  double twin_loss(const std::vector<float>& probe) const;
  const Scheme& scheme() const { return *instance_.scheme; }

 private:
  LayerContext context(std::vector<const float*>& values, std::vector<float*>& gradients);

  SchemeShape shape_;
  SchemeInstance instance_;
};

// What the scheme leaves in zero token vectors [T,E], from these parameters, with H = 1 and D = E =
// width.
std::vector<float> embedded_positions(const std::string& id, const OptionValues& options, int width,
                                      const std::vector<std::int32_t>& positions,
                                      const std::vector<float>& parameters = {}, int axes = 1);

}  // namespace wf::contract
