// The layer table of one scheme (prepare_layer), kept by a KV cache between steps: a new token adds
// one distance, and the rest of the table does not change.
#pragma once

#include "attention/layer_schemes.h"
#include "tensor/buffer.h"

namespace wf {

class PreparedLayer {
 public:
  // Whether the table of this call may be kept: in a step of few tokens in a text.
  static bool keeps(const LayerContext& context) {
    return context.key_positions.axes == 1 && !context.distances.by_pair() &&
           context.query_positions.count <= 1 + context.key_positions.count / 8;
  }

  // Sets the table of `context`, and the rows of its distances. Recomputes the table if the scheme,
  // one of its parameters, or the range of distances changed; after a change of the layer's
  // projections call `forget`. Errors: kOutOfMemory.
  Status refresh(const LayerScheme& item, LayerContext& context, MatmulScratch& scratch);
  void forget() { serial_ = 0; }

 private:
  // Also updates its copy of the parameters.
  Status compare(const LayerScheme& item, bool& same);

  std::uint64_t serial_ = 0;
  RelativeRange distances_;
  Buffer<float> values_;  // the parameters from which the table was computed
  Buffer<float> table_;
};

}  // namespace wf
