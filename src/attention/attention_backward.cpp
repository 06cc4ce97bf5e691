#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention/attention.h"
#include "attention/features.h"
#include "attention/key_tiles.h"
#include "attention/layer_tables.h"
#include "attention/running_softmax.h"
#include "attention/thread_lanes.h"
#include "attention/tile_logits.h"
#include "attention/transform_projections.h"
#include "kernels/dot.h"
#include "kernels/softcap.h"
#include "tensor/extent.h"

namespace wf {
namespace {

using namespace detail;

// On entry d_logits holds the gradients of the weights.
void softmax_backward(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                      const float* weights, float* d_logits) {
  for (int i = 0; i < tile.rows; ++i) {
    const float delta = scratch.delta[tile.row0 + i];
    const float* w = weights + i * tile.stride;
    float* d = d_logits + i * tile.stride;
    for (int j = 0; j < tile.columns; ++j) d[j] = w[j] * (d[j] - delta);
    if (call.config.softcap > 0) {
      float* capped = scratch.tiles.data() + 5 * kTileFloats;
      std::memcpy(capped, tile.logits + i * tile.stride, sizeof(float) * tile.columns);
      softcap_row(capped, tile.columns, call.config.softcap);
      softcap_row_backward(capped, tile.columns, call.config.softcap, d);
    }
  }
}

// Adds the gradients of q, k and the schemes' parameters from those of the logits.
void logits_backward(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                     float* d_logits, float* carry_start, float* d_carry) {
  const int width = call.q.columns;
  const Matrix d_q = {scratch.d_q.data() + std::ptrdiff_t{tile.row0} * width, tile.rows,
                      call.scored, width};
  const Matrix d_k = {scratch.d_k.data() + std::ptrdiff_t{tile.column0} * width, tile.columns,
                      call.scored, width};
  scratch.distance.add_backward(tile, d_logits);
  if (call.schemes.any(kHookBias)) {
    LogitTile given = with_content(call, scratch, tile);
    TileWork work;
    attach_work(call, scratch, work);
    given.work = &work;
    // Reuses the memory of the logits, which are no longer needed.
    float* d_content = given.content ? tile.logits : nullptr;
    if (d_content) std::fill_n(d_content, kTileFloats, 0.0f);
    for (int i = call.schemes.count - 1; i >= 0; --i)
      if (call.schemes.items[i].has(kHookBias))
        call.schemes.items[i].scheme->bias_logits_backward(
            call.contexts[i], with_carry(call, given, i, carry_start),
            {d_logits, d_content, d_q, d_k, with_carry(call, tile, i, d_carry).carry});
    for (int i = 0; d_content && i < tile.rows; ++i)
      add_to(d_content + i * tile.stride, tile.columns, d_logits + i * tile.stride);
  }
  scratch.operands.add_query_key_gradients(tile, call.scale, d_logits, d_q, d_k);
}

// Adds the gradients of one tile, with recomputed weights. `carry_start` is the schemes' carry
// before this tile; the carry of their gradients follows the logits' in scratch.carry.
void backward_tile(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                   const float* log_sum_exp, ConstMatrix d_output, Matrix d_values,
                   float* carry_start) {
  float* weights = scratch.tiles.data() + kTileFloats;
  float* d_logits = scratch.tiles.data() + 2 * kTileFloats;
  const std::size_t carried = std::size_t{kBlockRows} * carry_floats(call.schemes);
  float* carry = scratch.carry.data();
  std::copy_n(carry_start, carried, carry);
  float* offsets = scratch.running.data();
  float* sums = offsets + kBlockRows;
  std::fill_n(offsets, tile.rows, 0.0f);
  TileWork work = {.offsets = call.config.softcap == 0 ? offsets : nullptr, .sums = sums};
  compute_logits(call, scratch, tile, work, carry);
  LogitTile weighted = tile;
  attach_work(call, scratch, work);
  weighted.work = &work;
  weighted.logits = weights;
  std::memcpy(weights, tile.logits, sizeof(float) * kTileFloats);
  cap_and_mask(call, weighted);
  for (int i = 0; i < tile.rows; ++i)
    sums[i] = recompute_weights(weights + i * tile.stride, tile.columns, log_sum_exp[tile.row0 + i],
                                offsets[i]);
  scratch.operands.add_value_gradients(
      weighted, {d_values.row(tile.column0), tile.columns, d_values.columns, d_values.stride});
  scratch.operands.weight_gradients(weighted, d_logits);
  const ConstMatrix d_rows = {d_output.row(tile.row0), tile.rows, d_output.columns,
                              d_output.stride};
  for (int i = 0; i < call.schemes.count; ++i)
    if (call.schemes.items[i].has(kHookOutput))
      call.schemes.items[i].scheme->adjust_output_backward(call.contexts[i], weighted, d_rows,
                                                           d_logits);
  softmax_backward(call, scratch, tile, weights, d_logits);
  logits_backward(call, scratch, tile, d_logits, carry_start, carry + carried);
}

void add_rows(ConstMatrix source, Matrix target) {
  for (int t = 0; t < target.rows; ++t) add_to(source.row(t), target.columns, target.row(t));
}

// d loss / d sink = -Σ weight of the sink · dO·O.
float sink_gradient(float sink, int queries, const float* delta, const float* log_sum_exp) {
  float sum = 0;
  for (int t = 0; t < queries; ++t) sum -= std::exp(sink - log_sum_exp[t]) * delta[t];
  return sum;
}

// Computes the carry before each tile of a query block by visiting the tiles in the forward order.
void find_carry_starts(const AttentionCall& call, AttentionScratch& scratch, int head, int row0,
                       int rows, const KeyTiles& tiles) {
  const std::size_t carried = std::size_t{kBlockRows} * carry_floats(call.schemes);
  if (carried == 0) return;
  float* carry = scratch.carry.data();
  std::fill_n(carry, 2 * carried, 0.0f);  // the gradients' carry starts at zero too
  for (int t = 0; t < tiles.count; ++t) {
    std::copy_n(carry, carried, scratch.carry_starts.data() + t * carried);
    TileWork work;
    compute_logits(
        call, scratch,
        call.tile(head, row0, rows, tiles.column0(t), tiles.columns(t), scratch.tiles.data()), work,
        carry);
  }
}

// Fills scratch.delta, and returns the gradient of a head's output before its transform, for which
// the product with the output is the same.
ConstMatrix output_backward(const AttentionCall& call, const PositionTable* query_tables,
                            AttentionScratch& scratch, int head, ConstMatrix output,
                            ConstMatrix d_output) {
  const int queries = output.rows, width = output.columns;
  for (int t = 0; t < queries; ++t) scratch.delta[t] = dot(output.row(t), d_output.row(t), width);
  if (!call.schemes.transforms_values()) return d_output;
  const Matrix before = {scratch.d_output.data(), queries, width, width};
  for (int t = 0; t < queries; ++t) std::copy_n(d_output.row(t), width, before.row(t));
  transform_head_backward(call, Projection::kOutput, head, call.input.query_positions, query_tables,
                          {}, output, before);
  return before;
}

Status backward_head(const AttentionCall& call, AttentionScratch& scratch, int head,
                     const float* log_sum_exp, ConstMatrix d_output, Matrix d_values) {
  const int queries = call.q.rows;
  scratch.distance.begin_head(head);
  const bool is_first = head % call.group == 0;
  WF_RETURN_IF_ERROR(scratch.operands.begin_head(call.scored_part(call.k.head(head / call.group)),
                                                 call.v.head(head / call.group), is_first));
  const ConstMatrix q = call.scored_part(call.q.head(head));
  WF_RETURN_IF_ERROR(scratch.operands.begin_head_backward(q, d_output, is_first));
  for (int row0 = 0; row0 < queries; row0 += kBlockRows) {
    const int rows = std::min(kBlockRows, queries - row0);
    const KeyTiles tiles(call, row0, rows);
    const auto block = [&](ConstMatrix x) {
      return ConstMatrix{x.row(row0), rows, x.columns, x.stride};
    };
    WF_RETURN_IF_ERROR(begin_block(scratch, block(q)));
    WF_RETURN_IF_ERROR(scratch.operands.begin_block_backward(block(d_output)));
    find_carry_starts(call, scratch, head, row0, rows, tiles);
    const std::size_t carried = std::size_t{kBlockRows} * carry_floats(call.schemes);
    // In reverse order, so that the gradient of the carry propagates back.
    for (int t = tiles.count - 1; t >= 0; --t)
      backward_tile(
          call, scratch,
          call.tile(head, row0, rows, tiles.column0(t), tiles.columns(t), scratch.tiles.data()),
          log_sum_exp, d_output, d_values, scratch.carry_starts.data() + t * carried);
  }
  scratch.distance.end_head_backward(head);
  return {};
}

// Allocates the memory of one lane.
Status begin_backward(const AttentionCall& call, AttentionScratch& scratch, int width) {
  const int queries = call.q.rows, keys = call.k.rows;
  WF_RETURN_IF_ERROR(scratch.delta.reserve(queries));
  WF_RETURN_IF_ERROR(scratch.d_q.reserve(elements_of(queries, width)));
  WF_RETURN_IF_ERROR(scratch.d_k.reserve(elements_of(keys, width)));
  if (call.schemes.transforms_values()) {
    WF_RETURN_IF_ERROR(scratch.d_v.reserve(elements_of(keys, call.v.columns)));
    WF_RETURN_IF_ERROR(scratch.d_output.reserve(elements_of(queries, call.v.columns)));
  }
  WF_RETURN_IF_ERROR(scratch.carry_starts.reserve(
      elements_of(kBlockRows, carry_floats(call.schemes), keys / kBlockColumns + 1)));
  WF_RETURN_IF_ERROR(reserve_for_tiles(call.schemes, scratch));
  WF_RETURN_IF_ERROR(scratch.distance.prepare(call.schemes, call.contexts, true));
  scratch.operands.begin_call(true);
  return {};
}

bool trains_position_tables(const LayerSchemes& schemes) {
  for (const LayerScheme& item : schemes)
    if (item.has(kHookTransform) && item.scheme->trains_position_table()) return true;
  return false;
}

}  // namespace

Status attention_backward(const AttentionConfig& config, const LayerSchemes& given,
                          const AttentionInput& input, ConstHeads output, ConstHeads d_output,
                          const AttentionSaved& saved, AttentionScratch& scratch, Heads d_q,
                          Heads d_k, Heads d_v, float* d_sinks, Matrix d_states,
                          Matrix d_key_states, ChannelWeights<float> d_channel_weights) {
  WF_ASSIGN_OR_RETURN(const LayerSchemes schemes, acting(config, given));
  WF_RETURN_IF_ERROR(check_input(config, schemes, input));
  AttentionCall call(config, schemes, input);
  const int queries = input.q.rows, keys = input.k.rows;
  const int width = schemes.transformed_channels(config.head_dim);
  WF_RETURN_IF_ERROR(restore_projections(call, saved, scratch));
  WF_RETURN_IF_ERROR(restore_features(call, saved, scratch));
  WF_RETURN_IF_ERROR(prepare_layer_gradients(call, scratch));
  // Multiplications: two products in the forward pass, one recomputed, and five for gradients.
  const bool weighs = input.channel_weights.query;
  const int lanes = schemes.any(kHookPrepare) || trains_position_tables(schemes) || weighs
                        ? 1  // all heads add to the gradients of the tables or weights
                        : lanes_of(call, 7.0 * config.num_heads * queries * keys * width);
  Status statuses[kMaxLanes];
  for (int lane = 0; lane < lanes; ++lane)
    WF_RETURN_IF_ERROR(begin_backward(call, lane_scratch(lane, scratch), width));

  share_out(lanes, config.num_kv_heads, [&](int lane, int kv) {
    if (!statuses[lane].ok()) return;
    AttentionScratch& local = lane_scratch(lane, scratch);
    const Matrix d_queries = {local.d_q.data(), queries, width, width};
    const Matrix d_keys = {local.d_k.data(), keys, width, width};
    std::fill_n(local.d_k.data(), std::size_t(keys) * width, 0.0f);
    Matrix d_values = d_v.head(kv);
    if (schemes.transforms_values()) {
      d_values = {local.d_v.data(), keys, d_v.columns, d_v.columns};
      std::fill_n(local.d_v.data(), std::size_t(keys) * d_v.columns, 0.0f);
    }
    for (int head = kv * call.group; head < (kv + 1) * call.group; ++head) {
      std::fill_n(local.d_q.data(), std::size_t(queries) * width, 0.0f);
      const float* log_sum_exp = saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries;
      const ConstMatrix d_rows = output_backward(call, scratch.query_tables, local, head,
                                                 output.head(head), d_output.head(head));
      statuses[lane] = backward_head(call, local, head, log_sum_exp, d_rows, d_values);
      if (!statuses[lane].ok()) return;
      if (d_sinks && input.sinks)
        d_sinks[head] += sink_gradient(input.sinks[head], queries, local.delta.data(), log_sum_exp);
      if (weighs)
        statuses[lane] = weights_backward(call, head, scratch.query_tables, local.unweighted,
                                          d_queries, d_channel_weights);
      if (!statuses[lane].ok()) return;
      transform_head_backward(
          call, Projection::kQuery, head, input.query_positions, scratch.query_tables,
          input.q.head(head),
          weighs ? ConstMatrix{local.unweighted.data(), queries, width, width} : call.q.head(head),
          d_queries);
      add_rows(d_queries, d_q.head(head));
    }
    transform_head_backward(call, Projection::kKey, kv, input.key_positions, scratch.key_tables,
                            input.k.head(kv), call.k.head(kv), d_keys);
    add_rows(d_keys, d_k.head(kv));
    if (!schemes.transforms_values()) return;
    transform_head_backward(call, Projection::kValue, kv, input.key_positions, scratch.key_tables,
                            input.v.head(kv), call.v.head(kv), d_values);
    add_rows(d_values, d_v.head(kv));
  });
  for (int lane = 0; lane < lanes; ++lane) WF_RETURN_IF_ERROR(statuses[lane]);
  prepare_layer_backward(call, scratch);
  features_backward(call, scratch.matmul, d_states, d_key_states);
  return {};
}

}  // namespace wf
