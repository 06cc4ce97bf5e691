#include "schemes/projected_table.h"

#include "kernels/layer_norm.h"

namespace wf {
namespace {

constexpr float kEpsilon = 1e-7f;  // as in all published models

}  // namespace

ProjectedTable::ProjectedTable(const Sizes& sizes) : sizes_(sizes) {
  add("rel_embeddings", sizes.rows, ParameterScope::kModel);
  first_projection_ = count_;
  if (!sizes.shares) {
    add("pos_key_proj", sizes.key_width, ParameterScope::kLayer);
    add("pos_query_proj", sizes.query_width, ParameterScope::kLayer);
  }
  norm_ = count_;
  if (!sizes.normalises) return;
  ParameterSpec& weight = add("LayerNorm.weight", 1, ParameterScope::kModel);
  weight.initialiser = Initialiser::kConstant;
  weight.deviation = 1;
  weight.decays = false;
  ParameterSpec& bias = add("LayerNorm.bias", 1, ParameterScope::kModel);
  bias.initialiser = Initialiser::kZero;
  bias.decays = false;
}

ParameterSpec& ProjectedTable::add(const char* name, int rows, ParameterScope scope) {
  specs_[count_] = {.name = name,
                    .rows = rows,
                    .columns = sizes_.width,
                    .scope = scope,
                    .initialiser = Initialiser::kNormal,
                    .decays = true};
  return specs_[count_++];
}

void ProjectedTable::fill(const LayerContext& context, float* table, MatmulScratch& scratch) const {
  const float* positions = context.values[0];
  if (sizes_.normalises) {
    float* normed = table + normed_at();
    layer_norm(whole(positions), context.values[norm_], context.values[norm_ + 1], kEpsilon,
               whole(normed));
    positions = normed;
  }
  const auto project = [&](const float* weight, const float* bias, int columns, float* result) {
    matmul(sizes_.rows, columns, sizes_.width, 1, {positions, sizes_.width},
           Operand{weight, sizes_.width}.transposed(), result, columns, Accumulate::kNo, scratch);
    for (int row = 0; bias && row < sizes_.rows; ++row)
      for (int c = 0; c < columns; ++c) result[std::ptrdiff_t{row} * columns + c] += bias[c];
  };
  // The layer's projections include its biases.
  const LayerProjections& layer = context.projections;
  project(key_weight(context), layer.key_bias, sizes_.key_width, table);
  project(query_weight(context), layer.query_bias, sizes_.query_width, table + queries_at());
}

void ProjectedTable::backward(const LayerContext& context, MatmulScratch& scratch) const {
  if (!context.gradients) return;
  const bool normalises = sizes_.normalises;
  const LayerProjections& layer = context.projections;
  const float* positions = normalises ? context.table + normed_at() : context.values[0];
  float* d_positions = normalises ? context.d_table + normed_at() : context.gradients[0];
  // From the gradient of P·Wᵀ [rows, columns] to those of the positions P and the weights W
  // [columns, E].
  const auto project_backward = [&](const float* d, int columns, const float* weight,
                                    float* d_weight, float* d_bias) {
    for (int row = 0; d_bias && row < sizes_.rows; ++row)
      for (int c = 0; c < columns; ++c) d_bias[c] += d[std::ptrdiff_t{row} * columns + c];
    matmul(sizes_.rows, sizes_.width, columns, 1, {d, columns}, {weight, sizes_.width}, d_positions,
           sizes_.width, Accumulate::kYes, scratch);
    if (d_weight)
      matmul(columns, sizes_.width, sizes_.rows, 1, Operand{d, columns}.transposed(),
             {positions, sizes_.width}, d_weight, sizes_.width, Accumulate::kYes, scratch);
  };
  project_backward(context.d_table, sizes_.key_width, key_weight(context),
                   sizes_.shares ? layer.d_key : context.gradients[first_projection_],
                   layer.d_key_bias);
  project_backward(context.d_table + queries_at(), sizes_.query_width, query_weight(context),
                   sizes_.shares ? layer.d_query : context.gradients[first_projection_ + 1],
                   layer.d_query_bias);
  if (normalises)
    layer_norm_backward(whole(context.values[0]), context.values[norm_], kEpsilon,
                        whole(d_positions), whole(context.gradients[0]), context.gradients[norm_],
                        context.gradients[norm_ + 1]);
}

}  // namespace wf
