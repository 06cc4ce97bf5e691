// Rescaling of vectors to a given length, for logits that are cosines, and its backward pass.
#pragma once

#include <algorithm>
#include <cmath>

#include "tensor/view.h"

namespace wf {

inline float row_length(const float* row, int columns) {
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += row[c] * row[c];
  return std::max(std::sqrt(sum), 1e-12f);
}

// Rescales each row to length `length`.
inline void set_lengths(float length, Matrix x) {
  for (int i = 0; i < x.rows; ++i) {
    const float factor = length / row_length(x.row(i), x.columns);
    for (int c = 0; c < x.columns; ++c) x.row(i)[c] *= factor;
  }
}

// Converts the gradient of those rows to that of the `raw` rows, in place. Adds to the gradient of
// the logarithm of the length, unless that is null.
inline void set_lengths_backward(float length, ConstMatrix raw, Matrix d_x, float* d_log_length) {
  for (int i = 0; i < d_x.rows; ++i) {
    const float inverse = 1 / row_length(raw.row(i), raw.columns);
    float along = 0;  // component of the gradient in the direction of the vector
    for (int c = 0; c < raw.columns; ++c) along += raw.row(i)[c] * inverse * d_x.row(i)[c];
    for (int c = 0; c < raw.columns; ++c)
      d_x.row(i)[c] = length * inverse * (d_x.row(i)[c] - raw.row(i)[c] * inverse * along);
    if (d_log_length) *d_log_length += length * along;
  }
}

}  // namespace wf
