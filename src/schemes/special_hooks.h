// Hooks that few schemes need: tables that are computed once, limits of positions, accumulators for
// the output, facts about rotation. Scheme (scheme.h) has the others.
#pragma once

#include "schemes/layer_context.h"
#include "schemes/tile.h"
#include "status.h"

namespace wf {

struct MatmulScratch;

class SpecialHooks {
 public:
  SpecialHooks();
  virtual ~SpecialHooks() = default;
  SpecialHooks(const SpecialHooks&) = delete;
  SpecialHooks& operator=(const SpecialHooks&) = delete;

  // Distinct for every object ever made, so that a table computed for one is never taken for
  // another's.
  std::uint64_t serial() const { return serial_; }

  // ---- Limits

  // Whether the scheme is defined at these positions; a table has an end. Called before
  // add_to_embeddings, which may then rely on it. Errors: kInvalidArgument, which names the allowed
  // range.
  virtual Status check_positions(const Positions&) const { return {}; }
  // Whether the scheme is defined between these queries and keys; a window has an end. Called
  // before the other hooks of a layer. Errors: kInvalidArgument, as above.
  virtual Status check_distances(const LayerContext&) const { return {}; }
  // After an optimiser step: brings parameters back into their range.
  virtual void constrain(float* const* /*values*/) const {}

  // ---- Tables, in the order in which they are made

  // What transform_projections needs of `count` positions and of the length of the sequence (one
  // more than the largest position of the call's queries and keys), and of nothing else (cosines
  // and sines, say): its size in floats, and its values. Computed once for every head and layer.
  virtual std::size_t position_table_floats(int /*count*/) const { return 0; }
  virtual void fill_position_table(const Positions&, int /*sequence_length*/,
                                   float* /*table*/) const {}

  // True where hooks of a layer read its projections: such a scheme works in a model only.
  virtual bool needs_projections() const { return false; }

  // Computes what a layer needs once for all its heads (positions times projections, say) from its
  // parameters and the range of its positions: size in floats, values, and gradients. In a text it
  // depends on `distances` alone, not on single positions, unless these have rows by pair.
  virtual std::size_t layer_table_floats(const LayerContext&) const { return 0; }
  // True where the table of all heads may be long, and one of only those that the context names
  // will do: heads then take turns.
  virtual bool tables_by_head() const { return false; }
  virtual void prepare_layer(const LayerContext&, float* /*table*/, MatmulScratch&) const {}
  virtual void prepare_layer_backward(const LayerContext&, MatmulScratch&) const {}

  // ---- The tiles of bias_logits, and what is added to the output

  virtual Traversal traversal() const { return {}; }

  // Adds to the weighted sum of values through an accumulator of R floats a row, which the core
  // rescales with the running softmax as it does the sum itself.
  virtual int accumulator_width() const { return 0; }
  // accumulator [rows, R] += what the weights of a tile (in `logits`, not yet normalised) say.
  virtual void accumulate(const LayerContext&, const LogitTile& /*weights*/,
                          float* /*accumulator*/) const {}
  // Adds to rows of a head's output [rows, Dv], from the accumulator [rows, R]; neither is
  // normalised yet. The block is a tile without columns, with its working memory.
  virtual void adjust_output(const LayerContext&, const LogitTile& /*block*/,
                             const float* /*accumulator*/, Matrix /*output*/) const {}
  // Adds to d_weights [rows, stride] what the output's gradient [rows, Dv] says about the
  // normalised weights of a tile (in `logits`), before the gradients of logits are formed.
  virtual void adjust_output_backward(const LayerContext&, const LogitTile& /*weights*/,
                                      ConstMatrix /*d_output*/, float* /*d_weights*/) const {}

  // ---- Facts about rotation

  // True where keys must be cached as they are and transformed anew at each step, because the
  // transform changes with the length.
  virtual bool caches_raw_keys() const { return false; }
  // The last channels of queries and keys where these hold position alone (a slice beside the
  // content): the recorder counts their whole product to transform_term, and none to the content.
  virtual int position_channels() const { return 0; }
  // Pairs of channels that turn together, as channel indices (a0,b0,a1,b1,…); the recorder splits
  // q·k over them. Returns the number of pairs; `pairs` has room for D indices.
  virtual int channel_pairs(std::int32_t* /*pairs*/) const { return 0; }
  // Radians a unit of position turns each pair by, and the factor on cosine and sine, for sequences
  // of this length. Returns the number of frequencies; `frequencies` has room for D/2.
  virtual int frequencies(int /*sequence_length*/, double* /*frequencies*/,
                          double* /*attention_factor*/) const {
    return 0;
  }

 private:
  std::uint64_t serial_;
};

}  // namespace wf
