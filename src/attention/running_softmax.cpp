#include "attention/running_softmax.h"

#include <algorithm>
#include <cmath>

#include "kernels/simd.h"
#include "kernels/softmax.h"

namespace wf::detail {

int accumulator_width(const LayerScheme& item) {
  return item.has(kHookOutput) ? item.scheme->accumulator_width() : 0;
}

std::size_t accumulator_floats(const LayerSchemes& schemes) {
  int width = 0;
  for (const LayerScheme& item : schemes) width += accumulator_width(item);
  return std::size_t{kBlockRows} * width;
}

RunningSoftmax::RunningSoftmax(const LayerSchemes& schemes, Matrix output, float* memory,
                               float* accumulators)
    : output_(output),
      maximum_(memory),
      total_(memory + kBlockRows),
      accumulators_(accumulators),
      schemes_(schemes.count) {
  int* width = widths_;
  for (const LayerScheme& item : schemes) *width++ = accumulator_width(item);
}

void RunningSoftmax::clear() {
  const int rows = output_.rows;
  std::fill_n(maximum_, rows, kNothing);
  std::fill_n(total_, rows, 0.0f);
  for (int i = 0; i < rows; ++i) std::fill_n(output_.row(i), output_.columns, 0.0f);
  for_each_accumulator([&](int, float* values, int width) {
    std::fill_n(values, std::ptrdiff_t{rows} * width, 0.0f);
  });
}

void RunningSoftmax::rescale(int row, float factor) {
  scale_row(output_.row(row), output_.columns, factor);
  for_each_accumulator([&](int, float* values, int width) {
    scale_row(values + std::ptrdiff_t{row} * width, width, factor);
  });
}

void RunningSoftmax::take(int row, float* logits, int columns) {
  const float offset = offsets()[row];
  const float next = std::max(maximum_[row], row_maximum(logits, columns) + offset);
  if (next == kNothing) {
    std::fill_n(logits, columns, 0.0f);
    sums()[row] = 0;
    return;
  }
  // Sums that are much smaller than the new maximum's weight of 1 are negligible, and would become
  // subnormal.
  const float factor =
      maximum_[row] - next < simd::kMinExponent ? 0.0f : std::exp(maximum_[row] - next);
  if (factor != 1.0f) rescale(row, factor);
  sums()[row] = exponentials(logits, columns, next - offset);
  total_[row] = total_[row] * factor + sums()[row];
  maximum_[row] = next;
}

void RunningSoftmax::take_sink(int row, float sink) {
  offsets()[row] = 0;
  take(row, &sink, 1);
}

float RunningSoftmax::finish(int row) {
  if (!(total_[row] > 0)) return kNothing;
  scale_row(output_.row(row), output_.columns, 1 / total_[row]);
  return maximum_[row] + std::log(total_[row]);
}

float recompute_weights(float* logits, int columns, float log_sum_exp, float offset) {
  if (log_sum_exp != kNothing) return exponentials(logits, columns, log_sum_exp - offset);
  std::fill_n(logits, columns, 0.0f);
  return 0;
}

float softmax_with_sink(float* logits, int keys, const float* sink) {
  float max = row_maximum(logits, keys), of_sink = 0;
  if (sink) max = std::max(max, *sink), of_sink = std::exp(*sink - max);
  if (max == kNothing) {
    std::fill_n(logits, keys, 0.0f);
    return 0;
  }
  const float factor = 1 / (of_sink + exponentials(logits, keys, max));
  scale_row(logits, keys, factor);
  return of_sink * factor;
}

}  // namespace wf::detail
