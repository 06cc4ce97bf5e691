// The named terms of the logits of a row, before softcap and mask, and their sum.
//
// `content` is scale · q·k of the untransformed projections, without channels that hold position
// alone; what transforms of the projections change about the product stands under their
// transform_term, and biases stand under their own names. A surgery is heeded: what it cuts is
// zero.
#pragma once

#include "attention/layer_schemes.h"
#include "attention/mask.h"
#include "kernels/matmul.h"
#include "tensor/extent.h"

namespace wf {

// What attention knows of a head.
struct HeadLogits {
  const LayerSchemes& schemes;
  const LayerContext* contexts;
  const Mask& mask;
  float softcap;
  float scale;
  int head;
  int kv_head;
  ConstMatrix raw_q, raw_k;  // [T,D], [S,D] before the transforms
  ConstMatrix q, k;          // and after
  const float* sink;         // its logit, or null

  // Floats that fill_terms works in.
  static std::size_t work_floats(int keys, int head_dim) {
    return added(elements_of(keys, kMaxTerms + 3), static_cast<std::size_t>(head_dim));
  }
};

// terms [kMaxTerms, S] of a row, in the order content, transform where there is one, biases;
// behind them, in the same memory, their sum [S], which is returned.
float* fill_terms(const HeadLogits& head, int row, float* terms, MatmulScratch& scratch);

}  // namespace wf
