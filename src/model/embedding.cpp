#include "model/transformer.h"

#include <algorithm>
#include <cstring>

#include "format.h"
#include "kernels/dot.h"
#include "model/block_norm.h"

namespace wf {
namespace {

template <class Float>
NormTensors<Float> norm_of(const ParameterTable& table, Float* base) {
  return {table.of_model(base, ModelTensor::kEmbeddingNorm),
          table.of_model(base, ModelTensor::kEmbeddingNormBias)};
}

void add_row(const float* source, int count, float scale, float* target) {
  for (int i = 0; i < count; ++i) target[i] += scale * source[i];
}

TensorInfo matrix_of(PieceTensor which, int index, int rows, int columns, float deviation) {
  constexpr const char* kNames[] = {"model.embed_tokens", "model.embed_projections",
                                    "lm_head.projections", "lm_head.tables"};
  TensorInfo info;
  format_text(info.name, sizeof(info.name), "%s.%d.weight", kNames[static_cast<int>(which)], index);
  info.rows = rows;
  info.columns = columns;
  info.decays = true;
  info.deviation = deviation;
  return info;
}

PieceTensor head_table_of(const ModelConfig& config) {
  return config.architecture.head == Head::kOwn ? PieceTensor::kHeadTable : PieceTensor::kTable;
}

}  // namespace

// Uses the parameters of a scheme in the first layer that has it.
LayerContext Transformer::embedding_context(const Positions& positions, int instance,
                                            Gradients* gradients) const {
  LayerContext context;
  context.query_positions = positions;
  context.key_positions = positions;
  context.is_causal = config_.is_causal;
  for (int layer = 0; layer < config_.num_layers; ++layer) {
    const int layer_type = config_.layer_type_of[layer];
    for (int i = 0; i < schemes_.count_in(layer_type); ++i) {
      if (schemes_.index(layer_type, i) != instance) continue;
      const LayerScheme item = layer_schemes(layer, gradients).items[i];
      context.values = item.values;
      context.gradients = item.gradients;
      return context;
    }
  }
  return context;
}

Status Transformer::embed(const std::int32_t* ids, const std::int32_t* types,
                          const Positions& positions, float* narrow, Matrix x,
                          const float* vectors) const {
  const Weight table = model_weight(ModelTensor::kEmbedding);
  const bool has_pieces = config_.piece_count() > 0;
  const float* type_table = table_.of_model(values_.data(), ModelTensor::kTokenTypes);
  const float scale = config_.architecture.embedding_scale;
  const std::size_t width = x.columns;
  for (int t = 0; t < x.rows; ++t) {
    if (!vectors && (ids[t] < 0 || ids[t] >= config_.vocab_size)) {
      return WF_UNEXPECTED("ids[%d]", "%d", "0 to %d", t, ids[t], config_.vocab_size - 1);
    }
    float* row = x.row(t);
    if (vectors)
      std::memcpy(row, vectors + t * width, width * sizeof(float));
    else if (has_pieces)
      embed_piece(ids[t], narrow, row);
    else if (table.quantised)
      dequantise_rows(*table.quantised, ids[t], 1, row);
    else
      std::memcpy(row, table.values + ids[t] * width, width * sizeof(float));
    if (scale != 1)
      for (std::size_t i = 0; i < width; ++i) row[i] *= scale;
    if (!type_table) continue;
    const float* type = type_table + (types ? types[t] : 0) * width;
    for (std::size_t i = 0; i < width; ++i) row[i] += type[i];
  }
  const std::span<const SchemeInstance> all = schemes();
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (!all[i].has(kHookEmbeddings)) continue;
    WF_RETURN_IF_ERROR(check_axes(all[i].description(), "positions", positions));
    WF_RETURN_IF_ERROR(all[i].scheme->check_positions(positions));
    all[i].scheme->add_to_embeddings(embedding_context(positions, i, nullptr), x);
  }
  return {};
}

void Transformer::embed_backward(const TokenBatch& batch, const SequenceLayout& layout,
                                 TransformerActivations& activations, Gradients& gradients) const {
  const int e = config_.input_width();
  const BackwardSpace& space = activations.backward();
  float* d_x = config_.architecture.input_width ? space.inputs : space.stream;
  // First through the schemes in reverse: one that scales the token vectors scales their gradient.
  const std::span<const SchemeInstance> all = schemes();
  for (int i = static_cast<int>(all.size()) - 1; i >= 0; --i) {
    if (!all[i].has(kHookEmbeddings)) continue;
    const LayerContext context =
        embedding_context(embedding_positions(batch, layout), i, &gradients);
    for (int b = 0; b < layout.batch; ++b) {
      float* rows = d_x + static_cast<std::size_t>(b) * layout.length * e;
      all[i].scheme->add_to_embeddings_backward(context, {rows, layout.length, e, e});
    }
  }
  float* d_table = table_.of_model(gradients.values(), ModelTensor::kEmbedding);
  float* d_types = table_.of_model(gradients.values(), ModelTensor::kTokenTypes);
  for (int i = 0; i < layout.rows(); ++i) {
    const float* source = d_x + static_cast<std::size_t>(i) * e;
    if (d_table)
      add_row(source, e, config_.architecture.embedding_scale,
              d_table + static_cast<std::size_t>(batch.ids[i]) * e);
    else
      embed_piece_backward(batch.ids[i], source, gradients);
    if (!d_types) continue;
    const int type = batch.types ? batch.types[i] : 0;
    add_row(source, e, 1, d_types + static_cast<std::size_t>(type) * e);
  }
}

void Transformer::finish_embeddings(int rows, TransformerActivations& activations) const {
  const NormTensors<const float> norm = norm_of(table_, values_.data());
  const int e = config_.input_width();
  float* normed = activations.embedding_normed();
  if (norm.weight)
    normalise(config_, {activations.embedding_in(), rows, e, e}, norm, {normed, rows, e, e},
              activations.embedding_rms());
  if (config_.architecture.input_width)
    project(rows, e, config_.width, normed, {of_model(ModelTensor::kInputProjection), nullptr},
            of_model(ModelTensor::kInputProjectionBias), activations.embedded(), Accumulate::kNo,
            activations.scratch().matmul);
}

void Transformer::finish_embeddings_backward(int rows, TransformerActivations& activations,
                                             Gradients& gradients) const {
  const NormTensors<const float> norm = norm_of(table_, values_.data());
  const BackwardSpace& space = activations.backward();
  const int e = config_.input_width();
  const bool projects = config_.architecture.input_width;
  float* d_in = projects ? space.inputs : space.stream;
  float* d_normed = projects ? space.normed_inputs : space.normed;
  const std::size_t bytes = static_cast<std::size_t>(rows) * e * sizeof(float);
  if (projects) {
    MatmulScratch& scratch = activations.scratch().matmul;
    project_back(rows, e, config_.width, space.stream, of_model(ModelTensor::kInputProjection),
                 d_in, Accumulate::kNo, scratch);
    add_weight_gradient(rows, e, config_.width, space.stream, activations.embedding_normed(),
                        table_.of_model(gradients.values(), ModelTensor::kInputProjection),
                        table_.of_model(gradients.values(), ModelTensor::kInputProjectionBias),
                        scratch);
  }
  if (!norm.weight) return;
  std::memcpy(d_normed, d_in, bytes);
  std::memset(d_in, 0, bytes);
  normalise_backward(config_, {activations.embedding_in(), rows, e, e}, norm,
                     activations.embedding_rms(), {d_normed, rows, e, e}, {d_in, rows, e, e},
                     norm_of(table_, gradients.values()));
}

// ---- Embedding tables that are narrower than the model, one for each piece of the vocabulary,
// with projections between table and model: for a token's vector, and for its logit

void ParameterTable::add_pieces(const ModelConfig& config, std::uint64_t& offset) {
  for (int i = 0; i < config.piece_count(); ++i) {
    const TokenPiece piece = config.piece(i);
    for (int t = 0; t < tensors_of_piece_; ++t) {
      const auto which = static_cast<PieceTensor>(t);
      const bool is_table = which == PieceTensor::kTable || which == PieceTensor::kHeadTable;
      TensorInfo info = matrix_of(which, i, is_table ? piece.count : config.width, piece.width,
                                  config.initializer_range);
      // At least one byte a number, as for all embedding tables; the projections are comparatively
      // small.
      if (is_table) info.type = type_ == WeightType::kInt4 ? WeightType::kInt8 : type_;
      add(info, offset);
    }
  }
}

int Transformer::piece_of(int id) const {
  const std::span<const int> cutoffs = config_.architecture.clusters();
  return static_cast<int>(std::upper_bound(cutoffs.begin(), cutoffs.end(), id) - cutoffs.begin());
}

void Transformer::embed_piece(int id, float* narrow, float* x) const {
  const int index = piece_of(id);
  const TokenPiece piece = config_.piece(index);
  const TensorInfo& table = table_.piece_tensor(index, PieceTensor::kTable);
  const float* projection =
      values_.data() + table_.piece_tensor(index, PieceTensor::kProjection).offset;
  const int row = id - piece.first;
  const float* token = narrow;
  if (table.type == WeightType::kF32)
    token = values_.data() + table.offset + elements_of(row, piece.width);
  else
    dequantise_rows(table_.quantised(table, quantised_.data()), row, 1, narrow);
  for (int c = 0; c < config_.width; ++c)
    x[c] = dot(projection + elements_of(c, piece.width), token, piece.width);
}

void Transformer::embed_piece_backward(int id, const float* d_x, Gradients& gradients) const {
  const int index = piece_of(id);
  const TokenPiece piece = config_.piece(index);
  const std::size_t row = table_.piece_tensor(index, PieceTensor::kTable).offset +
                          elements_of(id - piece.first, piece.width);
  const std::size_t projection = table_.piece_tensor(index, PieceTensor::kProjection).offset;
  const float* values = values_.data();
  float* d_values = gradients.values();
  for (int c = 0; c < config_.width; ++c) {
    const std::size_t at = projection + elements_of(c, piece.width);
    const float d = config_.architecture.embedding_scale * d_x[c];
    add_scaled(d, values + row, piece.width, d_values + at);
    add_scaled(d, values + at, piece.width, d_values + row);
  }
}

void Transformer::score_pieces(const float* final_in, int rows, TransformerActivations& activations,
                               float* logits) const {
  const int e = config_.width, v = config_.vocab_size;
  MatmulScratch& scratch = activations.scratch().matmul;
  float* narrow = activations.narrow();
  // The first piece last: the clusters are scored from its input.
  for (int i = config_.piece_count() - 1; i >= 0; --i) {
    const TokenPiece piece = config_.piece(i);
    const TensorInfo& table = table_.piece_tensor(i, head_table_of(config_));
    QuantisedMatrix quantised;
    Weight weight = {values_.data() + table.offset, nullptr};
    if (table.type != WeightType::kF32) {
      quantised = table_.quantised(table, quantised_.data());
      weight = {nullptr, &quantised};
    }
    project_back(rows, piece.width, e, final_in,
                 values_.data() + table_.piece_tensor(i, PieceTensor::kHeadProjection).offset,
                 narrow, Accumulate::kNo, scratch);
    multiply_by(rows, piece.width, piece.count, narrow, weight, logits + piece.first, v,
                Accumulate::kNo, scratch, config_.architecture.logit_scale);
  }
}

void Transformer::score_pieces_backward(const float* final_in, int rows,
                                        TransformerActivations& activations, float* d_final_in,
                                        Gradients& gradients) const {
  const int e = config_.width, v = config_.vocab_size;
  const float scale = config_.architecture.logit_scale;
  MatmulScratch& scratch = activations.scratch().matmul;
  float* narrow = activations.narrow();
  float* d_narrow = activations.d_narrow();
  for (int i = 0; i < config_.piece_count(); ++i) {
    const TokenPiece piece = config_.piece(i);
    const int w = piece.width;
    const std::size_t table = table_.piece_tensor(i, head_table_of(config_)).offset;
    const std::size_t at = table_.piece_tensor(i, PieceTensor::kHeadProjection).offset;
    const float* projection = values_.data() + at;
    const float* d_logits = activations.logits() + piece.first;
    if (i > 0) project_back(rows, w, e, final_in, projection, narrow, Accumulate::kNo, scratch);
    matmul(piece.count, w, rows, scale, Operand{d_logits, v}.transposed(), {narrow, w},
           gradients.values() + table, w, Accumulate::kYes, scratch);
    // The gradient of the first piece already contains the clusters' part.
    const bool has_share = i == 0 && config_.architecture.cluster_count > 0;
    matmul(rows, w, piece.count, scale, {d_logits, v}, {values_.data() + table, w}, d_narrow, w,
           has_share ? Accumulate::kYes : Accumulate::kNo, scratch);
    matmul(e, w, rows, 1, Operand{final_in, e}.transposed(), {d_narrow, w}, gradients.values() + at,
           w, Accumulate::kYes, scratch);
    multiply_by(rows, w, e, d_narrow, {projection, nullptr}, d_final_in, e,
                i > 0 ? Accumulate::kYes : Accumulate::kNo, scratch, 1);
  }
}

}  // namespace wf
