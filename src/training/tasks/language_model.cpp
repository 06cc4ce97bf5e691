// Predict the next token of windows drawn at random from streams of text.
//
// The rows of a batch are shared among the streams in proportion to their weights, by systematic
// sampling: two streams of equal weight get half of an even batch each, exactly.
#include <algorithm>

#include "training/tasks/task.h"

namespace wf {
namespace {

constexpr int kMostStreams = 8;

class LanguageModel final : public Task {
 public:
  explicit LanguageModel(const TaskSettings& settings)
      : count_(static_cast<int>(settings.streams.size())) {
    std::copy(settings.streams.begin(), settings.streams.end(), streams_);
    for (int i = 0; i < count_; ++i) total_weight_ += streams_[i].weight;
  }

  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const override {
    const float offset = random.uniform();
    for (int row = 0; row < batch; ++row) {
      const float point = (static_cast<float>(row) + offset) / static_cast<float>(batch);
      const std::span<const std::int32_t> stream = stream_at(point);
      const auto starts = static_cast<std::uint32_t>(stream.size()) - length;
      const std::int32_t* window = stream.data() + random.below(starts);
      std::copy_n(window, length, ids + std::ptrdiff_t{row} * length);
      std::copy_n(window + 1, length, targets + std::ptrdiff_t{row} * length);
    }
  }

  int longest() const override {
    std::size_t longest = 1 << 20;
    for (int i = 0; i < count_; ++i) longest = std::min(longest, streams_[i].ids.size() - 1);
    return static_cast<int>(longest);
  }

 private:
  // The stream whose share of [0,1) holds this point.
  std::span<const std::int32_t> stream_at(float point) const {
    float edge = 0;
    for (int i = 0; i + 1 < count_; ++i) {
      edge += streams_[i].weight / total_weight_;
      if (point < edge) return streams_[i].ids;
    }
    return streams_[count_ - 1].ids;
  }

  int count_;
  float total_weight_ = 0;
  TokenStream streams_[kMostStreams];
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  if (settings.streams.empty() || settings.streams.size() > kMostStreams) {
    return Status::error(Code::kInvalidArgument, "task language_model has %zu streams; allowed: 1 to %d",
                         settings.streams.size(), kMostStreams);
  }
  for (std::size_t i = 0; i < settings.streams.size(); ++i) {
    const TokenStream& stream = settings.streams[i];
    if (!(stream.weight > 0 && stream.weight < 1e6f))
      return Status::error(Code::kInvalidArgument, "weight of stream %zu is %g; allowed: above 0", i,
                           static_cast<double>(stream.weight));
    if (stream.ids.size() < 2 || stream.ids.size() > INT32_MAX)
      return Status::error(Code::kInvalidArgument, "stream %zu has %zu tokens; allowed: 2 and more", i,
                           stream.ids.size());
    for (const std::int32_t id : stream.ids) {
      if (id < 0 || id >= settings.vocab_size)
        return Status::error(Code::kInvalidArgument, "stream %zu has the id %d; allowed: 0 to %d", i,
                             id, settings.vocab_size - 1);
    }
  }
  return new_task<LanguageModel>(settings);
}

}  // namespace

extern const TaskEntry kLanguageModelTask;
const TaskEntry kLanguageModelTask = {"language_model", make};

}  // namespace wf
