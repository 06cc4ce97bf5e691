#include "attention/head_operands.h"

namespace wf::detail {
namespace {

Status reserve_strips(Buffer<float>& buffer, int depth) {
  return buffer.reserve(strip_floats(kBlockRows, depth));
}

}  // namespace

Status PackedHead::by_rows(ConstMatrix x) {
  WF_RETURN_IF_ERROR(buffer.reserve(panel_floats(x.rows, x.columns)));
  panels = pack_panels({x.data, x.stride}, x.rows, x.columns, buffer.data());
  return {};
}

Status PackedHead::transposed(ConstMatrix x) {
  WF_RETURN_IF_ERROR(buffer.reserve(panel_floats(x.columns, x.rows)));
  panels = pack_panels(Operand{x.data, x.stride}.transposed(), x.columns, x.rows, buffer.data());
  return {};
}

Status HeadOperands::begin_head(ConstMatrix k, ConstMatrix v, bool is_first_of_group) {
  k_ = k;
  v_ = v;
  if (!packs_ || !is_first_of_group) return {};
  WF_RETURN_IF_ERROR(keys_.transposed(k));
  return values_.by_rows(v);
}

Status HeadOperands::begin_block(ConstMatrix q) {
  if (!packs_) return {};
  WF_RETURN_IF_ERROR(reserve_strips(q_strips_, q.columns));
  pack_strips({q.data, q.stride}, q.rows, q.columns, q_strips_.data());
  return {};
}

void HeadOperands::logits(const LogitTile& tile, float scale, MatmulScratch& scratch) const {
  if (!packs_)
    return matmul(tile.rows, tile.columns, k_.columns, scale, {tile.q.data, tile.q.stride},
                  Operand{tile.k.data, tile.k.stride}.transposed(), tile.logits, tile.stride,
                  Accumulate::kNo, scratch);
  multiply_panels(rounded_up(tile.rows, kStripRows), rounded_up(tile.columns, kPanelColumns),
                  k_.columns, scale, Strips::kPacked, q_strips_.data(),
                  keys_.panels.right_of(tile.column0), tile.logits, tile.stride, Accumulate::kNo);
}

void HeadOperands::add_values(const LogitTile& weights, Matrix output,
                              MatmulScratch& scratch) const {
  if (!packs_)
    return matmul(weights.rows, output.columns, weights.columns, 1,
                  {weights.logits, weights.stride}, {v_.row(weights.column0), v_.stride},
                  output.data, output.stride, Accumulate::kYes, scratch);
  multiply_panels(weights.rows, output.columns, weights.columns, 1, Strips::kTileRows,
                  weights.logits, values_.panels.below(weights.column0), output.data, output.stride,
                  Accumulate::kYes);
}

Status HeadOperands::begin_head_backward(ConstMatrix q, ConstMatrix d_output,
                                         bool is_first_of_group) {
  WF_RETURN_IF_ERROR(queries_.by_rows(q));
  WF_RETURN_IF_ERROR(d_outputs_.by_rows(d_output));
  if (!is_first_of_group) return {};
  WF_RETURN_IF_ERROR(keys_by_row_.by_rows(k_));
  return values_transposed_.transposed(v_);
}

Status HeadOperands::begin_block_backward(ConstMatrix d_output) {
  WF_RETURN_IF_ERROR(reserve_strips(d_output_strips_, d_output.columns));
  pack_strips({d_output.data, d_output.stride}, d_output.rows, d_output.columns,
              d_output_strips_.data());
  return {};
}

void HeadOperands::weight_gradients(const LogitTile& weights, float* d_weights) const {
  multiply_panels(rounded_up(weights.rows, kStripRows), rounded_up(weights.columns, kPanelColumns),
                  v_.columns, 1, Strips::kPacked, d_output_strips_.data(),
                  values_transposed_.panels.right_of(weights.column0), d_weights, weights.stride,
                  Accumulate::kNo);
}

void HeadOperands::add_value_gradients(const LogitTile& weights, Matrix d_v) const {
  multiply_panels(weights.columns, d_v.columns, weights.rows, 1, Strips::kTileColumns,
                  weights.logits, d_outputs_.panels.below(weights.row0), d_v.data, d_v.stride,
                  Accumulate::kYes);
}

void HeadOperands::add_query_key_gradients(const LogitTile& tile, float scale,
                                           const float* d_logits, Matrix d_q, Matrix d_k) const {
  multiply_panels(tile.rows, d_q.columns, tile.columns, scale, Strips::kTileRows, d_logits,
                  keys_by_row_.panels.below(tile.column0), d_q.data, d_q.stride, Accumulate::kYes);
  multiply_panels(tile.columns, d_k.columns, tile.rows, scale, Strips::kTileColumns, d_logits,
                  queries_.panels.below(tile.row0), d_k.data, d_k.stride, Accumulate::kYes);
}

}  // namespace wf::detail
