// From token ids to the input of the first block.
#include <cstring>

#include "model/block_norm.h"
#include "model/transformer.h"

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
                          const Positions& positions, float* narrow, Matrix x) const {
  const Weight table = model_weight(ModelTensor::kEmbedding);
  const bool has_pieces = config_.piece_count() > 0;
  const float* type_table = table_.of_model(values_.data(), ModelTensor::kTokenTypes);
  const float scale = config_.architecture.embedding_scale;
  const std::size_t width = config_.width;
  for (int t = 0; t < x.rows; ++t) {
    if (ids[t] < 0 || ids[t] >= config_.vocab_size) {
      return Status::error(Code::kInvalidArgument, "ids[%d] is %d; allowed: 0 to %d", t, ids[t],
                           config_.vocab_size - 1);
    }
    float* row = x.row(t);
    if (has_pieces)
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
    WF_RETURN_IF_ERROR(check_axes(*all[i].entry->description, "positions", positions));
    WF_RETURN_IF_ERROR(all[i].scheme->check_positions(positions));
    all[i].scheme->add_to_embeddings(embedding_context(positions, i, nullptr), x);
  }
  return {};
}

void Transformer::embed_backward(const TokenBatch& batch, const SequenceLayout& layout,
                                 TransformerActivations& activations, Gradients& gradients) const {
  const int e = config_.width;
  float* d_x = activations.backward().stream;
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
  const int e = config_.width;
  if (norm.weight)
    normalise(config_, {activations.embedding_in(), rows, e, e}, norm,
              {activations.embedded(), rows, e, e}, activations.embedding_rms());
}

void Transformer::finish_embeddings_backward(int rows, TransformerActivations& activations,
                                             Gradients& gradients) const {
  const NormTensors<const float> norm = norm_of(table_, values_.data());
  if (!norm.weight) return;
  const BackwardSpace& space = activations.backward();
  const int e = config_.width;
  const std::size_t bytes = static_cast<std::size_t>(rows) * e * sizeof(float);
  std::memcpy(space.normed, space.stream, bytes);
  std::memset(space.stream, 0, bytes);
  normalise_backward(config_, {activations.embedding_in(), rows, e, e}, norm,
                     activations.embedding_rms(), {space.normed, rows, e, e},
                     {space.stream, rows, e, e}, norm_of(table_, gradients.values()));
}

}  // namespace wf
