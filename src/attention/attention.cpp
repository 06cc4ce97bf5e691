#include "attention/attention.h"

#include <algorithm>
#include <cmath>

#include "attention/attention_call.h"
#include "attention/recorder.h"
#include "kernels/softmax.h"

namespace wf {
namespace {

using namespace detail;

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

void forward_block(const AttentionCall& call, AttentionScratch& scratch, int head, int row0, int rows,
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

}  // namespace

Result<AttentionScratch> AttentionScratch::make() {
  AttentionScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.matmul, MatmulScratch::make());
  // Three tiles for backward, and a row for its softcap.
  WF_RETURN_IF_ERROR(scratch.tiles.reserve(3 * kTileFloats + kBlockColumns));
  WF_RETURN_IF_ERROR(scratch.running.reserve(2 * kBlockRows));
  return scratch;
}

Status attention_forward(const AttentionConfig& config, const LayerSchemes& schemes,
                         const AttentionInput& input, Heads output, AttentionSaved& saved,
                         AttentionScratch& scratch, Recorder* recorder) {
  WF_RETURN_IF_ERROR(check_input(config, input));
  WF_RETURN_IF_ERROR(check_heads("output", output, config.num_heads, input.q.rows, value_dim(config)));
  AttentionCall call(config, schemes, input);
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

Status transform_keys(const AttentionConfig& config, const LayerSchemes& schemes,
                      const Positions& positions, Heads k, AttentionScratch& scratch) {
  if (!schemes.any(kHookTransform)) return {};
  const AttentionInput input = {.q = {}, .k = k, .v = {}, .query_positions = positions,
                                .key_positions = positions, .mask = {}};
  const AttentionCall call(config, schemes, input);
  WF_RETURN_IF_ERROR(refresh_tables(schemes, positions, scratch.key_tables));
  for (int h = 0; h < k.heads; ++h)
    transform_head(call, Projection::kKey, h, positions, scratch.key_tables, k.head(h));
  return {};
}

}  // namespace wf
