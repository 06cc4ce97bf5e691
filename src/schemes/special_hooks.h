// Hooks for a few schemes: tables computed once, limits of positions, accumulators for the output,
// facts about rotation. For the others see Scheme (scheme.h).
#pragma once

#include "schemes/description.h"
#include "schemes/layer_context.h"
#include "schemes/tile.h"
#include "status.h"

namespace wf {

struct MatmulScratch;

// The tokens of a call that have features.
enum class FeatureSide : bool { kQueries, kKeys };

class SpecialHooks {
 public:
  SpecialHooks();
  virtual ~SpecialHooks() = default;
  SpecialHooks(const SpecialHooks&) = delete;
  SpecialHooks& operator=(const SpecialHooks&) = delete;

  // Unique for every object, so that a table computed for one object is never used for another.
  std::uint64_t serial() const { return serial_; }

  // The description of this object where it differs from that of the registry by its options (its
  // terms, its claims); null if it does not. Lives as long as the object.
  virtual const SchemeDescription* configured_description() const { return nullptr; }

  // ---- Limits

  // Whether the scheme is defined at these positions (a table has a last row). Called before
  // add_to_embeddings, which may rely on it. Errors: kInvalidArgument, which names the allowed
  // range.
  virtual Status check_positions(const Positions&) const { return {}; }
  // Whether the scheme is defined between these queries and keys (a window has a limit). Called
  // before the other hooks of a layer. Errors: kInvalidArgument, as above.
  virtual Status check_distances(const LayerContext&) const { return {}; }
  // Whether a logit may be no number for a reason that its user must know, as with formulas.
  virtual bool may_fail() const { return false; }
  // That reason, for query `row` and key `column`, whose scale · q·k is `content`; no error if it
  // is not this scheme's. Errors: kInvalidArgument.
  virtual Status explain(const LayerContext&, int /*head*/, int /*row*/, int /*column*/,
                         float /*content*/) const {
    return {};
  }
  // The keys that a query does not see.
  virtual Reach reach() const { return {}; }
  // After an optimiser step: clamps parameters to their range.
  virtual void constrain(float* const* /*values*/) const {}

  // ---- Tables, in the order in which they are computed

  // The table that transform_projections reads, for example cosines and sines: its size in floats,
  // and its values. May depend only on the `count` positions, on the sequence length (the largest
  // position of the call's queries and keys + 1), and on `trained`, the first parameter, if it has
  // trains_position_table. Computed once for all heads, and for all layers while these stay the
  // same.
  virtual std::size_t position_table_floats(int /*count*/) const { return 0; }
  virtual bool trains_position_table() const { return false; }
  virtual void fill_position_table(const Positions&, int /*sequence_length*/,
                                   const float* /*trained*/, float* /*table*/) const {}

  // Whether hooks of a layer read its projections; such a scheme works in a model only.
  virtual bool needs_projections() const { return false; }

  // The table of a layer, shared by its heads (for example positions times projections), computed
  // from parameters and the range of positions: size in floats, values, and gradients. For texts it
  // depends only on `distances`, not on single positions, unless these have rows by pair.
  virtual std::size_t layer_table_floats(const LayerContext&) const { return 0; }
  // Whether the table can be computed for only the heads named in the context, as that of all heads
  // may be large.
  virtual bool tables_by_head() const { return false; }
  virtual void prepare_layer(const LayerContext&, float* /*table*/, MatmulScratch&) const {}
  virtual void prepare_layer_backward(const LayerContext&, MatmulScratch&) const {}

  // ---- Features: numbers of each token, computed from the input of the layer

  // F, the number of features of a token; and whose features the hooks of logits read. A KV cache
  // keeps those of keys. Such a scheme works in a model only.
  virtual int feature_count() const { return 0; }
  virtual FeatureSide feature_side() const { return FeatureSide::kKeys; }
  // Writes features [T,F] of the tokens whose queries, keys and values are projected from `states`
  // [T,E].
  virtual void compute_features(const LayerContext&, ConstMatrix /*states*/, Matrix /*features*/,
                                MatmulScratch&) const {}
  // Adds to d_states [T,E] and to the gradients of parameters; may overwrite d_features.
  virtual void compute_features_backward(const LayerContext&, ConstMatrix /*states*/,
                                         Matrix /*d_states*/, MatmulScratch&) const {}
  // The share of what comes before a key that passes it, of schemes that forget.
  virtual float gate(const LayerContext&, int /*head*/, int /*key*/) const { return 1; }

  // ---- The tiles of bias_logits, and what is added to the output

  virtual Traversal traversal() const { return {}; }

  // An accumulator of R floats for each row, which contributes to the output. The core rescales it
  // with the running softmax, like the sum of values.
  virtual int accumulator_width() const { return 0; }
  // Adds to accumulator [rows, R] the contribution of a tile's weights (in `logits`, not
  // normalised).
  virtual void accumulate(const LayerContext&, const LogitTile& /*weights*/,
                          float* /*accumulator*/) const {}
  // Adds to rows of a head's output [rows, Dv], from the accumulator [rows, R]; neither is
  // normalised yet. `block` is a tile without columns, with its scratch memory.
  virtual void adjust_output(const LayerContext&, const LogitTile& /*block*/,
                             const float* /*accumulator*/, Matrix /*output*/) const {}
  // Adds to d_weights [rows, stride] the gradients of a tile's normalised weights (in `logits`)
  // that follow from the output's gradient [rows, Dv]; called before the gradients of the logits
  // are computed.
  virtual void adjust_output_backward(const LayerContext&, const LogitTile& /*weights*/,
                                      ConstMatrix /*d_output*/, float* /*d_weights*/) const {}

  // ---- Facts about transforms

  // Channels of a query and a key after the transform, D or more: rows have room for as many, with
  // the raw channels first. Such a scheme works beside no other transform.
  virtual int transformed_channels(int head_dim) const { return head_dim; }
  // Those of them, the first, over which q·k sums; bias_logits alone reads the others, which are
  // behind the columns of its rows.
  virtual int scored_channels(int head_dim) const { return transformed_channels(head_dim); }
  // Number of the first channels of values and outputs that transform_projections changes; at 0 it
  // is called with queries and keys only.
  virtual int transformed_value_channels() const { return 0; }

  // Whether keys (and values, if they are transformed) must be cached raw and transformed again at
  // each step, because the transform depends on the length.
  virtual bool caches_raw_keys() const { return false; }
  // Number of the last channels of queries and keys that hold only positions (a slice beside the
  // content): the recorder assigns their product to transform_term, not to the content.
  virtual int position_channels() const { return 0; }
  // The factor of a query, of schemes whose transform is that alone (scales_queries).
  virtual float query_factor(const LayerContext&, int /*head*/, int /*position*/) const {
    return 1;
  }
  // Pairs of channels that rotate together, as channel indices (a0,b0,a1,b1,…); the recorder splits
  // q·k by pair. Returns the number of pairs; `pairs` has room for D indices.
  virtual int channel_pairs(std::int32_t* /*pairs*/) const { return 0; }
  // Radians by which each pair rotates for a step of one position, and the factor on cosine and
  // sine, for this sequence length. Returns the number of frequencies; `frequencies` has room for
  // D.
  virtual int frequencies(int /*sequence_length*/, double* /*frequencies*/,
                          double* /*attention_factor*/) const {
    return 0;
  }

 private:
  std::uint64_t serial_;
};

}  // namespace wf
