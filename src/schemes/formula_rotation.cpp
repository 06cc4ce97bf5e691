#include "schemes/formula_rotation.h"

#include <algorithm>
#include <cmath>

#include "formula/parser.h"
#include "kernels/rotate_pairs.h"
#include "tensor/extent.h"

namespace wf {

using formula::bit_of;
using formula::Evaluation;
using formula::Program;
using formula::Variable;

namespace {

constexpr std::uint32_t kDiffersByHead =
    bit_of(Variable::kHead) | bit_of(Variable::kLayer) | Program::kReadsParameters;

}  // namespace

Status FormulaRotation::set(Form form, const char* slot, std::string_view text,
                            formula::Scope scope, int head_dim, bool interleaved,
                            formula::Fault& fault) {
  if (head_dim % 2 != 0)
    return WF_UNEXPECTED("headDim", "%d", "an even number, because %s rotates pairs", head_dim,
                         slot);
  scope.variables = bit_of(Variable::kPair) | bit_of(Variable::kHead) | bit_of(Variable::kLayer) |
                    bit_of(Variable::kLength);
  if (form == Form::kAngle) scope.variables |= bit_of(Variable::kQueryPosition);
  WF_ASSIGN_OR_RETURN(program_, formula::compile(slot, text, scope, fault));
  if (follows_length() && (program_.reads() & kDiffersByHead))
    return WF_UNEXPECTED_AS(Code::kUnsupported, "%s", "n beside h, layer or a parameter",
                            "n alone, or none of n", slot);
  form_ = form;
  interleaved_ = interleaved;
  pairs_ = head_dim / 2;
  return {};
}

bool FormulaRotation::follows_length() const {
  return !program_.nodes().empty() && (program_.reads() & bit_of(Variable::kLength)) != 0;
}
bool FormulaRotation::has_table() const {
  return !is_empty() && (program_.reads() & kDiffersByHead) == 0;
}
double FormulaRotation::operations() const { return static_cast<double>(program_.nodes().size()); }

template <class Body>
void FormulaRotation::each_block(const LayerContext& context,
                                 const formula::Declarations& declarations, int head,
                                 double position, int sequence_length, Body body) const {
  FormulaMemory local;
  Evaluation evaluation(program_, declarations.parameters(), formula::kLocalLanes, local.memory);
  double pair[formula::kLocalLanes];
  FormulaInputs inputs(context, head);
  inputs.set(Variable::kQueryPosition, position);
  inputs.set(Variable::kLength, sequence_length);
  inputs.set_lanes(Variable::kPair, pair);
  for (int first_pair = 0; first_pair < pairs_; first_pair += formula::kLocalLanes) {
    const int count = std::min(formula::kLocalLanes, pairs_ - first_pair);
    for (int lane = 0; lane < count; ++lane) pair[lane] = first_pair + lane;
    evaluation.forward(inputs.get(), count);
    body(evaluation, inputs, first_pair, count);
  }
}

std::size_t FormulaRotation::table_floats(int count) const {
  return has_table() ? elements_of(2, count, pairs_) : 0;
}

void FormulaRotation::fill_table(const Positions& positions, int sequence_length,
                                 float* table) const {
  if (!has_table()) return;
  const LayerContext context;
  const formula::Declarations none = {};
  float* sines = table + std::ptrdiff_t{positions.count} * pairs_;
  const auto write = [&](int i, int pair, double angle) {
    table[std::ptrdiff_t{i} * pairs_ + pair] = static_cast<float>(std::cos(angle));
    sines[std::ptrdiff_t{i} * pairs_ + pair] = static_cast<float>(std::sin(angle));
  };
  if (form_ == Form::kFrequency) {  // the same at all positions: computed once
    each_block(context, none, 0, 0, sequence_length,
               [&](const Evaluation& evaluation, const FormulaInputs&, int first_pair, int count) {
                 for (int lane = 0; lane < count; ++lane)
                   for (int i = 0; i < positions.count; ++i)
                     write(i, first_pair + lane, positions.at(i) * evaluation.result(lane));
               });
    return;
  }
  for (int i = 0; i < positions.count; ++i)
    each_block(context, none, 0, positions.at(i), sequence_length,
               [&](const Evaluation& evaluation, const FormulaInputs&, int first_pair, int count) {
                 for (int lane = 0; lane < count; ++lane)
                   write(i, first_pair + lane, evaluation.result(lane));
               });
}

void FormulaRotation::rotate(const LayerContext& context, const formula::Declarations& declarations,
                             int head, const RowPositions& rows, Matrix x) const {
  if (has_table()) {
    const float* sines = rows.table + std::ptrdiff_t{rows.positions.count} * pairs_;
    rotate_pairs(rows.table, sines, pairs_, interleaved_, x);
    return;
  }
  for (int i = 0; i < x.rows; ++i) {
    const double position = rows.positions.at(i);
    each_block(context, declarations, head, position, 0,
               [&](const Evaluation& evaluation, const FormulaInputs&, int first_pair, int count) {
                 for (int lane = 0; lane < count; ++lane) {
                   const double angle = factor(position) * evaluation.result(lane);
                   const double cosine = std::cos(angle), sine = std::sin(angle);
                   float &a = x.row(i)[first(first_pair + lane)],
                         &b = x.row(i)[second(first_pair + lane)];
                   const double old_a = a, old_b = b;
                   a = static_cast<float>(old_a * cosine - old_b * sine);
                   b = static_cast<float>(old_a * sine + old_b * cosine);
                 }
               });
  }
}

// With a' = a cos − b sin and b' = a sin + b cos, the derivative of (a', b') by the angle is
// (−b', a').
void FormulaRotation::rotate_back(const LayerContext& context,
                                  const formula::Declarations& declarations, int head,
                                  const RowPositions& rows, ConstMatrix raw, Matrix d_x) const {
  if (has_table()) {
    const float* sines = rows.table + std::ptrdiff_t{rows.positions.count} * pairs_;
    rotate_pairs_back(rows.table, sines, pairs_, interleaved_, d_x);
    return;
  }
  const FormulaGradients gradients(context, declarations);
  for (int i = 0; i < d_x.rows; ++i) {
    const double position = rows.positions.at(i);
    each_block(context, declarations, head, position, 0,
               [&](Evaluation& evaluation, const FormulaInputs& inputs, int first_pair, int count) {
                 double d_result[formula::kLocalLanes];
                 for (int lane = 0; lane < count; ++lane) {
                   const int a = first(first_pair + lane), b = second(first_pair + lane);
                   const double angle = factor(position) * evaluation.result(lane);
                   const double cosine = std::cos(angle), sine = std::sin(angle);
                   const double d_a = d_x.row(i)[a], d_b = d_x.row(i)[b];
                   const double rotated_a = raw.row(i)[a] * cosine - raw.row(i)[b] * sine;
                   const double rotated_b = raw.row(i)[a] * sine + raw.row(i)[b] * cosine;
                   d_result[lane] = factor(position) * (rotated_a * d_b - rotated_b * d_a);
                   d_x.row(i)[a] = static_cast<float>(d_a * cosine + d_b * sine);
                   d_x.row(i)[b] = static_cast<float>(d_b * cosine - d_a * sine);
                 }
                 evaluation.backward(inputs.get(), count, d_result, gradients.get(), nullptr,
                                     nullptr);
               });
  }
}

int FormulaRotation::channel_pairs(std::int32_t* channels) const {
  for (int pair = 0; pair < pairs_; ++pair) {
    channels[2 * pair] = first(pair);
    channels[2 * pair + 1] = second(pair);
  }
  return pairs_;
}

int FormulaRotation::frequencies(int sequence_length, double* frequencies) const {
  if (form_ != Form::kFrequency || !has_table()) return 0;
  const LayerContext context;
  const formula::Declarations none = {};
  each_block(context, none, 0, 0, sequence_length,
             [&](const Evaluation& evaluation, const FormulaInputs&, int first_pair, int count) {
               std::copy_n(evaluation.results(), count, frequencies + first_pair);
             });
  return pairs_;
}

}  // namespace wf
