// The values of the names in a scheme's formulas.
#pragma once

#include "formula/declarations.h"
#include "formula/evaluation.h"
#include "schemes/layer_context.h"

namespace wf {

class FormulaInputs {
 public:
  FormulaInputs(const LayerContext& context, int head) {
    for (int v = 0; v < formula::kVariables; ++v) inputs_.variables[v] = numbers_ + v;
    inputs_.parameters = context.values;
    set(formula::Variable::kHead, head);
    set(formula::Variable::kLayer, context.layer);
  }
  FormulaInputs(const FormulaInputs&) = delete;
  FormulaInputs& operator=(const FormulaInputs&) = delete;

  // One value for all lanes.
  void set(formula::Variable variable, double value) {
    numbers_[static_cast<int>(variable)] = value;
  }
  // A value for each lane; the caller keeps the array.
  void set_lanes(formula::Variable variable, const double* values) {
    inputs_.variables[static_cast<int>(variable)] = values;
    inputs_.by_lane |= formula::bit_of(variable);
  }
  void set_sums(const double* visible, const double* sums) {
    inputs_.visible = visible;
    inputs_.sums = sums;
  }

  const formula::Inputs& get() const { return inputs_; }

 private:
  double numbers_[formula::kVariables] = {};
  formula::Inputs inputs_;
};

// Memory of an evaluation on the stack, with a backward pass.
struct FormulaMemory {
  double memory[2 * formula::kMaxNodes * formula::kLocalLanes];
};

// The gradients to which a backward pass adds: those of the context, without frozen parameters.
class FormulaGradients {
 public:
  FormulaGradients(const LayerContext& context, const formula::Declarations& declarations) {
    const int count = static_cast<int>(declarations.parameters().size());
    for (int p = 0; p < count; ++p)
      pointers_[p] =
          context.gradients && !declarations.is_frozen(p) ? context.gradients[p] : nullptr;
  }
  float* const* get() const { return pointers_; }

 private:
  float* pointers_[formula::kMaxParameters] = {};
};

}  // namespace wf
