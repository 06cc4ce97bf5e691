#include "attention/transform_projections.h"

#include <algorithm>
#include <cstring>

#include "tensor/extent.h"

namespace wf::detail {

Status refresh_tables(const AttentionCall& call, const Positions& positions,
                      PositionTable* tables) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].has(kHookTransform)) {
      WF_RETURN_IF_ERROR(schemes.items[i].scheme->check_positions(positions));
      WF_RETURN_IF_ERROR(tables[i].refresh(*schemes.items[i].scheme, positions, call.length,
                                           schemes.items[i].values));
    }
  return {};
}

namespace {

void transform_head(const AttentionCall& call, Projection projection, int head,
                    const Positions& positions, const PositionTable* tables, Matrix x) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  for (int i = 0; i < schemes.count; ++i)
    if (LayerSchemes::transforms(schemes.items[i], projection))
      schemes.items[i].scheme->transform_projections(call.contexts[i], projection, head,
                                                     tables[i].rows(positions), x);
}

// Multiplies the channels of queries by the weights of both sides: only products of queries and
// keys matter. The two halves of widened rows have the same weights.
void weigh_queries(const AttentionInput& input, Matrix x) {
  const auto [query, key] = input.channel_weights;
  const int d = input.q.columns;
  for (int t = 0; t < x.rows; ++t)
    for (int c = 0; c < x.columns; ++c) x.row(t)[c] *= query[c % d] * key[c % d];
}

ConstHeads queries_in(const Buffer<float>& buffer, const ConstHeads& q, int width) {
  return heads_outermost(buffer.data(), q.heads, q.rows, width);
}

Status weigh_raw_queries(AttentionCall& call, AttentionSaved& saved) {
  const ConstHeads& q = call.input.q;
  WF_RETURN_IF_ERROR(saved.raw_q.reserve(elements_of(q.heads, q.rows, q.columns)));
  const Heads weighed = heads_outermost(saved.raw_q.data(), q.heads, q.rows, q.columns);
  for (int h = 0; h < q.heads; ++h) {
    for (int t = 0; t < q.rows; ++t)
      std::copy_n(q.head(h).row(t), q.columns, weighed.head(h).row(t));
    weigh_queries(call.input, weighed.head(h));
  }
  call.q = call.raw_q = weighed;
  return {};
}

// Copies heads to `buffer`, in rows of `width`, transforms them there and returns a view.
Result<ConstHeads> transformed(const AttentionCall& call, Projection projection,
                               const ConstHeads& raw, int width, const Positions& positions,
                               const PositionTable* tables, Buffer<float>& buffer) {
  WF_RETURN_IF_ERROR(buffer.reserve(elements_of(raw.heads, raw.rows, width)));
  const Heads heads = heads_outermost(buffer.data(), raw.heads, raw.rows, width);
  for (int h = 0; h < raw.heads; ++h) {
    for (int t = 0; t < raw.rows; ++t)
      std::memcpy(heads.head(h).row(t), raw.head(h).row(t), sizeof(float) * raw.columns);
    transform_head(call, projection, h, positions, tables, heads.head(h));
  }
  return ConstHeads(heads);
}

}  // namespace

Status transform_projections(AttentionCall& call, AttentionSaved& saved,
                             AttentionScratch& scratch) {
  const AttentionInput& input = call.input;
  const bool weighs = input.channel_weights.query;
  if (weighs) WF_RETURN_IF_ERROR(weigh_raw_queries(call, saved));
  if (!call.schemes.any(kHookTransform)) return {};
  WF_RETURN_IF_ERROR(refresh_tables(call, input.query_positions, scratch.query_tables));
  const int width = call.schemes.transformed_channels(input.q.columns);
  WF_ASSIGN_OR_RETURN(call.q, transformed(call, Projection::kQuery, input.q, width,
                                          input.query_positions, scratch.query_tables, saved.q));
  const Heads queries = heads_outermost(saved.q.data(), input.q.heads, input.q.rows, width);
  for (int h = 0; weighs && h < queries.heads; ++h) weigh_queries(input, queries.head(h));
  if (input.keys_are_transformed) return {};
  WF_RETURN_IF_ERROR(refresh_tables(call, input.key_positions, scratch.key_tables));
  WF_ASSIGN_OR_RETURN(call.k, transformed(call, Projection::kKey, input.k, width,
                                          input.key_positions, scratch.key_tables, saved.k));
  if (!call.schemes.transforms_values()) return {};
  WF_ASSIGN_OR_RETURN(call.v, transformed(call, Projection::kValue, input.v, input.v.columns,
                                          input.key_positions, scratch.key_tables, saved.v));
  return {};
}

Status restore_projections(AttentionCall& call, const AttentionSaved& saved,
                           AttentionScratch& scratch) {
  const ConstHeads &q = call.input.q, &k = call.input.k, &v = call.input.v;
  if (call.input.channel_weights.query) call.q = call.raw_q = queries_in(saved.raw_q, q, q.columns);
  if (!call.schemes.any(kHookTransform)) return {};
  const int width = call.schemes.transformed_channels(q.columns);
  call.q = queries_in(saved.q, q, width);
  call.k = heads_outermost(saved.k.data(), k.heads, k.rows, width);
  if (call.schemes.transforms_values())
    call.v = heads_outermost(saved.v.data(), v.heads, v.rows, v.columns);
  WF_RETURN_IF_ERROR(refresh_tables(call, call.input.query_positions, scratch.query_tables));
  return refresh_tables(call, call.input.key_positions, scratch.key_tables);
}

void transform_output(const AttentionCall& call, int head, const PositionTable* tables, Matrix x) {
  if (call.schemes.transforms_values())
    transform_head(call, Projection::kOutput, head, call.input.query_positions, tables, x);
}

Status weights_backward(const AttentionCall& call, int head, const PositionTable* tables,
                        Buffer<float>& buffer, Matrix d_q, ChannelWeights<float> gradients) {
  const ConstMatrix raw = call.input.q.head(head);
  const auto [query, key] = call.input.channel_weights;
  WF_RETURN_IF_ERROR(buffer.reserve(elements_of(d_q.rows, d_q.columns)));
  const Matrix x = {buffer.data(), d_q.rows, d_q.columns, d_q.columns};
  for (int t = 0; t < x.rows; ++t) std::copy_n(raw.row(t), raw.columns, x.row(t));
  transform_head(call, Projection::kQuery, head, call.input.query_positions, tables, x);
  for (int t = 0; t < x.rows; ++t)
    for (int i = 0; i < x.columns; ++i) {
      const int c = i % raw.columns;
      const float d_product = d_q.row(t)[i] * x.row(t)[i];
      gradients.query[c] += d_product * key[c];
      gradients.key[c] += d_product * query[c];
    }
  weigh_queries(call.input, d_q);
  return {};
}

void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, ConstMatrix transformed, Matrix d_x) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  // Factors of queries commute with rotations. They come last, because the gradient of a trained
  // one needs its input, and the raw rows are that of the first transform.
  for (const bool scales_queries : {false, true})
    for (int i = schemes.count - 1; i >= 0; --i) {
      const LayerScheme& item = schemes.items[i];
      if (!LayerSchemes::transforms(item, projection) ||
          item.description->scales_queries() != scales_queries)
        continue;
      RowPositions rows = tables[i].rows(positions);
      rows.transformed = transformed;
      item.scheme->transform_projections_backward(call.contexts[i], projection, head, rows, raw,
                                                  d_x);
    }
}

Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, const Positions& key_positions, Heads k, Heads v,
                      AttentionScratch& scratch) {
  if (!schemes.any(kHookTransform)) return {};
  const AttentionInput input = {.q = {},
                                .k = k,
                                .v = {},
                                .query_positions = positions,
                                .key_positions = key_positions,
                                .mask = {}};
  const AttentionCall call(config, schemes, input);
  WF_RETURN_IF_ERROR(refresh_tables(call, positions, scratch.key_tables));
  for (int h = 0; h < k.heads; ++h) {
    transform_head(call, Projection::kKey, h, positions, scratch.key_tables, k.head(h));
    if (schemes.transforms_values())
      transform_head(call, Projection::kValue, h, positions, scratch.key_tables, v.head(h));
  }
  return {};
}

}  // namespace wf::detail
