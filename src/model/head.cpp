// The tied output head of a Transformer. Logits are V wide, so rows pass through in chunks.
#include <algorithm>
#include <cstring>

#include "kernels/cross_entropy.h"
#include "kernels/matmul.h"
#include "kernels/norm.h"
#include "kernels/softcap.h"
#include "model/transformer.h"

namespace wf {
namespace {

LossSum total_of(int rows, const std::int32_t* targets, const float* losses) {
  LossSum sum;
  for (int i = 0; i < rows; ++i) {
    if (targets[i] < 0) continue;
    sum.nats += static_cast<double>(losses[i]);
    ++sum.counted;
  }
  return sum;
}

int count_correct(ConstMatrix logits, const std::int32_t* targets) {
  int correct = 0;
  for (int i = 0; i < logits.rows; ++i) {
    const float* row = logits.row(i);
    correct += targets[i] >= 0 && std::max_element(row, row + logits.columns) == row + targets[i];
  }
  return correct;
}

}  // namespace

void Transformer::head(TransformerActivations& activations, int row0, int rows,
                       float* logits) const {
  const int e = config_.width, v = config_.vocab_size;
  const Operand table{values_.data() + table_.embedding(), e};
  matmul(rows, v, e, 1, {activations.final_in() + static_cast<std::size_t>(row0) * e, e},
         table.transposed(), logits, v, Accumulate::kNo, activations.scratch().matmul);
  if (config_.final_softcap > 0)
    for (int i = 0; i < rows; ++i)
      softcap_row(logits + static_cast<std::size_t>(i) * v, v, config_.final_softcap);
}

Status Transformer::forward_logits(const TokenBatch& batch, TransformerActivations& activations,
                                   float* logits) const {
  WF_RETURN_IF_ERROR(forward(batch, activations));
  head(activations, 0, batch.batch * batch.length, logits);
  return {};
}

Status Transformer::forward_last_logits(const TokenBatch& batch,
                                        TransformerActivations& activations, float* logits) const {
  WF_RETURN_IF_ERROR(forward(batch, activations));
  for (int b = 0; b < batch.batch; ++b) {
    const int last = (batch.lengths ? batch.lengths[b] : batch.length) - 1;
    head(activations, b * batch.length + last, 1,
         logits + static_cast<std::size_t>(b) * config_.vocab_size);
  }
  return {};
}

LossSum Transformer::head_losses(int rows, const std::int32_t* targets,
                                 TransformerActivations& activations) const {
  const int v = config_.vocab_size;
  int correct = 0;
  for (int row = 0; row < rows; row += kHeadRows) {
    const int count = std::min(kHeadRows, rows - row);
    head(activations, row, count, activations.logits());
    correct += count_correct({activations.logits(), count, v, v}, targets + row);
    cross_entropy({activations.logits(), count, v, v}, targets + row,
                  activations.row_losses() + row);
  }
  LossSum sum = total_of(rows, targets, activations.row_losses());
  sum.correct = correct;
  return sum;
}

LossSum Transformer::head_backward(int rows, const std::int32_t* targets, float weight,
                                   TransformerActivations& activations,
                                   Gradients& gradients) const {
  const int e = config_.width, v = config_.vocab_size;
  const float* table = values_.data() + table_.embedding();
  float* d_table = gradients.values() + table_.embedding();
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  for (int row = 0; row < rows; row += kHeadRows) {
    const int count = std::min(kHeadRows, rows - row);
    const std::size_t first = static_cast<std::size_t>(row) * e;
    float* logits = activations.logits();
    head(activations, row, count, logits);
    float* capped = activations.capped_logits();
    if (capped) std::copy_n(logits, static_cast<std::size_t>(count) * v, capped);
    cross_entropy_with_gradient({logits, count, v, v}, targets + row, weight,
                                activations.row_losses() + row);
    if (capped) softcap_row_backward(capped, count * v, config_.final_softcap, logits);
    matmul(count, e, v, 1, {logits, v}, {table, e}, space.normed + first, e, Accumulate::kNo,
           scratch);
    matmul(v, e, count, 1, Operand{logits, v}.transposed(), {activations.final_in() + first, e},
           d_table, e, Accumulate::kYes, scratch);
  }
  std::memset(space.stream, 0, static_cast<std::size_t>(rows) * e * sizeof(float));
  rms_norm_backward({activations.stream(), rows, e, e}, values_.data() + table_.final_norm(),
                    activations.final_rms(), {space.normed, rows, e, e}, {space.stream, rows, e, e},
                    gradients.values() + table_.final_norm());
  return total_of(rows, targets, activations.row_losses());
}

Result<LossSum> Transformer::loss(const TokenBatch& batch, const std::int32_t* targets,
                                  TransformerActivations& activations,
                                  std::span<const Surgery> surgeries) const {
  WF_RETURN_IF_ERROR(check_targets(batch, targets));
  WF_RETURN_IF_ERROR(forward(batch, activations, {}, surgeries));
  return head_losses(batch.batch * batch.length, targets, activations);
}

}  // namespace wf
