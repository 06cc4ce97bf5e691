// How an attention call is shared by threads: each works in a lane, which has working memory of its
// own. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"
#include "executor.h"

namespace wf::detail {

constexpr int kMaxLanes = kMayHaveThreads ? kMaxThreads : 1;

// In how many lanes heads are worked on at once, where all of them multiply so often; 1 where they
// add to the same gradients, or where memory for more is refused. Each lane but the first has
// memory of its own, which all attentions of the program share.
int lanes_with_memory(const AttentionCall& call, double multiplications);
AttentionScratch& other_lane(int lane);
inline int lanes_of(const AttentionCall& call, double multiplications) {
  if constexpr (!kMayHaveThreads) return 1;
  return lanes_with_memory(call, multiplications);
}
inline AttentionScratch& lane_scratch(int lane, AttentionScratch& first) {
  if constexpr (!kMayHaveThreads) return first;
  return lane == 0 ? first : other_lane(lane);
}

}  // namespace wf::detail
