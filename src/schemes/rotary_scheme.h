// Base of RoPE and its variants, forward and backward: pairs of channels of queries and keys are
// rotated by position · frequency.
#pragma once

#include "schemes/entry.h"
#include "schemes/rope_frequencies.h"

namespace wf {

// Options that several schemes share.
constexpr Option rope_theta_option(double default_value = 10000) {
  return number_option("ropeTheta", "rope_theta", default_value, 1.0001, 1e12);
}
constexpr Option interleaved_option(bool default_value) {
  return flag_option("interleaved", "rope_interleave", default_value);
}

class RotaryScheme : public Scheme {
 public:
  // Pair t is channels (t, t + pairs), or (2t, 2t + 1) if interleaved, and rotates by position axis
  // axes[t]; by the first axis if `axes` is empty.
  RotaryScheme(RopeFrequencies frequencies, bool interleaved, Buffer<std::uint8_t> axes = {})
      : frequencies_(std::move(frequencies)), interleaved_(interleaved), axes_(std::move(axes)) {}
  // Rotates values as keys, and outputs back by the position of the query, so that a value arrives
  // rotated by the distance.
  void rotate_values() { rotates_values_ = true; }
  // Its first parameter is alpha [pairs]: frequency t is multiplied by e^alpha_t.
  void train_frequencies() { is_trained_ = true; }

  // Cosines [T, pairs], then sines, both times the attention factor.
  std::size_t position_table_floats(int count) const override;
  bool trains_position_table() const override { return is_trained_; }
  void fill_position_table(const Positions&, int sequence_length, const float* trained,
                           float* table) const override;

  void transform_projections(const LayerContext&, Projection, int head, const RowPositions&,
                             Matrix x) const override;
  void transform_projections_backward(const LayerContext&, Projection, int head,
                                      const RowPositions&, ConstMatrix raw,
                                      Matrix d_x) const override;

  int transformed_value_channels() const override { return rotates_values_ ? 2 * pairs() : 0; }
  bool caches_raw_keys() const override { return frequencies_.follow_length(); }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override;

  int channel_pairs(std::int32_t* channels) const override;
  int frequencies(int sequence_length, double* frequencies,
                  double* attention_factor) const override;

 protected:
  int pairs() const { return frequencies_.pairs(); }
  // First channel of pair t.
  int first(int t) const { return interleaved_ ? 2 * t : t; }
  int second(int t) const { return interleaved_ ? 2 * t + 1 : t + pairs(); }

 private:
  void frequencies_at(int sequence_length, const float* trained, double* frequencies) const;

  RopeFrequencies frequencies_;
  bool interleaved_, is_trained_ = false, rotates_values_ = false;
  Buffer<std::uint8_t> axes_;
};

}  // namespace wf
