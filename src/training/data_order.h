// The order in which training sees its text: windows drawn at random, with replacement, from
// streams of tokens. There are no epochs. Every batch goes on in the trainer's stream of random
// numbers, so the order follows from the seed alone, and a saved trainer goes on where it stood.
#pragma once

#include "training/tasks/task.h"

namespace wf {

constexpr int kMaxStreams = 8;

class TextWindows {
 public:
  // Of streams that were checked.
  explicit TextWindows(std::span<const TokenStream> streams);

  // Errors: kInvalidArgument, for no stream, too many, or one that is too short, of no weight or
  // with an id that is not below `bound`.
  static Status check(const char* task, std::span<const TokenStream> streams, int bound);

  // Starts of `batch` windows with at least one more token behind them. The rows are shared among
  // the streams in proportion to their weights, by systematic sampling: two streams of equal weight
  // get half of an even batch each, exactly. Calls take(row, window) row by row.
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
  // The stream whose share of [0,1) holds this point.
  std::span<const std::int32_t> stream_at(float point) const;

  int count_;
  float total_weight_ = 0;
  TokenStream streams_[kMaxStreams];
};

}  // namespace wf
