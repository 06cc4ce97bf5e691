// The named terms of a row's logits, before softcap and mask, and their sum.
//
// `content` is scale · q·k of the untransformed projections, without channels that hold only
// positions. The change of that product by transforms is the transform_term; a factor of queries
// comes last, and its change is a term of its own. Biases have their own names. Terms that a
// surgery removes are zero.
#pragma once

#include "attention/layer_schemes.h"
#include "attention/mask.h"
#include "kernels/matmul.h"
#include "tensor/extent.h"

namespace wf {

// The arguments of fill_terms: one head of a call.
struct HeadLogits {
  const LayerSchemes& schemes;
  const LayerContext* contexts;
  const Mask& mask;
  float softcap;
  float scale;
  int head;
  int kv_head;
  ConstMatrix raw_q, raw_k;  // [T,D], [S,D] before the transforms
  ConstMatrix q, k;  // after the transforms
  const float* sink;         // its logit, or null

  // The product of the schemes' query factors, and of their gates.
  float query_factor(int row) const;
  float gate(int key) const;

  // Floats of scratch memory for fill_terms.
  static std::size_t work_floats(int keys, int head_dim) {
    return added(elements_of(keys, kMaxTerms + 3), static_cast<std::size_t>(head_dim));
  }
};

// Fills terms [kMaxTerms, S] of a row, in the order content, transform and query factor (if there
// are any), biases. Returns their sum [S], stored after them in the same memory.
float* fill_terms(const HeadLogits& head, int row, float* terms, MatmulScratch& scratch);

}  // namespace wf
