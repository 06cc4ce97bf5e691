// Base of schemes that multiply each query by a number and change nothing else.
#pragma once

#include "schemes/entry.h"

namespace wf {

class QueryFactor : public Scheme {
 public:
  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    if (projection != Projection::kQuery) return;
    for (int i = 0; i < x.rows; ++i) {
      const float factor = query_factor(context, head, rows.positions.at(i));
      for (int c = 0; c < x.columns; ++c) x.row(i)[c] *= factor;
    }
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    transform_projections(context, projection, head, rows, d_x);  // linear and diagonal
  }
};

}  // namespace wf
