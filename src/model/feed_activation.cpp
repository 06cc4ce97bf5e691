#include "model/feed_activation.h"

#include <algorithm>

#include "executor.h"

namespace wf {
namespace {

// The numbers of gate and up that the limits changed have no gradient.
void limit_backward(const Architecture& architecture, std::size_t count, const float* gate,
                    const float* up, float* d_gate, float* d_up) {
  const float limit = architecture.gate_limit, offset = architecture.up_offset;
  for (std::size_t i = 0; i < count; ++i) {
    if (gate[i] >= limit) d_gate[i] = 0;
    if (up[i] >= offset + limit || up[i] <= offset - limit) d_up[i] = 0;
  }
}

void limit_rows(const Architecture& architecture, std::size_t count, float* gate, float* up) {
  const float limit = architecture.gate_limit, offset = architecture.up_offset;
  for (std::size_t i = 0; i < count; ++i) {
    if (limit > 0) {
      gate[i] = std::min(gate[i], limit);
      up[i] = std::clamp(up[i], -limit, limit);
    }
    up[i] += offset;
  }
}

}  // namespace

void activate_rows(const Architecture& architecture, int m, int f, float* all_gate, float* all_up,
                   float* all_hidden) {
  const bool is_limited = architecture.gate_limit > 0 || architecture.up_offset != 0;
  share_numbers(m, f, [&](int first, int rows) {
    const std::ptrdiff_t begin = std::ptrdiff_t{first} * f;
    const std::size_t count = static_cast<std::size_t>(rows) * f;
    float *gate = all_gate + begin, *up = all_up + begin, *hidden = all_hidden + begin;
    if (!architecture.gated) return activate(architecture.activation, up, nullptr, count, hidden);
    if (is_limited) limit_rows(architecture, count, gate, up);
    if (architecture.activation == Activation::kSilu)
      swiglu(gate, up, count, hidden);
    else
      activate(architecture.activation, gate, up, count, hidden);
  });
}

void activate_rows_backward(const Architecture& architecture, int m, int f, const float* gate,
                            const float* up, const float* d_hidden, float* d_gate, float* d_up) {
  const std::size_t count = static_cast<std::size_t>(m) * f;
  if (!architecture.gated)
    return activate_backward(architecture.activation, up, nullptr, d_hidden, count, d_up, nullptr);
  if (architecture.activation == Activation::kSilu)
    swiglu_backward(gate, up, d_hidden, count, d_gate, d_up);
  else
    activate_backward(architecture.activation, gate, up, d_hidden, count, d_gate, d_up);
  if (architecture.gate_limit > 0) limit_backward(architecture, count, gate, up, d_gate, d_up);
}

}  // namespace wf
