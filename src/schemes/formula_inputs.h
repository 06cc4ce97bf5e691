// The values of the names in a scheme's formulas.
#pragma once

#include <iterator>

#include "formula/declarations.h"
#include "formula/evaluation.h"
#include "schemes/layer_context.h"

namespace wf {

// Names that positions have: on a text, and on the two axes of a grid.
struct PositionNames {
  formula::Variable text, row, column;

  constexpr std::uint32_t bits() const {
    return formula::bit_of(text) | formula::bit_of(row) | formula::bit_of(column);
  }
};
constexpr PositionNames kQueryNames = {formula::Variable::kQueryPosition,
                                       formula::Variable::kQueryRow,
                                       formula::Variable::kQueryColumn};
constexpr PositionNames kKeyNames = {formula::Variable::kKeyPosition, formula::Variable::kKeyRow,
                                     formula::Variable::kKeyColumn};

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
  // The position of a token; the last axis is the column of a grid, or the only axis of a text.
  void set_position(const PositionNames& names, const Positions& positions, int index) {
    const int last = positions.axes - 1;
    set(last > 0 ? names.column : names.text, positions.at(index, last));
    if (last > 0) set(names.row, positions.at(index, last - 1));
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

  int lanes(const formula::Program& program, bool has_backward = true) const {
    return formula::Evaluation::lanes_in(std::size(memory), program, has_backward);
  }
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
