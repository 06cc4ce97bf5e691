#include "attention/attention.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "attention/features.h"
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
                                           call.k.head(tile.kv_head).row(column), call.scored);
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

// Processes a block of query rows: its key tiles in order. `measurement` may be null.
Status forward_block(const AttentionCall& call, AttentionScratch& scratch, int head, int row0,
                     int rows, Matrix output, float* log_sum_exp, BlockObserver* measurement) {
  RunningSoftmax running(call.schemes, {output.row(row0), rows, output.columns, output.stride},
                         scratch.running.data(), scratch.accumulator.data());
  running.clear();
  const ConstMatrix q = call.scored_part(call.q.head(head));
  WF_RETURN_IF_ERROR(begin_block(scratch, {q.row(row0), rows, q.columns, q.stride}));
  std::fill_n(scratch.carry.data(), std::ptrdiff_t{kBlockRows} * carry_floats(call.schemes), 0.0f);
  const float* ablated = ablated_logits(call, scratch, head, row0, rows);
  const KeyTiles tiles(call, row0, rows);
  for (int t = 0; t < tiles.count; ++t) {
    const int column0 = tiles.column0(t), columns = tiles.columns(t);
    LogitTile tile = call.tile(head, row0, rows, column0, columns, scratch.tiles.data());
    // Offsets would bypass the softcap and the measures, which read whole logits.
    const bool has_offsets = call.config.softcap == 0 && !measurement;
    TileWork work = {.offsets = has_offsets ? running.offsets() : nullptr, .sums = running.sums()};
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
    if (measurement) measurement->keep(t, tile);
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
  return measurement ? measurement->add_block(row0, rows, log_sum_exp) : Status();
}

// The state of a lane.
struct HeadLane {
  Status status;
  int head = -1;
  int kv_head = -1;
};

// Prepares a lane for rows of a head.
Status begin_head(const AttentionCall& call, AttentionScratch& scratch, HeadLane& lane, int head) {
  const int kv_head = head / call.group;
  if (head == lane.head) return {};
  scratch.distance.begin_head(head);
  WF_RETURN_IF_ERROR(scratch.operands.begin_head(call.scored_part(call.k.head(kv_head)),
                                                 call.v.head(kv_head), kv_head != lane.kv_head));
  lane.head = head;
  lane.kv_head = kv_head;
  return {};
}

// Processes a range of query rows of a head on one thread.
Status forward_rows(const AttentionCall& call, AttentionScratch& scratch, HeadLane& lane, int head,
                    int first_row, int end_row, Matrix output, float* log_sum_exp,
                    BlockObserver* measurement) {
  WF_RETURN_IF_ERROR(begin_head(call, scratch, lane, head));
  for (int row0 = first_row; row0 < end_row; row0 += kBlockRows)
    WF_RETURN_IF_ERROR(forward_block(call, scratch, head, row0,
                                     std::min(kBlockRows, end_row - row0), output, log_sum_exp,
                                     measurement));
  return {};
}

// Begins to measure a head, if its measures are wanted.
Status begin_measurement(const AttentionCall& call, AttentionScratch& scratch, int head,
                         Recorder* recorder, std::optional<HeadMeasurement>& measurement) {
  if (!recorder || !recorder->wants_head(head) || !recorder->measures()) return {};
  measurement.emplace(call, scratch, head, *recorder->measures());
  return measurement->begin();
}

// After the last row of a head, before its output is transformed.
void record_head(const AttentionCall& call, AttentionScratch& scratch, int head,
                 ConstMatrix weighted_values, Recorder* recorder,
                 std::optional<HeadMeasurement>& measurement) {
  if (!recorder || !recorder->wants_head(head)) return;
  recorder->record_head(call.head_logits(head), weighted_values, scratch.record.data(),
                        scratch.matmul);
  if (measurement) measurement->finish(recorder->head_slot(head));
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
    std::optional<HeadMeasurement> measurement;  // one lane, which has whole heads
    state.status = begin_measurement(call, scratch, head, recorder, measurement);
    if (!state.status.ok()) return;
    state.status = forward_rows(call, lane_scratch(lane, scratch), state, head, first_row,
                                std::min(first_row + rows_each, queries), output.head(head),
                                saved.log_sum_exp.data() + std::ptrdiff_t{head} * queries,
                                measurement ? &*measurement : nullptr);
    if (state.status.ok())
      record_head(call, scratch, head, output.head(head), recorder, measurement);
  });
  share_out(lanes, heads, [&](int, int index) {
    transform_output(call, head0 + index, scratch.query_tables, output.head(head0 + index));
  });
}

// Prepares what all lanes of a call share. Errors: as attention_forward.
Status begin_forward(AttentionCall& call, Heads output, AttentionSaved& saved,
                     AttentionScratch& scratch, const Recorder* recorder) {
  const AttentionConfig& config = call.config;
  const LayerSchemes& schemes = call.schemes;
  const int queries = call.input.q.rows, keys = call.input.k.rows;
  WF_RETURN_IF_ERROR(
      check_heads("output", output, config.num_heads, queries, config.value_channels()));
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].hooks & ~kHookScale)
      WF_RETURN_IF_ERROR(schemes.items[i].scheme->check_distances(call.contexts[i]));
  WF_RETURN_IF_ERROR(saved.log_sum_exp.reserve(elements_of(config.num_heads, queries)));
  WF_RETURN_IF_ERROR(transform_projections(call, saved, scratch));
  WF_RETURN_IF_ERROR(compute_features(call, saved, scratch.matmul));
  if (!recorder && !schemes.surgery) return {};
  // For all keys that a recorder may get, so that a growing cache does not allocate each time.
  const int held = recorder ? std::max(keys, recorder->max_columns()) : keys;
  return scratch.record.reserve(added(HeadLogits::work_floats(held, call.q.columns),
                                      elements_of(schemes.surgery ? kBlockRows : 0, keys)));
}

Status begin_lane(const AttentionCall& call, AttentionScratch& local) {
  WF_RETURN_IF_ERROR(local.accumulator.reserve(accumulator_floats(call.schemes)));
  WF_RETURN_IF_ERROR(reserve_for_tiles(call.schemes, local));
  WF_RETURN_IF_ERROR(local.distance.prepare(call.schemes, call.contexts, false));
  local.operands.begin_call(call.q.rows >= kFewRows);
  local.content.begin_call(true);
  local.content_kv_head = -1;
  return {};
}

// The copies of a call's arguments that the call refers to.
struct PassArguments {
  AttentionConfig config;
  LayerSchemes schemes;
  AttentionInput input;
};

class HeadByHead final : public AttentionPass {
 public:
  HeadByHead(const PassArguments& arguments, Heads output, AttentionSaved& saved,
             AttentionScratch& scratch, Recorder* recorder)
      : arguments_(arguments),
        call_(arguments_.config, arguments_.schemes, arguments_.input),
        output_(output),
        saved_(saved),
        scratch_(scratch),
        recorder_(recorder) {}

  Status begin() {
    WF_RETURN_IF_ERROR(begin_forward(call_, output_, saved_, scratch_, recorder_));
    WF_RETURN_IF_ERROR(begin_lane(call_, scratch_));
    heads_each_ = heads_of_tables(call_);
    return {};
  }

  Result<bool> step() override {
    if (head_ == call_.config.num_heads) return false;
    const int queries = call_.q.rows, row0 = row_, rows = std::min(kBlockRows, queries - row0);
    float* log_sum_exp = saved_.log_sum_exp.data() + std::ptrdiff_t{head_} * queries;
    row_ += rows;
    if (row0 == 0) {
      if (head_ % heads_each_ == 0)
        WF_RETURN_IF_ERROR(prepare_layer(call_, scratch_, head_,
                                         std::min(heads_each_, call_.config.num_heads - head_)));
      WF_RETURN_IF_ERROR(begin_measurement(call_, scratch_, head_, recorder_, measurement_));
    }
    WF_RETURN_IF_ERROR(forward_rows(call_, scratch_, lane_, head_, row0, row_, output_.head(head_),
                                    log_sum_exp, measurement_ ? &*measurement_ : nullptr));
    if (row_ == queries) end_head();
    return true;
  }

 private:
  void end_head() {
    record_head(call_, scratch_, head_, output_.head(head_), recorder_, measurement_);
    transform_output(call_, head_, scratch_.query_tables, output_.head(head_));
    measurement_.reset();
    row_ = 0;
    ++head_;
  }

  const PassArguments arguments_;
  AttentionCall call_;
  Heads output_;
  AttentionSaved& saved_;
  AttentionScratch& scratch_;
  Recorder* recorder_;
  HeadLane lane_;
  int heads_each_ = 1, head_ = 0, row_ = 0;
  std::optional<HeadMeasurement> measurement_;
};

}  // namespace

Result<std::unique_ptr<AttentionPass>> AttentionPass::begin(
    const AttentionConfig& config, const LayerSchemes& given, const AttentionInput& input,
    Heads output, AttentionSaved& saved, AttentionScratch& scratch, Recorder* recorder) {
  WF_ASSIGN_OR_RETURN(const LayerSchemes schemes, acting(config, given));
  WF_RETURN_IF_ERROR(check_input(config, schemes, input));
  std::unique_ptr<HeadByHead> pass(
      new (std::nothrow) HeadByHead({config, schemes, input}, output, saved, scratch, recorder));
  if (!pass) return Status::error(Code::kOutOfMemory, "out of memory: an attention pass");
  WF_RETURN_IF_ERROR(pass->begin());
  return std::unique_ptr<AttentionPass>(std::move(pass));
}

Status attention_forward(const AttentionConfig& config, const LayerSchemes& given,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder) {
  WF_ASSIGN_OR_RETURN(const LayerSchemes schemes, acting(config, given));
  WF_RETURN_IF_ERROR(check_input(config, schemes, input));
  AttentionCall call(config, schemes, input);
  WF_RETURN_IF_ERROR(begin_forward(call, output, saved, scratch, recorder));
  HeadLane lane_states[kMaxLanes];
  const int lanes = recorder || schemes.surgery
                        ? 1
                        : lanes_of(call, 1.0 * config.num_heads * input.q.rows * input.k.rows *
                                             (config.head_dim + output.columns));
  for (int lane = 0; lane < lanes; ++lane)
    WF_RETURN_IF_ERROR(begin_lane(call, lane_scratch(lane, scratch)));
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
