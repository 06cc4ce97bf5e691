// Caps logits: x -> cap · tanh(x / cap), as in Gemma 2.
#pragma once

namespace wf {

void softcap_row(float* row, int count, float cap);

// d *= dy/dx = 1 - (y / cap)², where y are the capped values.
void softcap_row_backward(const float* capped, int count, float cap, float* d);

}  // namespace wf
