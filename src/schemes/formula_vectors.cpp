#include "schemes/formula_vectors.h"

#include <algorithm>

#include "formula/parser.h"

namespace wf {

using formula::bit_of;
using formula::Evaluation;
using formula::Variable;

Status FormulaVectors::set(const char* slot, std::string_view text, Variable position,
                           formula::Scope scope, formula::Fault& fault) {
  position_ = position;
  scope.variables |= bit_of(position) | bit_of(Variable::kChannel);
  WF_ASSIGN_OR_RETURN(program_, formula::compile(slot, text, scope, fault));
  return {};
}

bool FormulaVectors::is_shift_invariant() const {
  return is_empty() || (program_.reads() & bit_of(position_)) == 0;
}

template <class Body>
void FormulaVectors::each_block(const LayerContext& context,
                                const formula::Declarations& declarations, int head,
                                const Positions& positions, int channels, Body body) const {
  FormulaMemory local;
  Evaluation evaluation(program_, declarations.parameters(), formula::kLocalLanes, local.memory);
  double channel[formula::kLocalLanes];
  FormulaInputs inputs(context, head);
  inputs.set_lanes(Variable::kChannel, channel);
  for (int i = 0; i < positions.count; ++i) {
    inputs.set(position_, positions.at(i));
    for (int first = 0; first < channels; first += formula::kLocalLanes) {
      const int count = std::min(formula::kLocalLanes, channels - first);
      for (int lane = 0; lane < count; ++lane) channel[lane] = first + lane;
      evaluation.forward(inputs.get(), count);
      body(evaluation, inputs, i, first, count);
    }
  }
}

void FormulaVectors::add(const LayerContext& context, const formula::Declarations& declarations,
                         const Positions& positions, Matrix x) const {
  each_block(context, declarations, 0, positions, x.columns,
             [&](const Evaluation& evaluation, const FormulaInputs&, int i, int first, int count) {
               for (int lane = 0; lane < count; ++lane)
                 x.row(i)[first + lane] += static_cast<float>(evaluation.result(lane));
             });
}

void FormulaVectors::add_backward(const LayerContext& context,
                                  const formula::Declarations& declarations,
                                  const Positions& positions, ConstMatrix d_x) const {
  if (!context.gradients || !(program_.reads() & formula::Program::kReadsParameters)) return;
  const FormulaGradients gradients(context, declarations);
  each_block(context, declarations, 0, positions, d_x.columns,
             [&](Evaluation& evaluation, const FormulaInputs& inputs, int i, int first, int count) {
               double d_result[formula::kLocalLanes];
               for (int lane = 0; lane < count; ++lane) d_result[lane] = d_x.row(i)[first + lane];
               evaluation.backward(inputs.get(), count, d_result, gradients.get(), nullptr,
                                   nullptr);
             });
}

void FormulaVectors::multiply(const LayerContext& context,
                              const formula::Declarations& declarations, int head,
                              const Positions& positions, Matrix x) const {
  each_block(context, declarations, head, positions, x.columns,
             [&](const Evaluation& evaluation, const FormulaInputs&, int i, int first, int count) {
               for (int lane = 0; lane < count; ++lane)
                 x.row(i)[first + lane] *= static_cast<float>(evaluation.result(lane));
             });
}

void FormulaVectors::multiply_backward(const LayerContext& context,
                                       const formula::Declarations& declarations, int head,
                                       const Positions& positions, ConstMatrix x,
                                       Matrix d_x) const {
  const FormulaGradients gradients(context, declarations);
  each_block(context, declarations, head, positions, d_x.columns,
             [&](Evaluation& evaluation, const FormulaInputs& inputs, int i, int first, int count) {
               double d_result[formula::kLocalLanes];
               for (int lane = 0; lane < count; ++lane) {
                 float& d = d_x.row(i)[first + lane];
                 d_result[lane] = static_cast<double>(d) * x.row(i)[first + lane];
                 d *= static_cast<float>(evaluation.result(lane));
               }
               if (context.gradients)
                 evaluation.backward(inputs.get(), count, d_result, gradients.get(), nullptr,
                                     nullptr);
             });
}

}  // namespace wf
