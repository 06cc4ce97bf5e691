#include "trainer/windows.h"

#include <algorithm>

#include "trainer/fail.h"

namespace trainer {

void Losses::take(double target_nats, bool target_is_mark) {
  nats += target_nats;
  ++tokens;
  if (target_is_mark) return;
  nats_without_marks += target_nats;
  ++tokens_without_marks;
}

void Losses::add(const Losses& other) {
  nats += other.nats;
  tokens += other.tokens;
  nats_without_marks += other.nats_without_marks;
  tokens_without_marks += other.tokens_without_marks;
  bucket_nats.resize(other.bucket_nats.size());
  bucket_tokens.resize(other.bucket_tokens.size());
  for (std::size_t i = 0; i < other.bucket_nats.size(); ++i) {
    bucket_nats[i] += other.bucket_nats[i];
    bucket_tokens[i] += other.bucket_tokens[i];
  }
}

wf::Result<Losses> WindowReader::windows(const std::vector<std::int32_t>& ids, int length,
                                         int stride, int count) const {
  std::vector<Losses> all(static_cast<std::size_t>(count));
  std::vector<wf::Status> statuses(static_cast<std::size_t>(count));
  threads.for_each(count, [&](int index) {
    wf::TransformerActivations activations = require(
        wf::TransformerActivations::make(model.config(), 1, length, wf::Purpose::kInference));
    const auto begin = static_cast<std::ptrdiff_t>(index) * stride;
    const int scored_from = index == 0 ? 0 : length - stride;
    const int used = static_cast<int>(
        std::min<std::ptrdiff_t>(length, static_cast<std::ptrdiff_t>(ids.size()) - 1 - begin));
    wf::TokenBatch batch;
    batch.ids = ids.data() + begin;
    batch.length = used;
    std::vector<std::int32_t> targets(ids.begin() + begin + 1, ids.begin() + begin + 1 + used);
    for (int t = 0; t < used; ++t)
      if (t < scored_from || targets[static_cast<std::size_t>(t)] == end_id)
        targets[static_cast<std::size_t>(t)] = -1;
    const auto done = model.loss(batch, targets.data(), activations);
    statuses[static_cast<std::size_t>(index)] = done.status();
    if (!done.ok()) return;
    Losses& losses = all[static_cast<std::size_t>(index)];
    if (bucket > 0) {
      const auto stretches = static_cast<std::size_t>((length + bucket - 1) / bucket);
      losses.bucket_nats.resize(stretches);
      losses.bucket_tokens.resize(stretches);
    }
    for (int t = 0; t < used; ++t) {
      const std::int32_t target = targets[static_cast<std::size_t>(t)];
      if (target < 0) continue;
      const double nats = static_cast<double>(activations.row_losses()[t]);
      losses.take(nats, is_mark[static_cast<std::size_t>(target)]);
      if (bucket > 0) {
        losses.bucket_nats[static_cast<std::size_t>(t / bucket)] += nats;
        ++losses.bucket_tokens[static_cast<std::size_t>(t / bucket)];
      }
    }
  });
  Losses sum;
  for (int i = 0; i < count; ++i) {
    WF_RETURN_IF_ERROR(statuses[static_cast<std::size_t>(i)]);
    sum.add(all[static_cast<std::size_t>(i)]);
  }
  return sum;
}

wf::Result<Losses> WindowReader::sliding(const std::vector<std::int32_t>& ids, int length) const {
  const int stride = length / 2;
  const int targets = static_cast<int>(ids.size()) - 1;
  const int count = 1 + std::max(0, (targets - length + stride - 1) / stride);
  return windows(ids, length, stride, count);
}

wf::Result<Losses> WindowReader::disjoint(const std::vector<std::int32_t>& ids, int length,
                                          int longest) const {
  const int targets = static_cast<int>(ids.size()) - 1;
  return windows(ids, length, length, targets / longest * longest / length);
}

}  // namespace trainer
