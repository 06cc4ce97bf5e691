#include "attention/surgery.h"

#include <algorithm>

#include "tensor/extent.h"

namespace wf {

Result<Surgery> Surgery::make(std::span<const std::uint8_t> ablations, const LayerSchemes& schemes,
                              int num_heads, int head_dim) {
  Surgery made;
  made.stride_ = kMaxTerms + head_dim;
  WF_RETURN_IF_ERROR(made.ablations_.reserve(elements_of(num_heads, made.stride_)));
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> channels, Buffer<std::int32_t>::make(head_dim));
  const int pairs = schemes.channel_pairs(channels.data());
  const std::uint8_t* given = ablations.data();
  for (int head = 0; head < num_heads; ++head) {
    Ablation* of_head = made.ablations_.data() + std::ptrdiff_t{head} * made.stride_;
    for (int t = 0; t < kMaxTerms; ++t) of_head[t] = static_cast<Ablation>(*given++);
    for (int pair = 0; pair < head_dim / 2; ++pair) {
      const Ablation ablation = static_cast<Ablation>(*given++);
      if (ablation == Ablation::kNone) continue;
      if (pair >= pairs)
        return WF_UNEXPECTED("surgery", "pair %d of layer %d",
                             "a pair below %d, the number of pairs that rotate", pair,
                             schemes.layer, pairs);
      for (int side = 0; side < 2; ++side)
        of_head[kMaxTerms + channels[2 * pair + side]] = ablation;
    }
  }
  return made;
}

const Ablation* Surgery::of(int head) const {
  if (!ablations_.size()) return nullptr;
  const Ablation* of_head = ablations_.data() + std::ptrdiff_t{head} * stride_;
  return std::all_of(of_head, of_head + stride_,
                     [](Ablation ablation) { return ablation == Ablation::kNone; })
             ? nullptr
             : of_head;
}

}  // namespace wf
