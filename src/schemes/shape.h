// The sizes for which a scheme is made.
#pragma once

#include "fields.h"

namespace wf {

inline constexpr int kMaxHeads = 4096;
inline constexpr int kMaxHeadDim = 4096;
inline constexpr int kMaxValueDim = 65536;

struct SchemeShape {
#define WF_FIELD WF_FIELD_MEMBER
#include "schemes/shape_fields.def"
  int width = 0;  // E; 0 outside a model

  int value_channels() const { return value_dim ? value_dim : head_dim; }
  int model_width() const { return width ? width : num_heads * head_dim; }

  // Errors: kInvalidArgument.
  Status check() const;
};

// Errors: kInvalidArgument if numKvHeads does not divide numHeads. Both are positive.
Status check_kv_heads(int num_kv_heads, int num_heads);

}  // namespace wf
