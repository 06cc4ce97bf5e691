// A causal convolution of each channel with a few taps of its own.
#pragma once

#include <cstdint>

namespace wf {

// Rows of a sequence, of which the call has those from `rows` on.
struct ConvolvedRows {
  const float* rows;  // [n,channels]
  const float* end_of_earlier;  // of `earlier` rows, or null
  int earlier;
  const std::int32_t* segments;  // [n] of the call's tokens, or null

  // The row `back` rows before row t; null if there is none in its segment.
  const float* row(int t, int back, int channels) const;
};

// y [channels] = bias (or null) + Σ taps · rows of the last tokens up to token t. `weights`:
// [channels,taps].
void convolve_row(const ConvolvedRows& rows, int t, int channels, int taps, const float* weights,
                  const float* bias, float* y);

// From d_y [n,channels] to d_rows, d_weights and d_bias (or null), to which it adds. Without
// earlier rows.
void convolve_backward(const ConvolvedRows& rows, int n, int channels, int taps,
                       const float* weights, const float* d_y, float* d_rows, float* d_weights,
                       float* d_bias);

}  // namespace wf
