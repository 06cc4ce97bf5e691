#include "attention/surgery.h"

#include <algorithm>

#include "tensor/extent.h"

namespace wf {

Result<Surgery> Surgery::make(std::span<const std::uint8_t> cuts, const LayerSchemes& schemes,
                              int num_heads, int head_dim) {
  Surgery made;
  made.stride_ = kMostTerms + head_dim;
  WF_RETURN_IF_ERROR(made.cuts_.reserve(elements_of(num_heads, made.stride_)));
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> channels, Buffer<std::int32_t>::make(head_dim));
  const int pairs = schemes.channel_pairs(channels.data());
  const std::uint8_t* given = cuts.data();
  for (int head = 0; head < num_heads; ++head) {
    Cut* own = made.cuts_.data() + std::ptrdiff_t{head} * made.stride_;
    for (int t = 0; t < kMostTerms; ++t) own[t] = static_cast<Cut>(*given++);
    for (int pair = 0; pair < head_dim / 2; ++pair) {
      const Cut cut = static_cast<Cut>(*given++);
      if (cut == Cut::kNone) continue;
      if (pair >= pairs)
        return Status::error(Code::kInvalidArgument,
                             "surgery: pair %d of layer %d; its schemes turn %d pairs", pair,
                             schemes.layer, pairs);
      for (int side = 0; side < 2; ++side) own[kMostTerms + channels[2 * pair + side]] = cut;
    }
  }
  return made;
}

const Cut* Surgery::of(int head) const {
  if (!cuts_.size()) return nullptr;
  const Cut* own = cuts_.data() + std::ptrdiff_t{head} * stride_;
  return std::all_of(own, own + stride_, [](Cut cut) { return cut == Cut::kNone; }) ? nullptr : own;
}

}  // namespace wf
