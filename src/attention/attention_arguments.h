// Arguments of an attention call, and the results of the forward pass that the backward pass needs.
#pragma once

#include "attention/mask.h"
#include "attention/prepared_layer.h"
#include "schemes/shape.h"
#include "tensor/buffer.h"
#include "tensor/view.h"

namespace wf {

struct AttentionConfig {
#define WF_FIELD WF_FIELD_MEMBER
#include "schemes/shape_fields.def"
#define WF_FIELD WF_FIELD_MEMBER
#include "attention/attention_fields.def"
#define WF_FIELD WF_FIELD_MEMBER
#include "attention/window_fields.def"

  static std::span<const Field> fields();
  // Errors: kInvalidArgument for a field out of range, and if numKvHeads does not divide numHeads.
  Status check() const;

  int value_channels() const { return value_dim ? value_dim : head_dim; }
};

// Numbers that multiply the channels [D] of transformed queries and keys: a norm's weights, if the
// norm comes after a rotation (Hunyuan). Without: null.
template <class Float>
struct ChannelWeights {
  Float* query = nullptr;
  Float* key = nullptr;
};

struct AttentionInput {
  ConstHeads q;  // [H,T,D], raw
  ConstHeads k;  // [K,S,D], raw unless keys_are_transformed
  ConstHeads v;  // [K,S,Dv], likewise
  Positions query_positions;
  Positions key_positions;
  Mask mask;  // attention sets its is_causal, window and chunk
  // Logits of attention sinks: each takes weight but has no value (gpt-oss). Null: no sinks.
  const float* sinks = nullptr;  // [H]
  ChannelWeights<const float> channel_weights = {};
  bool keys_are_transformed = false;  // and values, in a KV cache that stores them so
  // [K,S,D] before the transform, for a recorder of terms if keys_are_transformed; or no data.
  ConstHeads raw_keys = {};
  // The inputs of the layer, from which q, and k and v, were projected: [T,E], [S,E]; for schemes
  // with features. Without columns outside a model.
  ConstMatrix states = {};
  ConstMatrix key_states = {};
  // [S,·] features of all keys, from a KV cache, in place of key_states; or no columns.
  ConstMatrix key_features = {};
  // [kMaxSchemes] layer tables that are kept between calls; null: computed for this call.
  PreparedLayer* prepared = nullptr;
};

// Results of the forward pass of one sequence in one layer that the backward pass needs. Grows at
// the first use and does not allocate afterwards.
struct AttentionSaved {
  Buffer<float> q;  // [H,T,·] transformed; unused if no scheme transforms
  Buffer<float> k;  // [K,S,·] transformed; unused if no scheme transforms
  Buffer<float> v;  // [K,S,Dv] transformed; unused if no scheme transforms values
  Buffer<float> raw_q;  // [H,T,D] not transformed, but weighted, if channels have weights
  Buffer<float> features;  // of each scheme in turn
  Buffer<float> log_sum_exp;  // [H,T]; -infinity for a row without a visible key
};

}  // namespace wf
