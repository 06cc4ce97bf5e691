// The output head of a Transformer, and the norm before it. Logits have V columns, so rows are
// processed in chunks.
#include <algorithm>
#include <cstring>

#include "kernels/adaptive_softmax.h"
#include "kernels/cross_entropy.h"
#include "kernels/dot.h"
#include "kernels/matmul.h"
#include "kernels/softcap.h"
#include "model/block_norm.h"
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

// The matrix of the head: the embedding, or a separate one.
ModelTensor head_tensor(const ModelConfig& config) {
  return config.architecture.head == Head::kOwn ? ModelTensor::kHead : ModelTensor::kEmbedding;
}

template <class Float>
NormTensors<Float> final_norm(const ParameterTable& table, Float* base) {
  return {table.of_model(base, ModelTensor::kFinalNorm),
          table.of_model(base, ModelTensor::kFinalNormBias)};
}

}  // namespace

Status Transformer::check_head() const {
  if (config_.architecture.head != Head::kNone) return {};
  return Status::error(Code::kUnsupported,
                       "the model has no output head, so it has no logits of tokens");
}

void Transformer::finish_stream(int row0, int rows, TransformerActivations& activations) const {
  normalise_stream(activations.stream() + elements_of(row0, config_.width), rows,
                   activations.final_in(), activations.final_rms());
}

void Transformer::normalise_stream(const float* stream, int rows, float* final_in,
                                   float* inverse_rms) const {
  const int e = config_.width;
  const NormTensors<const float> norm = final_norm(table_, values_.data());
  if (norm.weight)
    normalise(config_, {stream, rows, e, e}, norm, {final_in, rows, e, e}, inverse_rms);
  else
    std::memcpy(final_in, stream, static_cast<std::size_t>(rows) * e * sizeof(float));
}

void Transformer::finish_stream_backward(int rows, TransformerActivations& activations,
                                         Gradients& gradients) const {
  const int e = config_.width;
  const std::size_t bytes = static_cast<std::size_t>(rows) * e * sizeof(float);
  const BackwardSpace& space = activations.backward();
  const NormTensors<const float> norm = final_norm(table_, values_.data());
  if (!norm.weight) {
    std::memcpy(space.stream, space.normed, bytes);
    return;
  }
  std::memset(space.stream, 0, bytes);
  normalise_backward(config_, {activations.stream(), rows, e, e}, norm, activations.final_rms(),
                     {space.normed, rows, e, e}, {space.stream, rows, e, e},
                     final_norm(table_, gradients.values()));
}

void Transformer::head(TransformerActivations& activations, int row0, int rows,
                       float* logits) const {
  head_of(activations.final_in() + elements_of(row0, config_.width), rows, activations, logits);
}

void Transformer::head_of(const float* final_in, int rows, TransformerActivations& activations,
                          float* logits) const {
  // Narrower tables need scratch memory, which holds kHeadRows rows.
  const int at_once = config_.piece_count() ? kHeadRows : rows;
  for (int row = 0; row < rows; row += at_once)
    head_rows(final_in + elements_of(row, config_.width), std::min(at_once, rows - row),
              activations, logits + elements_of(row, config_.vocab_size));
}

void Transformer::head_rows(const float* final_in, int rows, TransformerActivations& activations,
                            float* logits) const {
  const int e = config_.width, v = config_.vocab_size;
  const float* bias = table_.of_model(values_.data(), ModelTensor::kHeadBias);
  const float scale = config_.architecture.logit_scale;
  const float* reads = final_in;
  int width = e;
  if (config_.piece_count()) {
    score_pieces(reads, rows, activations, logits);
    reads = activations.narrow();
    width = config_.architecture.embedding_width;
  } else {
    multiply_by(rows, e, v, reads, model_weight(head_tensor(config_)), logits, v, Accumulate::kNo,
                activations.scratch().matmul, scale);
  }
  for (int i = 0; bias && i < rows; ++i)
    for (int j = 0; j < v; ++j) logits[static_cast<std::size_t>(i) * v + j] += scale * bias[j];
  if (config_.final_softcap > 0)
    for (int i = 0; i < rows; ++i)
      softcap_row(logits + static_cast<std::size_t>(i) * v, v, config_.final_softcap);
  if (!config_.architecture.cluster_count) return;
  for (int i = 0; i < rows; ++i)
    finish_scores(reads + elements_of(i, width), width, logits + static_cast<std::size_t>(i) * v);
}

void Transformer::finish_scores(const float* reads, int width, float* logits) const {
  const Architecture& a = config_.architecture;
  const float* weights = table_.of_model(values_.data(), ModelTensor::kClusters);
  const float* bias = table_.of_model(values_.data(), ModelTensor::kClusterBias);
  float scores[kMaxClusters];
  for (int i = 0; i < a.cluster_count; ++i)
    scores[i] =
        a.logit_scale * (dot(reads, weights + elements_of(i, width), width) + (bias ? bias[i] : 0));
  adaptive_log_softmax(logits, config_.vocab_size, a.clusters(), scores);
}

void Transformer::adaptive_backward(const float* reads, int width, std::int32_t target,
                                    float weight, float* logits, float* d_reads,
                                    Gradients& gradients) const {
  const Architecture& a = config_.architecture;
  const float* weights = table_.of_model(values_.data(), ModelTensor::kClusters);
  float* d_weights = table_.of_model(gradients.values(), ModelTensor::kClusters);
  float* d_bias = table_.of_model(gradients.values(), ModelTensor::kClusterBias);
  float d_scores[kMaxClusters];
  adaptive_log_softmax_backward(logits, config_.vocab_size, a.clusters(), target, weight, d_scores);
  std::fill_n(d_reads, width, 0.0f);
  for (int i = 0; i < a.cluster_count; ++i) {
    const float d = a.logit_scale * d_scores[i];
    add_scaled(d, weights + elements_of(i, width), width, d_reads);
    add_scaled(d, reads, width, d_weights + elements_of(i, width));
    if (d_bias) d_bias[i] += d;
  }
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
  const float* table = table_.of_model(values_.data(), head_tensor(config_));
  float* d_table = table_.of_model(gradients.values(), head_tensor(config_));
  float* d_bias = table_.of_model(gradients.values(), ModelTensor::kHeadBias);
  const float scale = config_.architecture.logit_scale;
  const BackwardSpace& space = activations.backward();
  MatmulScratch& scratch = activations.scratch().matmul;
  for (int row = 0; row < rows; row += kHeadRows) {
    const int count = std::min(kHeadRows, rows - row);
    const std::size_t first = static_cast<std::size_t>(row) * e;
    float* logits = activations.logits();
    head(activations, row, count, logits);
    float* capped = activations.capped_logits();
    if (capped) std::copy_n(logits, static_cast<std::size_t>(count) * v, capped);
    const bool is_adaptive = config_.architecture.cluster_count > 0;
    const bool has_pieces = config_.piece_count() > 0;
    const float* final_in = activations.final_in() + first;
    float* d_final_in = space.normed + first;
    if (is_adaptive) {
      cross_entropy({logits, count, v, v}, targets + row, activations.row_losses() + row);
      const int width = has_pieces ? config_.architecture.embedding_width : e;
      for (int i = 0; i < count; ++i) {
        const std::size_t at = elements_of(i, width);
        adaptive_backward((has_pieces ? activations.narrow() : final_in) + at, width,
                          targets[row + i], weight, logits + static_cast<std::size_t>(i) * v,
                          (has_pieces ? activations.d_narrow() : d_final_in) + at, gradients);
      }
    } else {
      cross_entropy_with_gradient({logits, count, v, v}, targets + row, weight,
                                  activations.row_losses() + row);
    }
    if (capped) softcap_row_backward(capped, count * v, config_.final_softcap, logits);
    if (has_pieces) {
      score_pieces_backward(final_in, count, activations, d_final_in, gradients);
    } else {
      matmul(count, e, v, scale, {logits, v}, {table, e}, d_final_in, e,
             is_adaptive ? Accumulate::kYes : Accumulate::kNo, scratch);
      matmul(v, e, count, scale, Operand{logits, v}.transposed(), {final_in, e}, d_table, e,
             Accumulate::kYes, scratch);
    }
    for (int i = 0; d_bias && i < count; ++i)
      for (int j = 0; j < v; ++j) d_bias[j] += scale * logits[static_cast<std::size_t>(i) * v + j];
  }
  finish_stream_backward(rows, activations, gradients);
  return total_of(rows, targets, activations.row_losses());
}

}  // namespace wf
