#include "kernels/cross_entropy.h"

#include <cmath>

#include "kernels/softmax.h"

namespace wf {

void cross_entropy_with_gradient(Matrix logits, const std::int32_t* targets, float weight,
                                 float* loss) {
  for (int t = 0; t < logits.rows; ++t) {
    float* row = logits.row(t);
    const int target = targets[t];
    if (target < 0) {
      for (int v = 0; v < logits.columns; ++v) row[v] = 0;
      if (loss) loss[t] = 0;
      continue;
    }
    const float at_target = row[target];
    const float maximum = row_maximum(row, logits.columns);
    const float total = exponentials(row, logits.columns, maximum);
    scale_row(row, logits.columns, weight / total);
    row[target] -= weight;
    if (loss) loss[t] = std::log(total) + maximum - at_target;
  }
}

void cross_entropy(ConstMatrix logits, const std::int32_t* targets, float* loss) {
  for (int t = 0; t < logits.rows; ++t) {
    const float* row = logits.row(t);
    if (targets[t] < 0) {
      loss[t] = 0;
      continue;
    }
    const float maximum = row_maximum(row, logits.columns);
    loss[t] =
        std::log(sum_of_exponentials(row, logits.columns, maximum)) + maximum - row[targets[t]];
  }
}

}  // namespace wf
