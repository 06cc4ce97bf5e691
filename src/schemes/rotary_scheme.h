// RoPE and its kin, forward and backward: pairs of channels of query and key turn by position ·
// frequency.
#pragma once

#include "schemes/entry.h"
#include "schemes/rope_frequencies.h"

namespace wf {

// Options that several of them have.
constexpr Option rope_theta_option(double default_value = 10000) {
  return number_option("ropeTheta", "rope_theta", default_value, 1.0001, 1e12);
}
constexpr Option interleaved_option(bool default_value) {
  return flag_option("interleaved", "rope_interleave", default_value);
}

class RotaryScheme : public Scheme {
 public:
  // Pair t is channels (t, t + pairs), or (2t, 2t + 1) when interleaved, and turns by that axis of
  // the position which axes[t] says; by the first where `axes` is empty.
  RotaryScheme(RopeFrequencies frequencies, bool interleaved, Buffer<std::uint8_t> axes = {})
      : frequencies_(std::move(frequencies)), interleaved_(interleaved), axes_(std::move(axes)) {}

  // Cosines [T, pairs], then sines, both times the attention factor.
  std::size_t position_table_floats(int count) const override;
  void fill_position_table(const Positions&, int sequence_length, float* table) const override;

  void transform_projections(const LayerContext&, Projection, int head, const RowPositions&,
                             Matrix x) const override;
  void transform_projections_backward(const LayerContext&, Projection, int head,
                                      const RowPositions&, ConstMatrix raw,
                                      Matrix d_x) const override;

  bool caches_raw_keys() const override { return frequencies_.follow_length(); }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override;

  int channel_pairs(std::int32_t* channels) const override;
  int frequencies(int sequence_length, double* frequencies,
                  double* attention_factor) const override;

 protected:
  int pairs() const { return frequencies_.pairs(); }
  // Channels of pair t.
  int first(int t) const { return interleaved_ ? 2 * t : t; }
  int second(int t) const { return interleaved_ ? 2 * t + 1 : t + pairs(); }

 private:
  RopeFrequencies frequencies_;
  bool interleaved_;
  Buffer<std::uint8_t> axes_;
};

}  // namespace wf
