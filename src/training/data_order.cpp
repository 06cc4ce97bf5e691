#include "training/data_order.h"

#include <algorithm>

namespace wf {

TextWindows::TextWindows(std::span<const TokenStream> streams)
    : count_(static_cast<int>(streams.size())) {
  std::copy(streams.begin(), streams.end(), streams_);
  for (int i = 0; i < count_; ++i) total_weight_ += streams_[i].weight;
}

Status TextWindows::check(const char* task, std::span<const TokenStream> streams, int bound) {
  if (streams.empty() || streams.size() > kMaxStreams) {
    return WF_UNEXPECTED("task %s", "%zu streams", "1 to %d", task, streams.size(), kMaxStreams);
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const TokenStream& stream = streams[i];
    if (!(stream.weight > 0 && stream.weight < 1e6f))
      return WF_UNEXPECTED("weight of stream %zu", "%g", "a number above 0", i,
                           static_cast<double>(stream.weight));
    if (stream.ids.size() < 2 || stream.ids.size() > INT32_MAX)
      return WF_UNEXPECTED("stream %zu", "%zu tokens", "2 or more", i, stream.ids.size());
    for (const std::int32_t id : stream.ids) {
      if (id < 0 || id >= bound)
        return WF_UNEXPECTED("stream %zu", "token id %d", "0 to %d", i, id, bound - 1);
    }
  }
  return {};
}

int TextWindows::longest() const {
  std::size_t longest = 1 << 20;
  for (int i = 0; i < count_; ++i) longest = std::min(longest, streams_[i].ids.size() - 1);
  return static_cast<int>(longest);
}

std::span<const std::int32_t> TextWindows::stream_at(float point) const {
  float edge = 0;
  for (int i = 0; i + 1 < count_; ++i) {
    edge += streams_[i].weight / total_weight_;
    if (point < edge) return streams_[i].ids;
  }
  return streams_[count_ - 1].ids;
}

}  // namespace wf
