// Sharing an attention call among threads: each thread works in a lane, which owns scratch memory.
// Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/scratch.h"
#include "executor.h"

namespace wf::detail {

constexpr int kMaxLanes = kMayHaveThreads ? kMaxThreads : 1;

// Number of lanes in which heads run in parallel, for a call of `multiplications`; 1 if the heads
// add to the same gradients, or if memory for more is refused. Every lane but the first owns
// scratch memory, which all attentions of the program share.
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
