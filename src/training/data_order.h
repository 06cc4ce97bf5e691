// The order of training data: windows drawn at random, with replacement, from streams of tokens.
// There are no epochs. All batches use the trainer's one random generator, so the order depends
// only on the seed, and a restored trainer continues it.
#pragma once

#include "training/tasks/task.h"

namespace wf {

constexpr int kMaxStreams = 8;

class TextWindows {
 public:
  // The streams must have passed `check`.
  explicit TextWindows(std::span<const TokenStream> streams);

  // Errors: kInvalidArgument, for no stream, too many, or one that is too short, has no weight or
  // an id that is not below `bound`.
  static Status check(const char* task, std::span<const TokenStream> streams, int bound);

  // Draws `batch` windows with at least one more token after each. Rows are divided among the
  // streams in proportion to their weights, by systematic sampling: of two streams of equal weight
  // each gets exactly half of an even batch. Calls take(row, window) for each row in order.
  template <class Take>
  void draw_batch(Random& random, int batch, int length, Take&& take) const {
    const float offset = random.uniform();
    for (int row = 0; row < batch; ++row) {
      const float point = (static_cast<float>(row) + offset) / static_cast<float>(batch);
      const std::span<const std::int32_t> stream = stream_at(point);
      const auto starts = static_cast<std::uint32_t>(stream.size()) - length;
      take(row, stream.data() + random.below(starts));
    }
  }

  int longest() const;

 private:
  // The stream whose part of [0,1) contains this point.
  std::span<const std::int32_t> stream_at(float point) const;

  int count_;
  float total_weight_ = 0;
  TokenStream streams_[kMaxStreams];
};

}  // namespace wf
