#include "attention/attention.h"

#include <algorithm>
#include <cmath>

#include "attention/attention_call.h"
#include "attention/recorder.h"
#include "attention/surgery.h"
#include "executor.h"
#include "kernels/simd.h"
#include "kernels/softmax.h"

namespace wf {
namespace {

using namespace detail;

int accumulator_width(const LayerScheme& item) {
  return item.has(kHookOutput) ? item.scheme->accumulator_width() : 0;
}

// What a block of query rows has gathered so far, under its running maximum.
struct RunningRows {
  int schemes;
  int widths[kMostStackedSchemes];  // R of each that adjusts the output; else 0
  int rows;
  Matrix output;       // [rows, Dv]
  float* maximum;      // [rows]
  float* total;        // [rows]
  float* offsets;      // [rows] to be added to all logits of a row, in the present tile
  float* sums;         // [rows] of the present tile's weights
  float* accumulator;  // for each scheme that adjusts the output, [kBlockRows, R]

  void clear() {
    std::fill_n(maximum, rows, kNothing);
    std::fill_n(total, rows, 0.0f);
    for (int i = 0; i < rows; ++i) std::fill_n(output.row(i), output.columns, 0.0f);
    for_each_accumulator([&](int, float* values, int width) {
      std::fill_n(values, std::ptrdiff_t{rows} * width, 0.0f);
    });
  }

  // body(scheme's index, its [rows, R] part, R)
  template <class Body>
  void for_each_accumulator(Body body) {
    float* values = accumulator;
    for (int i = 0; i < schemes; ++i) {
      if (widths[i]) body(i, values, widths[i]);
      values += std::ptrdiff_t{kBlockRows} * widths[i];
    }
  }

  void scale(int row, float factor) {
    scale_row(output.row(row), output.columns, factor);
    for_each_accumulator([&](int, float* values, int width) {
      scale_row(values + std::ptrdiff_t{row} * width, width, factor);
    });
  }

  // Turns logits into unnormalised weights under the running maximum, and rescales what was summed
  // under the old one.
  void take(int row, float* logits, int columns) {
    const float next = std::max(maximum[row], row_maximum(logits, columns) + offsets[row]);
    if (next == kNothing) {
      std::fill_n(logits, columns, 0.0f);
      sums[row] = 0;
      return;
    }
    // What is so much smaller than the new maximum's weight of 1 is as well as nothing, and on the
    // way to denormals.
    const float rescale =
        maximum[row] - next < simd::kLeastExponent ? 0.0f : std::exp(maximum[row] - next);
    if (rescale != 1.0f) scale(row, rescale);
    sums[row] = exponentials(logits, columns, next - offsets[row]);
    total[row] = total[row] * rescale + sums[row];
    maximum[row] = next;
  }

  // The sink takes its share of the sum and adds nothing to the output.
  void take_sink(int row, float sink) {
    offsets[row] = 0;
    take(row, &sink, 1);
  }
};

Status forward_block(const AttentionCall& call, AttentionScratch& scratch, int head, int row0,
                     int rows, Matrix output, float* log_sum_exp) {
  RunningRows running = {.schemes = call.schemes.count,
                         .widths = {},
                         .rows = rows,
                         .output = {output.row(row0), rows, output.columns, output.stride},
                         .maximum = scratch.running.data(),
                         .total = scratch.running.data() + kBlockRows,
                         .offsets = scratch.running.data() + 2 * kBlockRows,
                         .sums = scratch.running.data() + 3 * kBlockRows,
                         .accumulator = scratch.accumulator.data()};
  for (int i = 0; i < call.schemes.count; ++i)
    running.widths[i] = accumulator_width(call.schemes.items[i]);
  running.clear();
  const ConstMatrix q = call.q.head(head);
  WF_RETURN_IF_ERROR(begin_block(scratch, {q.row(row0), rows, q.columns, q.stride}));
  std::fill_n(scratch.carry.data(), std::ptrdiff_t{kBlockRows} * carry_floats(call.schemes), 0.0f);

  // Where the head is cut: its logits, from the terms that are left.
  const int keys = call.k.rows;
  float* cut = nullptr;
  if (call.schemes.surgery && call.schemes.surgery->of(head)) {
    cut = scratch.record.data() + HeadLogits::work_floats(keys, q.columns);
    fill_from_terms(call.head_logits(head), row0, rows, cut, scratch.record.data(), scratch.matmul);
  }
  const KeyTiles tiles(call, row0, rows);
  for (int t = 0; t < tiles.count; ++t) {
    const int column0 = tiles.column0(t), columns = tiles.columns(t);
    LogitTile tile = call.tile(head, row0, rows, column0, columns, scratch.tiles.data());
    // A cap is put on whole logits.
    if (call.config.softcap == 0) tile.offsets = running.offsets;
    tile.sums = running.sums;
    std::fill_n(running.offsets, rows, 0.0f);
    if (!cut) compute_logits(call, scratch, tile, scratch.carry.data());
    for (int i = 0; cut && i < rows; ++i)
      std::copy_n(cut + std::ptrdiff_t{i} * keys + column0, columns, tile.logits + i * tile.stride);
    cap_and_mask(call, tile);
    for (int i = 0; i < rows; ++i) running.take(i, tile.logits + i * tile.stride, columns);
    scratch.operands.add_values(tile, running.output, scratch.matmul);
    running.for_each_accumulator([&](int scheme, float* accumulator, int) {
      call.schemes.items[scheme].scheme->accumulate(call.contexts[scheme], tile, accumulator);
    });
  }
  for (int i = 0; i < rows && call.input.sinks; ++i) running.take_sink(i, call.input.sinks[head]);
  LogitTile block = call.tile(head, row0, rows, 0, 0, nullptr);
  lend(call, scratch, block);
  running.for_each_accumulator([&](int scheme, float* accumulator, int) {
    call.schemes.items[scheme].scheme->adjust_output(call.contexts[scheme], block, accumulator,
                                                     running.output);
  });
  for (int i = 0; i < rows; ++i) {
    const bool sees = running.total[i] > 0;
    if (sees) scale_row(running.output.row(i), output.columns, 1 / running.total[i]);
    log_sum_exp[row0 + i] = sees ? running.maximum[i] + std::log(running.total[i]) : kNothing;
  }
  return {};
}

// What a lane is at.
struct HeadLane {
  Status status;
  int head = -1;
  int kv_head = -1;
};

// A run of blocks of query rows of a head, on one thread.
Status forward_rows(const AttentionCall& call, AttentionScratch& scratch, HeadLane& lane, int head,
                    int first_row, int end_row, Matrix output, float* log_sum_exp) {
  const int kv_head = head / call.group;
  if (head != lane.head) {
    scratch.distance.begin_head(head);
    WF_RETURN_IF_ERROR(scratch.operands.begin_head(call.k.head(kv_head), call.input.v.head(kv_head),
                                                   kv_head != lane.kv_head));
    lane.head = head;
    lane.kv_head = kv_head;
  }
  for (int row0 = first_row; row0 < end_row; row0 += kBlockRows)
    WF_RETURN_IF_ERROR(forward_block(call, scratch, head, row0,
                                     std::min(kBlockRows, end_row - row0), output, log_sum_exp));
  return {};
}

// Heads from `head0` on, each in one part, or in so many that no lane waits long for the last one.
void forward_heads(const AttentionCall& call, AttentionScratch& scratch, HeadLane* lane_states,
                   int lanes, int head0, int heads, Heads output, AttentionSaved& saved,
                   Recorder* recorder) {
  const int queries = call.q.rows, blocks = (queries + kBlockRows - 1) / kBlockRows;
  const int wanted = lanes == 1 ? 1 : (6 * lanes + heads - 1) / heads;
  const int rows_each = std::max((blocks + wanted - 1) / wanted, 1) * kBlockRows;
  const int parts = std::max((queries + rows_each - 1) / rows_each, 1);
  share_out(lanes, heads * parts, [&](int lane, int index) {
    HeadLane& state = lane_states[lane];
    if (!state.status.ok()) return;
    const int head = head0 + index / parts, first_row = index % parts * rows_each;
    state.status = forward_rows(call, lane_scratch(lane, scratch), state, head, first_row,
                                std::min(first_row + rows_each, queries), output.head(head),
                                saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries);
    if (recorder && recorder->wants_head(head))
      recorder->record_head(call.head_logits(head), scratch.record.data(), scratch.matmul);
  });
}

Status reserve_accumulators(const LayerSchemes& schemes, AttentionScratch& scratch) {
  int width = 0;
  for (const LayerScheme& item : schemes) width += accumulator_width(item);
  return scratch.accumulator.reserve(std::size_t{kBlockRows} * width);
}

}  // namespace

Result<AttentionScratch> AttentionScratch::make() {
  AttentionScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.matmul, MatmulScratch::make());
  // Logits, weights, their gradients, content, mask; and a row for the softcap's gradient.
  WF_RETURN_IF_ERROR(scratch.tiles.reserve(5 * kTileFloats + kBlockColumns));
  WF_RETURN_IF_ERROR(scratch.running.reserve(4 * kBlockRows));
  return scratch;
}

Status attention_forward(const AttentionConfig& config, const LayerSchemes& given,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder) {
  WF_ASSIGN_OR_RETURN(const LayerSchemes schemes, acting(config, given));
  WF_RETURN_IF_ERROR(check_input(config, schemes, input));
  WF_RETURN_IF_ERROR(
      check_heads("output", output, config.num_heads, input.q.rows, value_dim(config)));
  AttentionCall call(config, schemes, input);
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].hooks & ~kHookScale)
      WF_RETURN_IF_ERROR(schemes.items[i].scheme->check_distances(call.contexts[i]));
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(
      saved.log_sum_exp.reserve(static_cast<std::size_t>(config.num_heads) * queries));
  WF_RETURN_IF_ERROR(transform_call(call, saved, scratch));
  const bool by_terms = recorder || schemes.surgery;
  if (by_terms)
    WF_RETURN_IF_ERROR(scratch.record.reserve(HeadLogits::work_floats(keys, config.head_dim) +
                                              std::size_t{kBlockRows} * keys));

  HeadLane lane_states[kMostLanes];
  const int lanes = by_terms ? 1
                             : lanes_of(call, 1.0 * config.num_heads * queries * keys *
                                                  (config.head_dim + output.columns));
  for (int lane = 0; lane < lanes; ++lane) {
    AttentionScratch& own = lane_scratch(lane, scratch);
    WF_RETURN_IF_ERROR(reserve_accumulators(schemes, own));
    WF_RETURN_IF_ERROR(reserve_for_tiles(schemes, own));
    WF_RETURN_IF_ERROR(own.distance.prepare(schemes, call.contexts, false));
    own.operands.begin_call(queries >= kFewRows);
  }
  const int heads_each = heads_of_tables(call);
  for (int head0 = 0; head0 < config.num_heads; head0 += heads_each) {
    const int heads = std::min(heads_each, config.num_heads - head0);
    WF_RETURN_IF_ERROR(prepare_layer(call, scratch, head0, heads));
    forward_heads(call, scratch, lane_states, lanes, head0, heads, output, saved, recorder);
    for (int lane = 0; lane < lanes; ++lane) WF_RETURN_IF_ERROR(lane_states[lane].status);
  }
  return {};
}

Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, const Positions& key_positions, Heads k,
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
  for (int h = 0; h < k.heads; ++h)
    transform_head(call, Projection::kKey, h, positions, scratch.key_tables, k.head(h));
  return {};
}

}  // namespace wf
