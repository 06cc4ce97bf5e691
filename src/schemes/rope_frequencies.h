// The frequencies of a rotary scheme: the angle by which each pair of channels rotates from one
// position to the next.
#pragma once

#include "schemes/rope_scaling.h"
#include "tensor/buffer.h"

namespace wf {

// The number of pairs of the widest head.
constexpr int kMaxPairs = 2048;

// Radians by which each pair rotates for a step of one position, for any sequence length.
class RopeFrequencies {
 public:
  // For heads of head_dim channels of which the first int(head_dim · partial_rotary_factor) rotate
  // (truncated, as in Hugging Face); kProportional computes frequencies for the whole head, with
  // zeros at its end. Errors: kInvalidArgument for an odd number of channels or a scaling that is
  // incomplete or out of range; kOutOfMemory.
  static Result<RopeFrequencies> make(int head_dim, double partial_rotary_factor, double base,
                                      const RopeScaling& scaling);

  // One frequency for each pair, the same for every length.
  static RopeFrequencies fixed(Buffer<double> table) {
    RopeFrequencies given;
    given.pairs_ = static_cast<int>(table.size());
    given.table_ = std::move(table);
    return given;
  }

  int pairs() const { return pairs_; }
  // Factor on cosine and sine, so its square on the logits of the rotated channels. Does not
  // include DeepSeek's correction of the softmax, which yarn_scale computes.
  double attention_factor() const { return attention_factor_; }
  // Whether they depend on the length: rotated keys must then not be cached.
  bool follow_length() const;
  // Writes the pairs() frequencies for this length.
  void at(int sequence_length, double* frequencies) const;

 private:
  RopeType type_ = RopeType::kDefault;
  int pairs_ = 0;
  double base_ = 0, factor_ = 1, length_ = 0, attention_factor_ = 1;
  Buffer<double> table_;  // [1 or 2, pairs]: up to L, and above it
};

}  // namespace wf
