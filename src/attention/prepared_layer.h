// What prepare_layer computed for one scheme, kept by a KV cache from step to step: a text that
// grows by a token brings one new distance, and the rest of the table stays.
#pragma once

#include "attention/layer_schemes.h"
#include "tensor/buffer.h"

namespace wf {

class PreparedLayer {
 public:
  // Whether tables of this call may be kept: a step of few tokens in a text.
  static bool keeps(const LayerContext& context) {
    return context.key_positions.axes == 1 && !context.distances.by_pair() &&
           context.query_positions.count <= 1 + context.key_positions.count / 8;
  }

  // Gives `context` a table that holds for its distances, and their rows. Computes it anew where
  // the scheme, one of its own parameters, or the range of distances is another; a change of the
  // layer's projections needs `forget`. Errors: kOutOfMemory.
  Status refresh(const LayerScheme& item, LayerContext& context, MatmulScratch& scratch);
  void forget() { serial_ = 0; }

 private:
  // Also renews its copy of the parameters.
  Status compare(const LayerScheme& item, bool& same);

  std::uint64_t serial_ = 0;
  RelativeRange distances_;
  Buffer<float> values_;  // the parameters that the table was made of
  Buffer<float> table_;
};

}  // namespace wf
