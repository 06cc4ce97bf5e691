#include "attention/attention_call.h"

#include <algorithm>
#include <cmath>

#include "attention/position_table.h"
#include "attention/tile_sizes.h"

namespace wf::detail {
namespace {

// In order of precedence: the caller's scale, the scheme's, 1/√D.
float logit_scale(const AttentionConfig& config, const LayerSchemes& schemes) {
  if (config.scale != 0) return config.scale;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookScale) && item.scheme->logit_scale() != 0) return item.scheme->logit_scale();
  return 1.0f / std::sqrt(static_cast<float>(config.head_dim));
}

}  // namespace

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns) {
  if (x.heads == heads && x.rows == rows && x.columns == columns) return {};
  return WF_UNEXPECTED("%s", "shape [%d,%d,%d]", "[%d,%d,%d]", name, x.heads, x.rows, x.columns,
                       heads, rows, columns);
}

Status check_states(const LayerSchemes& schemes, const AttentionInput& input) {
  for (const LayerScheme& item : schemes)
    if (item.has(kHookFeatures) && !states_of(input, item).columns &&
        !(is_of_keys(item) && input.key_features.columns))
      return Status::error(Code::kUnsupported,
                           "scheme: %s reads the input of a layer, so it works in a model only",
                           item.description->id);
  return {};
}

Status check_input(const AttentionConfig& config, const LayerSchemes& schemes,
                   const AttentionInput& input) {
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(check_heads("q", input.q, config.num_heads, queries, config.head_dim));
  const int channels =
      input.keys_are_transformed ? schemes.transformed_channels(config.head_dim) : config.head_dim;
  WF_RETURN_IF_ERROR(check_heads("k", input.k, config.num_kv_heads, keys, channels));
  WF_RETURN_IF_ERROR(check_heads("v", input.v, config.num_kv_heads, keys, config.value_channels()));
  if (input.query_positions.count != queries)
    return WF_UNEXPECTED("positions", "%d positions", "one for each of %d queries",
                         input.query_positions.count, queries);
  if (input.key_positions.count != keys)
    return WF_UNEXPECTED("keyPositions", "%d positions", "one for each of %d keys",
                         input.key_positions.count, keys);
  WF_RETURN_IF_ERROR(schemes.check_projections());
  WF_RETURN_IF_ERROR(schemes.check_transforms(config.head_dim, config.value_channels()));
  WF_RETURN_IF_ERROR(check_states(schemes, input));
  WF_RETURN_IF_ERROR(schemes.check_axes("positions", input.query_positions));
  return schemes.check_axes("keyPositions", input.key_positions);
}

Result<LayerSchemes> acting(const AttentionConfig& config, const LayerSchemes& schemes) {
  LayerSchemes list = schemes;
  if (!config.is_cross) return list;
  for (int i = 0; i < list.count; ++i) {
    const SchemeDescription& description = *list.items[i].description;
    if (description.cross_attention == CrossAttention::kRefused)
      return Status::error(Code::kUnsupported, "isCross: %s is not defined between two sequences",
                           description.id);
    if (description.cross_attention == CrossAttention::kNone) list.items[i].hooks &= kHookScale;
  }
  return list;
}

AttentionCall::AttentionCall(const AttentionConfig& config_in, const LayerSchemes& schemes_in,
                             const AttentionInput& input_in)
    : config(config_in),
      schemes(schemes_in),
      input(input_in),
      mask(input_in.mask),
      scale(logit_scale(config_in, schemes_in)),
      group(config_in.num_heads / config_in.num_kv_heads),
      length(std::max(sequence_length(input_in.query_positions),
                      sequence_length(input_in.key_positions))),
      scored(schemes_in.scored_channels(config_in.head_dim)),
      raw_q(input_in.q),
      q(input_in.q),
      k(input_in.k),
      v(input_in.v) {
  mask.is_causal = config.is_causal;
  mask.window = config.sliding_window;
  mask.chunk = config.chunk_size;
  for (const LayerScheme& item : schemes) {
    const Reach reach = item.hooks ? item.scheme->reach() : Reach();
    if (reach.window) mask.reach = reach;
  }
  const RelativeRange distances(input.query_positions, input.key_positions);
  for (int i = 0; i < schemes.count; ++i)
    contexts[i] = {.layer = schemes.layer,
                   .query_positions = input.query_positions,
                   .key_positions = input.key_positions,
                   .distances = distances,
                   .scale = scale,
                   .sequence_length = length,
                   .is_causal = config.is_causal,
                   .values = schemes.items[i].values,
                   .gradients = schemes.items[i].gradients,
                   .projections = schemes.items[i].projections};
  // A bias by distance usually decreases with distance: from the nearest key on the running maximum
  // seldom grows, and far keys may get no weight (forward_block).
  right_to_left = config.is_causal && schemes.any(kHookDistanceStrip) && !schemes.any(kHookBias);
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) right_to_left |= item.scheme->traversal().right_to_left;
}

HeadLogits AttentionCall::head_logits(int head) const {
  return {.schemes = schemes,
          .contexts = contexts,
          .mask = mask,
          .softcap = config.softcap,
          .scale = scale,
          .head = head,
          .kv_head = head / group,
          .raw_q = raw_q.head(head),
          .raw_k = (input.raw_keys.data ? input.raw_keys : input.k).head(head / group),
          .q = scored_part(q.head(head)),
          .k = scored_part(k.head(head / group)),
          .sink = input.sinks ? input.sinks + head : nullptr};
}

LogitTile AttentionCall::tile(int head, int row0, int rows, int column0, int columns,
                              float* logits) const {
  const ConstMatrix qh = scored_part(q.head(head)), kh = scored_part(k.head(head / group));
  return {.head = head,
          .kv_head = head / group,
          .row0 = row0,
          .rows = rows,
          .column0 = column0,
          .columns = columns,
          .logits = logits,
          .stride = kBlockColumns,
          .q = {qh.row(row0), rows, qh.columns, qh.stride},
          .k = {kh.row(column0), columns, kh.columns, kh.stride}};
}

}  // namespace wf::detail
