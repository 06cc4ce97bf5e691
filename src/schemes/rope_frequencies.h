// The frequencies of a rotary scheme: how far each pair of channels turns from one position to the
// next.
#pragma once

#include "schemes/rope_scaling.h"
#include "tensor/buffer.h"

namespace wf {

// Pairs of the widest head.
constexpr int kMaxPairs = 2048;

// Radians a unit of position turns each pair by, for any length of the sequence.
class RopeFrequencies {
 public:
  // For heads of head_dim channels of which the share partial_rotary_factor turns, the first
  // int(head_dim · partial_rotary_factor), as Hugging Face truncates; a proportional ladder spans
  // the whole head, with zeros at its end. Errors: kInvalidArgument, for an odd number of channels
  // or a scaling that is incomplete or out of range; kOutOfMemory.
  static Result<RopeFrequencies> make(int head_dim, double partial_rotary_factor, double base,
                                      const RopeScaling& scaling);

  // One for each pair, the same at every length.
  static RopeFrequencies fixed(Buffer<double> table) {
    RopeFrequencies given;
    given.pairs_ = static_cast<int>(table.size());
    given.table_ = std::move(table);
    return given;
  }

  int pairs() const { return pairs_; }
  // Factor on cosine and sine, so its square on the logits of the channels that turn. DeepSeek's
  // own correction of the softmax is not in it: yarn_scale computes that.
  double attention_factor() const { return attention_factor_; }
  // Whether they change with the length: rotated keys must then not be cached.
  bool follow_length() const;
  // Writes pairs() of them.
  void at(int sequence_length, double* frequencies) const;

 private:
  RopeType type_ = RopeType::kDefault;
  int pairs_ = 0;
  double base_ = 0, factor_ = 1, length_ = 0, attention_factor_ = 1;
  Buffer<double> table_;  // [1 or 2, pairs]: up to L, and beyond it
};

}  // namespace wf
