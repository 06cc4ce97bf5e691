#include "attention/thread_lanes.h"

namespace wf::detail {

AttentionScratch& other_lane(int lane) {
  static AttentionScratch lanes[kMaxThreads - 1];
  return lanes[lane - 1];
}

int lanes_with_memory(const AttentionCall& call, double multiplications) {
  for (const LayerScheme& item : call.schemes)
    if (item.gradients && item.scheme->parameters().size() > 0) return 1;
  const int lanes = lanes_for(multiplications);
  for (int lane = 1; lane < lanes; ++lane) {
    AttentionScratch& scratch = other_lane(lane);
    if (scratch.tiles.data()) continue;
    auto made = AttentionScratch::make();
    if (!made.ok()) return 1;
    scratch = made.take();
  }
  return lanes;
}

}  // namespace wf::detail
