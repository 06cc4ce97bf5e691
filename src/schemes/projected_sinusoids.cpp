#include "schemes/projected_sinusoids.h"

#include <algorithm>

#include "schemes/frequencies.h"
#include "tensor/extent.h"

namespace wf {

// Number of rows that are projected together: whole strips of the product.
constexpr int kTogether = 240;

std::size_t ProjectedSinusoids::floats(const LayerContext& context) const {
  const std::size_t rows = context.distances.rows();
  const std::size_t kept = context.gradients ? rows : std::min<std::size_t>(rows, kTogether);
  return added(elements_of(rows, row_floats(context)), elements_of(kept, width()));
}

void ProjectedSinusoids::fill_sinusoid(int offset, float* row) const {
  if (clamp_ > 0) offset = std::clamp(offset, -clamp_, clamp_);
  const std::int32_t at = offset;
  rotation_table({&at, 1, 1}, frequencies_.data(), width() / 2, 1, row + width() / 2, row);
}

void ProjectedSinusoids::fill(const LayerContext& context, const float* weights, float* table,
                              MatmulScratch& scratch) const {
  const std::size_t rows = context.distances.rows();
  const int columns = row_floats(context);
  weights += std::ptrdiff_t{context.first_head} * head_dim_ * width();
  float* kept = table + rows * columns;
  context.distances.for_each_row([&](std::size_t row, int r) {
    const std::size_t first = row / kTogether * kTogether;
    float* sinusoids = context.gradients ? kept + first * width() : kept;
    fill_sinusoid(-r, sinusoids + (row - first) * width());
    const int filled = static_cast<int>(row - first) + 1;
    if (filled == kTogether || row + 1 == rows)
      matmul(filled, columns, width(), 1, {sinusoids, width()},
             Operand{weights, width()}.transposed(), table + first * columns, columns,
             Accumulate::kNo, scratch);
  });
}

void ProjectedSinusoids::backward(const LayerContext& context, float* d_weights,
                                  MatmulScratch& scratch) const {
  const std::size_t rows = context.distances.rows();
  const int columns = row_floats(context);
  matmul(columns, width(), static_cast<int>(rows), 1,
         Operand{context.d_table, columns}.transposed(), {context.table + rows * columns, width()},
         d_weights, width(), Accumulate::kYes, scratch);
}

}  // namespace wf
