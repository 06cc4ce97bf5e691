#include "attention/attention.h"

#include <algorithm>

#include "attention/key_tiles.h"
#include "attention/layer_tables.h"
#include "attention/measure_head.h"
#include "attention/recorder.h"
#include "attention/running_softmax.h"
#include "attention/surgery.h"
#include "attention/thread_lanes.h"
#include "attention/tile_logits.h"
#include "attention/transform_projections.h"
#include "kernels/dot.h"
#include "tensor/extent.h"

namespace wf {
namespace {

using namespace detail;

// Number of tiles whose additive mask is prefetched at once: 2 KB of a row, and less than the
// second-level cache for a block.
constexpr int kTilesFetched = 4;

// Logits [rows, S] of a head with ablations, from row0 on: the sum of the remaining terms. Null if
// the head has none.
const float* ablated_logits(const AttentionCall& call, AttentionScratch& scratch, int head,
                            int row0, int rows) {
  if (!call.schemes.surgery || !call.schemes.surgery->of(head)) return nullptr;
  const int keys = call.k.rows;
  float* work = scratch.record.data();
  float* logits = work + HeadLogits::work_floats(keys, call.q.columns);
  const HeadLogits terms = call.head_logits(head);
  for (int i = 0; i < rows; ++i)
    std::copy_n(fill_terms(terms, row0 + i, work, scratch.matmul), keys,
                logits + std::ptrdiff_t{i} * keys);
  return logits;
}

// Refuses visible logits that are no numbers, if a scheme can explain them.
Status check_logits(const AttentionCall& call, const LogitTile& tile) {
  for (int i = 0; i < tile.rows; ++i) {
    const float* logits = tile.logits + i * tile.stride;
    if (all_finite(logits, tile.columns, true)) continue;
    int j = 0;
    while (logits[j] - logits[j] == 0 || logits[j] < 0) ++j;
    const int row = tile.row0 + i, column = tile.column0 + j;
    const float content = call.scale * dot(call.q.head(tile.head).row(row),
                                           call.k.head(tile.kv_head).row(column), call.q.columns);
    for (int s = 0; s < call.schemes.count; ++s)
      WF_RETURN_IF_ERROR(
          call.schemes.items[s].scheme->explain(call.contexts[s], tile.head, row, column, content));
  }
  return {};
}

bool may_fail(const LayerSchemes& schemes) {
  for (const LayerScheme& item : schemes)
    if ((item.hooks & ~kHookScale) && item.scheme->may_fail()) return true;
  return false;
}

// Processes a block of query rows: its key tiles in order.
Status forward_block(const AttentionCall& call, AttentionScratch& scratch, int head, int row0,
                     int rows, Matrix output, float* log_sum_exp) {
  RunningSoftmax running(call.schemes, {output.row(row0), rows, output.columns, output.stride},
                         scratch.running.data(), scratch.accumulator.data());
  running.clear();
  const ConstMatrix q = call.q.head(head);
  WF_RETURN_IF_ERROR(begin_block(scratch, {q.row(row0), rows, q.columns, q.stride}));
  std::fill_n(scratch.carry.data(), std::ptrdiff_t{kBlockRows} * carry_floats(call.schemes), 0.0f);
  const float* ablated = ablated_logits(call, scratch, head, row0, rows);
  const KeyTiles tiles(call, row0, rows);
  for (int t = 0; t < tiles.count; ++t) {
    const int column0 = tiles.column0(t), columns = tiles.columns(t);
    LogitTile tile = call.tile(head, row0, rows, column0, columns, scratch.tiles.data());
    // Offsets would bypass the softcap, which applies to whole logits.
    TileWork work = {.offsets = call.config.softcap == 0 ? running.offsets() : nullptr,
                     .sums = running.sums()};
    tile.work = &work;
    std::fill_n(running.offsets(), rows, 0.0f);
    if (t % kTilesFetched == 0) {
      const auto [begin, end] = tiles.range(t, kTilesFetched);
      call.mask.fetch(head, row0, rows, begin, end - begin);
    }
    if (!ablated) compute_logits(call, scratch, tile, work, scratch.carry.data());
    for (int i = 0; ablated && i < rows; ++i)
      std::copy_n(ablated + std::ptrdiff_t{i} * call.k.rows + column0, columns,
                  tile.logits + i * tile.stride);
    cap_and_mask(call, tile);
    if (may_fail(call.schemes)) WF_RETURN_IF_ERROR(check_logits(call, tile));
    bool weighs = false;
    for (int i = 0; i < rows; ++i) {
      running.take(i, tile.logits + i * tile.stride, columns);
      weighs |= running.sums()[i] != 0;
    }
    // Skips far keys under ALiBi, whose weights are exactly 0, without reading their values.
    if (weighs) scratch.operands.add_values(tile, running.output(), scratch.matmul);
    running.for_each_accumulator([&](int scheme, float* accumulator, int) {
      call.schemes.items[scheme].scheme->accumulate(call.contexts[scheme], tile, accumulator);
    });
  }
  for (int i = 0; i < rows && call.input.sinks; ++i) running.take_sink(i, call.input.sinks[head]);
  LogitTile block = call.tile(head, row0, rows, 0, 0, nullptr);
  TileWork work;
  attach_work(call, scratch, work);
  block.work = &work;
  running.for_each_accumulator([&](int scheme, float* accumulator, int) {
    call.schemes.items[scheme].scheme->adjust_output(call.contexts[scheme], block, accumulator,
                                                     running.output());
  });
  for (int i = 0; i < rows; ++i) log_sum_exp[row0 + i] = running.finish(i);
  return {};
}

// The state of a lane.
struct HeadLane {
  Status status;
  int head = -1;
  int kv_head = -1;
};

// Processes a range of query rows of a head on one thread.
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

// Processes heads from `head0` on, each in one part or in several, so that no lane waits long for
// the last one.
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
    if (!recorder || !recorder->wants_head(head) || !state.status.ok()) return;
    recorder->record_head(call.head_logits(head), scratch.record.data(), scratch.matmul);
    if (HeadMeasures* measures = recorder->measures())
      state.status = measure_head(call, scratch, head,
                                  saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries,
                                  *measures, recorder->head_slot(head));
  });
}

}  // namespace

Status attention_forward(const AttentionConfig& config, const LayerSchemes& given,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder) {
  WF_ASSIGN_OR_RETURN(const LayerSchemes schemes, acting(config, given));
  WF_RETURN_IF_ERROR(check_input(config, schemes, input));
  WF_RETURN_IF_ERROR(
      check_heads("output", output, config.num_heads, input.q.rows, config.value_channels()));
  AttentionCall call(config, schemes, input);
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].hooks & ~kHookScale)
      WF_RETURN_IF_ERROR(schemes.items[i].scheme->check_distances(call.contexts[i]));
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(saved.log_sum_exp.reserve(elements_of(config.num_heads, queries)));
  WF_RETURN_IF_ERROR(transform_projections(call, saved, scratch));
  const bool by_terms = recorder || schemes.surgery;
  if (by_terms) {
    // For all keys that a recorder may get, so that a growing cache does not allocate each time.
    const int held = recorder ? std::max(keys, recorder->max_columns()) : keys;
    WF_RETURN_IF_ERROR(
        scratch.record.reserve(added(HeadLogits::work_floats(held, config.head_dim),
                                     elements_of(schemes.surgery ? kBlockRows : 0, keys))));
  }

  HeadLane lane_states[kMaxLanes];
  const int lanes = by_terms ? 1
                             : lanes_of(call, 1.0 * config.num_heads * queries * keys *
                                                  (config.head_dim + output.columns));
  for (int lane = 0; lane < lanes; ++lane) {
    AttentionScratch& local = lane_scratch(lane, scratch);
    WF_RETURN_IF_ERROR(local.accumulator.reserve(accumulator_floats(schemes)));
    WF_RETURN_IF_ERROR(reserve_for_tiles(schemes, local));
    WF_RETURN_IF_ERROR(local.distance.prepare(schemes, call.contexts, false));
    local.operands.begin_call(queries >= kFewRows);
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

}  // namespace wf
