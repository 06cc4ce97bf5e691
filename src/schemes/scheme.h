// The hooks of a positional-encoding scheme. Each does nothing unless overridden.
//
// Hooks work on tiles, never on single scores, and keep no state between calls: everything that
// changes between calls is in the context, so one scheme can serve several sequences and threads at
// once. Positions are not indices: masks use the index of a token in its sequence; schemes use
// positions.
#pragma once

#include "schemes/description.h"
#include "schemes/layer_context.h"
#include "schemes/special_hooks.h"
#include "schemes/tile.h"
#include "tensor/parameter.h"

namespace wf {

class Scheme : public SpecialHooks {
 public:
  // The trainable parameters. The owner allocates, initialises and updates them.
  virtual std::span<const ParameterSpec> parameters() const { return {}; }

  // Hooks (entry.h) that are no-ops with these options; they are skipped.
  virtual std::uint32_t idle_hooks() const { return 0; }

  // Adds to the token vectors x [T,E], once before the first layer; may scale them first.
  virtual void add_to_embeddings(const LayerContext&, Matrix /*x*/) const {}
  // Adds the gradients of its parameters, and converts d_x from the gradient of the output x to
  // that of the input x, in place.
  virtual void add_to_embeddings_backward(const LayerContext&, Matrix /*d_x*/) const {}

  // Changes one head of q or k in place, [T,D], before caching and scoring; and of v and of the
  // output, [T,Dv], if it has transformed_value_channels.
  virtual void transform_projections(const LayerContext&, Projection, int /*head*/,
                                     const RowPositions&, Matrix /*x*/) const {}
  // Converts the gradient of the transformed rows to that of the raw rows, in place.
  virtual void transform_projections_backward(const LayerContext&, Projection, int /*head*/,
                                              const RowPositions&, ConstMatrix /*raw*/,
                                              Matrix /*d_x*/) const {}

  // Replaces 1/√D; 0 keeps it.
  virtual float logit_scale() const { return 0; }

  // A bias that depends on distance alone: strip[r - low] for the relative positions
  // r = key position - query position, low <= r < high.
  virtual void distance_strip(const LayerContext&, int /*head*/, int /*low*/, int /*high*/,
                              float* /*strip*/) const {}
  virtual void distance_strip_backward(const LayerContext&, int /*head*/, int /*low*/, int /*high*/,
                                       const float* /*d_strip*/) const {}

  // Adds any other bias: its named terms, for a tile of logits.
  virtual void bias_logits(const LayerContext&, const LogitTile&) const {}
  virtual void bias_logits_backward(const LayerContext&, const LogitTile&,
                                    const LogitTileGradient&) const {}

  // For T queries and S keys without a mask, as implemented.
  virtual ExtraFlops extra_flops(const SchemeShape&, double /*queries*/, double /*keys*/) const {
    return {};
  }
};

}  // namespace wf
