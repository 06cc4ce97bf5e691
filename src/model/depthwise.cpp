#include "model/depthwise.h"

#include <algorithm>
#include <cstddef>

namespace wf {

const float* ConvolvedRows::row(int t, int back, int channels) const {
  if (t >= back)
    return !segments || segments[t] == segments[t - back]
               ? rows + std::ptrdiff_t{t - back} * channels
               : nullptr;
  return back - t <= earlier ? end_of_earlier + std::ptrdiff_t{t - back} * channels : nullptr;
}

void convolve_row(const ConvolvedRows& rows, int t, int channels, int taps, const float* weights,
                  const float* bias, float* y) {
  if (bias)
    std::copy_n(bias, channels, y);
  else
    std::fill_n(y, channels, 0.0f);
  for (int back = 0; back < taps; ++back) {
    const float* row = rows.row(t, back, channels);
    if (!row) return;
    const float* tap = weights + taps - 1 - back;
    for (int i = 0; i < channels; ++i) y[i] += tap[i * taps] * row[i];
  }
}

void convolve_backward(const ConvolvedRows& rows, int n, int channels, int taps,
                       const float* weights, const float* d_y, float* d_rows, float* d_weights,
                       float* d_bias) {
  for (int t = 0; t < n; ++t) {
    const float* d = d_y + std::ptrdiff_t{t} * channels;
    for (int i = 0; d_bias && i < channels; ++i) d_bias[i] += d[i];
    for (int back = 0; back < taps; ++back) {
      const float* row = rows.row(t, back, channels);
      if (!row) break;
      const int tap = taps - 1 - back;
      float* d_row = d_rows + std::ptrdiff_t{t - back} * channels;
      for (int i = 0; i < channels; ++i) {
        d_weights[i * taps + tap] += d[i] * row[i];
        d_row[i] += d[i] * weights[i * taps + tap];
      }
    }
  }
}

}  // namespace wf
