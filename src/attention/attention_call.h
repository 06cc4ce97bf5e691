// One attention call: the checked input and the contexts of the schemes. Private to this folder.
#pragma once

#include <algorithm>

#include "attention/attention_arguments.h"
#include "attention/layer_schemes.h"
#include "attention/logit_terms.h"

namespace wf::detail {

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns);
// Whether a scheme has features of keys; and the inputs of the layer from which it computes them.
inline bool is_of_keys(const LayerScheme& item) {
  return item.scheme->feature_side() == FeatureSide::kKeys;
}
inline const ConstMatrix& states_of(const AttentionInput& input, const LayerScheme& item) {
  return is_of_keys(item) ? input.key_states : input.states;
}
// Errors: kUnsupported if a scheme has features and the call has no inputs of the layer.
Status check_states(const LayerSchemes& schemes, const AttentionInput& input);

Status check_input(const AttentionConfig& config, const LayerSchemes& schemes,
                   const AttentionInput& input);

// The schemes, each with the hooks that apply in this attention. Errors: kUnsupported.
Result<LayerSchemes> acting(const AttentionConfig& config, const LayerSchemes& schemes);

// The contexts of the schemes and the transformed projections.
struct AttentionCall {
  const AttentionConfig& config;
  const LayerSchemes& schemes;
  const AttentionInput& input;
  LayerContext contexts[kMaxSchemes];
  Mask mask;
  float scale;
  int group;  // query heads that share a key head
  int length;  // of the sequence: the largest position + 1
  int scored;  // channels of a transformed query and key over which q·k sums
  bool right_to_left = false;
  ConstHeads raw_q;  // not transformed, but weighted
  ConstHeads q, k, v;

  AttentionCall(const AttentionConfig& config, const LayerSchemes& schemes,
                const AttentionInput& input);

  // The channels of rows over which q·k sums.
  template <class View>
  View scored_part(View rows) const {
    rows.columns = std::min(rows.columns, scored);
    return rows;
  }
  HeadLogits head_logits(int head) const;
  LogitTile tile(int head, int row0, int rows, int column0, int columns, float* logits) const;
};

}  // namespace wf::detail
