#include "attention/scratch.h"

#include "attention/running_softmax.h"
#include "attention/tile_sizes.h"

namespace wf {

Result<AttentionScratch> AttentionScratch::make() {
  using namespace detail;
  AttentionScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.matmul, MatmulScratch::make());
  // Logits, weights, their gradients, content, mask; and a row for the softcap's gradient.
  WF_RETURN_IF_ERROR(scratch.tiles.reserve(5 * kTileFloats + kBlockColumns));
  WF_RETURN_IF_ERROR(scratch.running.reserve(RunningSoftmax::kFloats));
  return scratch;
}

}  // namespace wf
