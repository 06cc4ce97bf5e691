#include "attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "attention/recorder.h"
#include "kernels/softcap.h"
#include "kernels/softmax.h"

namespace wf {
namespace {

constexpr int kBlockRows = 64;
constexpr int kBlockColumns = 128;
constexpr std::size_t kTileFloats = std::size_t{kBlockRows} * kBlockColumns;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

int value_dim(const AttentionConfig& config) {
  return config.value_dim ? config.value_dim : config.head_dim;
}

float logit_scale(const AttentionConfig& config) {
  return config.scale != 0 ? config.scale : 1.0f / std::sqrt(static_cast<float>(config.head_dim));
}

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns) {
  if (x.heads == heads && x.rows == rows && x.columns == columns) return {};
  return Status::error(Code::kInvalidArgument, "%s: shape [%d,%d,%d]; expected is [%d,%d,%d]", name,
                       x.heads, x.rows, x.columns, heads, rows, columns);
}

Status check_input(const AttentionConfig& config, const AttentionInput& input) {
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(check_heads("q", input.q, config.num_heads, queries, config.head_dim));
  WF_RETURN_IF_ERROR(check_heads("k", input.k, config.num_kv_heads, keys, config.head_dim));
  WF_RETURN_IF_ERROR(check_heads("v", input.v, config.num_kv_heads, keys, value_dim(config)));
  if (input.query_positions.count != queries)
    return Status::error(Code::kInvalidArgument, "positions: %d of them; expected is one for each of %d queries",
                         input.query_positions.count, queries);
  if (input.key_positions.count != keys)
    return Status::error(Code::kInvalidArgument, "keyPositions: %d of them; expected is one for each of %d keys",
                         input.key_positions.count, keys);
  return {};
}

// One call's view of things: what each scheme is told, and the transformed projections.
struct Call {
  const AttentionConfig& config;
  const LayerSchemes& schemes;
  const AttentionInput& input;
  LayerContext contexts[kMostStackedSchemes];
  Mask mask;
  float scale;
  int group;  // query heads that share a key head
  ConstHeads q, k;

  Call(const AttentionConfig& config_in, const LayerSchemes& schemes_in,
       const AttentionInput& input_in)
      : config(config_in),
        schemes(schemes_in),
        input(input_in),
        mask(input_in.mask),
        scale(logit_scale(config_in)),
        group(config_in.num_heads / config_in.num_kv_heads),
        q(input_in.q),
        k(input_in.k) {
    mask.is_causal = config.is_causal;
    mask.window = config.sliding_window;
    for (int i = 0; i < schemes.count; ++i)
      contexts[i] = {.layer = schemes.layer,
                     .query_positions = input.query_positions,
                     .key_positions = input.key_positions,
                     .scale = scale,
                     .is_causal = config.is_causal,
                     .values = schemes.items[i].values,
                     .gradients = schemes.items[i].gradients};
  }

  LogitTile tile(int head, int row0, int rows, int column0, int columns, float* logits) const {
    const ConstMatrix qh = q.head(head), kh = k.head(head / group);
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
};

Status refresh_tables(const LayerSchemes& schemes, const Positions& positions,
                      PositionTable* tables) {
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].has(kHookTransform))
      WF_RETURN_IF_ERROR(tables[i].refresh(*schemes.items[i].scheme, positions));
  return {};
}

void transform_head(const LayerSchemes& schemes, const LayerContext* contexts,
                    Projection projection, int head, const Positions& positions,
                    const PositionTable* tables, Matrix x) {
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].has(kHookTransform))
      schemes.items[i].scheme->transform_projections(contexts[i], projection, head,
                                                     tables[i].rows(positions), x);
}

void transform_head_backward(const LayerSchemes& schemes, const LayerContext* contexts,
                             Projection projection, int head, const Positions& positions,
                             const PositionTable* tables, ConstMatrix raw, Matrix d_x) {
  for (int i = schemes.count - 1; i >= 0; --i)
    if (schemes.items[i].has(kHookTransform))
      schemes.items[i].scheme->transform_projections_backward(
          contexts[i], projection, head, tables[i].rows(positions), raw, d_x);
}

// Copies heads into `buffer`, transforms them there and returns the view.
Result<ConstHeads> transformed(const Call& call, Projection projection, const ConstHeads& raw,
                               const Positions& positions, const PositionTable* tables,
                               Buffer<float>& buffer) {
  WF_RETURN_IF_ERROR(buffer.reserve(static_cast<std::size_t>(raw.heads) * raw.rows * raw.columns));
  const Heads heads = heads_outermost(buffer.data(), raw.heads, raw.rows, raw.columns);
  for (int h = 0; h < raw.heads; ++h) {
    for (int t = 0; t < raw.rows; ++t)
      std::memcpy(heads.head(h).row(t), raw.head(h).row(t), sizeof(float) * raw.columns);
    transform_head(call.schemes, call.contexts, projection, h, positions, tables, heads.head(h));
  }
  return ConstHeads(heads);
}

// Fills call.q and call.k with transformed projections, where a scheme transforms.
Status transform_call(Call& call, AttentionSaved& saved, AttentionScratch& scratch) {
  if (!call.schemes.any(kHookTransform)) return {};
  const AttentionInput& input = call.input;
  WF_RETURN_IF_ERROR(refresh_tables(call.schemes, input.query_positions, scratch.query_tables));
  WF_ASSIGN_OR_RETURN(call.q, transformed(call, Projection::kQuery, input.q, input.query_positions,
                                          scratch.query_tables, saved.q));
  if (input.keys_are_transformed) return {};
  WF_RETURN_IF_ERROR(refresh_tables(call.schemes, input.key_positions, scratch.key_tables));
  WF_ASSIGN_OR_RETURN(call.k, transformed(call, Projection::kKey, input.k, input.key_positions,
                                          scratch.key_tables, saved.k));
  return {};
}

// Logits of one tile: product and biases.
void compute_logits(const Call& call, AttentionScratch& scratch, const LogitTile& tile) {
  matmul(tile.rows, tile.columns, call.config.head_dim, call.scale, {tile.q.data, tile.q.stride},
         Operand{tile.k.data, tile.k.stride}.transposed(), tile.logits, tile.stride,
         Accumulate::kNo, scratch.matmul);
  scratch.distance.add(tile);
  for (int i = 0; i < call.schemes.count; ++i)
    if (call.schemes.items[i].has(kHookBias))
      call.schemes.items[i].scheme->bias_logits(call.contexts[i], tile);
}

void cap_and_mask(const Call& call, const LogitTile& tile) {
  if (call.config.softcap > 0)
    for (int i = 0; i < tile.rows; ++i)
      softcap_row(tile.logits + i * tile.stride, tile.columns, call.config.softcap);
  if (!call.mask.leaves_alone(tile.row0, tile.rows, tile.column0, tile.columns))
    call.mask.apply(tile.head, tile.row0, tile.rows, tile.column0, tile.columns, tile.logits,
                    tile.stride);
}

// Turns a row of logits into unnormalised weights under the running maximum, and rescales what was
// summed under the old one.
void update_row(float* logits, int columns, float& maximum, float& total, float* output, int width) {
  const float next = std::max(maximum, row_maximum(logits, columns));
  if (next == kNothing) {
    std::fill_n(logits, columns, 0.0f);
    return;
  }
  const float rescale = maximum == kNothing ? 0.0f : std::exp(maximum - next);
  if (rescale != 1.0f) scale_row(output, width, rescale);
  total = total * rescale + exponentials(logits, columns, next);
  maximum = next;
}

// The sink takes its share of the sum and adds nothing to the output.
void add_sink(float sink, float& maximum, float& total, float* output, int width) {
  float one = sink;
  update_row(&one, 1, maximum, total, output, width);
}

void forward_block(const Call& call, AttentionScratch& scratch, int head, int row0, int rows,
                   Matrix output, float* log_sum_exp) {
  float* maximum = scratch.running.data();
  float* total = maximum + kBlockRows;
  std::fill_n(maximum, rows, kNothing);
  std::fill_n(total, rows, 0.0f);
  for (int i = 0; i < rows; ++i) std::fill_n(output.row(row0 + i), output.columns, 0.0f);

  const ConstMatrix values = call.input.v.head(head / call.group);
  const int end = call.mask.visible_end(row0, rows, call.k.rows);
  for (int column0 = call.mask.visible_begin(row0); column0 < end; column0 += kBlockColumns) {
    const int columns = std::min(kBlockColumns, end - column0);
    const LogitTile tile = call.tile(head, row0, rows, column0, columns, scratch.tiles.data());
    compute_logits(call, scratch, tile);
    cap_and_mask(call, tile);
    for (int i = 0; i < rows; ++i)
      update_row(tile.logits + i * tile.stride, columns, maximum[i], total[i], output.row(row0 + i),
                 output.columns);
    matmul(rows, output.columns, columns, 1, {tile.logits, tile.stride},
           {values.row(column0), values.stride}, output.row(row0), output.stride,
           Accumulate::kYes, scratch.matmul);
  }
  for (int i = 0; i < rows; ++i) {
    if (call.input.sinks)
      add_sink(call.input.sinks[head], maximum[i], total[i], output.row(row0 + i), output.columns);
    const bool sees = total[i] > 0;
    if (sees) scale_row(output.row(row0 + i), output.columns, 1 / total[i]);
    log_sum_exp[row0 + i] = sees ? maximum[i] + std::log(total[i]) : kNothing;
  }
}

Status reserve_tiles(AttentionScratch& scratch) {
  WF_RETURN_IF_ERROR(scratch.tiles.reserve(3 * kTileFloats + kBlockColumns));
  return scratch.running.reserve(2 * kBlockRows);
}

// Gradients of one tile, from its recomputed weights.
void backward_tile(const Call& call, AttentionScratch& scratch, const LogitTile& tile,
                   const float* log_sum_exp, ConstMatrix d_output, Matrix d_values) {
  float* weights = scratch.tiles.data() + kTileFloats;
  float* d_logits = scratch.tiles.data() + 2 * kTileFloats;
  compute_logits(call, scratch, tile);
  LogitTile masked = tile;
  masked.logits = weights;
  std::memcpy(weights, tile.logits, sizeof(float) * kTileFloats);
  cap_and_mask(call, masked);
  for (int i = 0; i < tile.rows; ++i) {
    float* row = weights + i * tile.stride;
    if (log_sum_exp[tile.row0 + i] == kNothing)
      std::fill_n(row, tile.columns, 0.0f);
    else
      exponentials(row, tile.columns, log_sum_exp[tile.row0 + i]);
  }
  const ConstMatrix values = call.input.v.head(tile.kv_head);
  matmul(tile.columns, values.columns, tile.rows, 1, Operand{weights, tile.stride}.transposed(),
         {d_output.row(tile.row0), d_output.stride}, d_values.row(tile.column0), d_values.stride,
         Accumulate::kYes, scratch.matmul);
  matmul(tile.rows, tile.columns, values.columns, 1, {d_output.row(tile.row0), d_output.stride},
         Operand{values.row(tile.column0), values.stride}.transposed(), d_logits, tile.stride,
         Accumulate::kNo, scratch.matmul);
  for (int i = 0; i < tile.rows; ++i) {
    const float delta = scratch.delta[tile.row0 + i];
    const float* w = weights + i * tile.stride;
    float* d = d_logits + i * tile.stride;
    for (int j = 0; j < tile.columns; ++j) d[j] = w[j] * (d[j] - delta);
    if (call.config.softcap > 0) {
      float* capped = scratch.tiles.data() + 3 * kTileFloats;
      std::memcpy(capped, tile.logits + i * tile.stride, sizeof(float) * tile.columns);
      softcap_row(capped, tile.columns, call.config.softcap);
      softcap_row_backward(capped, tile.columns, call.config.softcap, d);
    }
  }
  const int width = call.config.head_dim;
  const Matrix d_q = {scratch.d_q.data() + std::ptrdiff_t{tile.row0} * width, tile.rows, width, width};
  const Matrix d_k = {scratch.d_k.data() + std::ptrdiff_t{tile.column0} * width, tile.columns, width, width};
  scratch.distance.add_backward(tile, d_logits);
  for (int i = call.schemes.count - 1; i >= 0; --i)
    if (call.schemes.items[i].has(kHookBias))
      call.schemes.items[i].scheme->bias_logits_backward(call.contexts[i], tile,
                                                         {d_logits, d_q, d_k});
  matmul(tile.rows, width, tile.columns, call.scale, {d_logits, tile.stride},
         {tile.k.data, tile.k.stride}, d_q.data, d_q.stride, Accumulate::kYes, scratch.matmul);
  matmul(tile.columns, width, tile.rows, call.scale, Operand{d_logits, tile.stride}.transposed(),
         {tile.q.data, tile.q.stride}, d_k.data, d_k.stride, Accumulate::kYes, scratch.matmul);
}

void add_rows(const float* source, Matrix target) {
  for (int t = 0; t < target.rows; ++t)
    for (int c = 0; c < target.columns; ++c)
      target.row(t)[c] += source[std::ptrdiff_t{t} * target.columns + c];
}

// d loss / d sink = -Σ weight of the sink · dO·O.
float sink_gradient(float sink, int queries, const float* delta, const float* log_sum_exp) {
  float sum = 0;
  for (int t = 0; t < queries; ++t) sum -= std::exp(sink - log_sum_exp[t]) * delta[t];
  return sum;
}

void backward_head(const Call& call, AttentionScratch& scratch, int head, const float* log_sum_exp,
                   ConstMatrix output, ConstMatrix d_output, Matrix d_values) {
  const int queries = call.q.rows;
  for (int t = 0; t < queries; ++t) {
    float sum = 0;
    for (int c = 0; c < output.columns; ++c) sum += output.row(t)[c] * d_output.row(t)[c];
    scratch.delta[t] = sum;
  }
  scratch.distance.begin_head(head);
  for (int row0 = 0; row0 < queries; row0 += kBlockRows) {
    const int rows = std::min(kBlockRows, queries - row0);
    const int end = call.mask.visible_end(row0, rows, call.k.rows);
    for (int column0 = call.mask.visible_begin(row0); column0 < end; column0 += kBlockColumns)
      backward_tile(call, scratch,
                    call.tile(head, row0, rows, column0, std::min(kBlockColumns, end - column0),
                              scratch.tiles.data()),
                    log_sum_exp, d_output, d_values);
  }
  scratch.distance.end_head_backward(head);
}

}  // namespace

Result<AttentionScratch> AttentionScratch::make() {
  AttentionScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.matmul, MatmulScratch::make());
  WF_RETURN_IF_ERROR(reserve_tiles(scratch));
  return scratch;
}

Status attention_forward(const AttentionConfig& config, const LayerSchemes& schemes,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder) {
  WF_RETURN_IF_ERROR(check_input(config, input));
  WF_RETURN_IF_ERROR(check_heads("output", output, config.num_heads, input.q.rows, value_dim(config)));
  Call call(config, schemes, input);
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(saved.log_sum_exp.reserve(static_cast<std::size_t>(config.num_heads) * queries));
  WF_RETURN_IF_ERROR(transform_call(call, saved, scratch));
  WF_RETURN_IF_ERROR(scratch.distance.prepare(schemes, call.contexts, false));
  if (recorder) WF_RETURN_IF_ERROR(scratch.record.reserve(Recorder::scratch_floats(keys)));

  for (int head = 0; head < config.num_heads; ++head) {
    float* log_sum_exp = saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries;
    scratch.distance.begin_head(head);
    for (int row0 = 0; row0 < queries; row0 += kBlockRows)
      forward_block(call, scratch, head, row0, std::min(kBlockRows, queries - row0),
                    output.head(head), log_sum_exp);
    if (recorder && recorder->wants_head(head))
      recorder->record_head({.schemes = schemes,
                             .contexts = call.contexts,
                             .mask = call.mask,
                             .softcap = config.softcap,
                             .scale = call.scale,
                             .head = head,
                             .kv_head = head / call.group,
                             .raw_q = input.q.head(head),
                             .raw_k = input.k.head(head / call.group),
                             .q = call.q.head(head),
                             .k = call.k.head(head / call.group),
                             .log_sum_exp = log_sum_exp},
                            scratch.record.data(), scratch.matmul);
  }
  return {};
}

Status attention_backward(const AttentionConfig& config, const LayerSchemes& schemes,
                          const AttentionInput& input, ConstHeads output, ConstHeads d_output,
                          const AttentionSaved& saved, AttentionScratch& scratch, Heads d_q,
                          Heads d_k, Heads d_v, float* d_sinks) {
  WF_RETURN_IF_ERROR(check_input(config, input));
  Call call(config, schemes, input);
  const int queries = input.q.rows, keys = input.k.rows, width = config.head_dim;
  if (schemes.any(kHookTransform)) {
    call.q = heads_outermost(saved.q.data(), config.num_heads, queries, width);
    call.k = heads_outermost(saved.k.data(), config.num_kv_heads, keys, width);
    WF_RETURN_IF_ERROR(refresh_tables(schemes, input.query_positions, scratch.query_tables));
    WF_RETURN_IF_ERROR(refresh_tables(schemes, input.key_positions, scratch.key_tables));
  }
  WF_RETURN_IF_ERROR(scratch.delta.reserve(queries));
  WF_RETURN_IF_ERROR(scratch.d_q.reserve(static_cast<std::size_t>(queries) * width));
  WF_RETURN_IF_ERROR(scratch.d_k.reserve(static_cast<std::size_t>(keys) * width));
  WF_RETURN_IF_ERROR(scratch.distance.prepare(schemes, call.contexts, true));

  for (int kv = 0; kv < config.num_kv_heads; ++kv) {
    std::fill_n(scratch.d_k.data(), std::size_t(keys) * width, 0.0f);
    for (int head = kv * call.group; head < (kv + 1) * call.group; ++head) {
      std::fill_n(scratch.d_q.data(), std::size_t(queries) * width, 0.0f);
      backward_head(call, scratch, head, saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries,
                    output.head(head), d_output.head(head), d_v.head(kv));
      if (d_sinks && input.sinks)
        d_sinks[head] += sink_gradient(input.sinks[head], queries, scratch.delta.data(),
                                       saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries);
      transform_head_backward(schemes, call.contexts, Projection::kQuery, head,
                              input.query_positions, scratch.query_tables, input.q.head(head),
                              {scratch.d_q.data(), queries, width, width});
      add_rows(scratch.d_q.data(), d_q.head(head));
    }
    transform_head_backward(schemes, call.contexts, Projection::kKey, kv, input.key_positions,
                            scratch.key_tables, input.k.head(kv),
                            {scratch.d_k.data(), keys, width, width});
    add_rows(scratch.d_k.data(), d_k.head(kv));
  }
  return {};
}

Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, Heads k, AttentionScratch& scratch) {
  if (!schemes.any(kHookTransform)) return {};
  const AttentionInput input = {.q = {}, .k = k, .v = {}, .query_positions = positions,
                                .key_positions = positions, .mask = {}};
  const Call call(config, schemes, input);
  WF_RETURN_IF_ERROR(refresh_tables(schemes, positions, scratch.key_tables));
  for (int h = 0; h < k.heads; ++h)
    transform_head(schemes, call.contexts, Projection::kKey, h, positions, scratch.key_tables, k.head(h));
  return {};
}

}  // namespace wf
