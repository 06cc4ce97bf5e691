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
  if (form == Form::kAngle) scope.variables |= kQueryNames.bits();
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
std::uint32_t FormulaRotation::reads() const {
  if (is_empty()) return 0;
  // A frequency is multiplied by the position.
  return program_.reads() | (form_ == Form::kFrequency ? bit_of(Variable::kQueryPosition) : 0u);
}
double FormulaRotation::operations() const { return static_cast<double>(program_.nodes().size()); }

template <class Body>
void FormulaRotation::each_block(const LayerContext& context,
                                 const formula::Declarations& declarations, int head,
                                 const Positions& positions, int sequence_length, Body body) const {
  FormulaMemory local;
  const int lanes = local.lanes(program_);
  Evaluation evaluation(program_, declarations.parameters(), lanes, local.memory);
  double pair[formula::kMaxLanes];
  FormulaInputs inputs(context, head);
  inputs.set(Variable::kLength, sequence_length);
  inputs.set_lanes(Variable::kPair, pair);
  for (int first_pair = 0; first_pair < pairs_; first_pair += lanes) {
    const int count = std::min(lanes, pairs_ - first_pair);
    for (int lane = 0; lane < count; ++lane) pair[lane] = first_pair + lane;
    for (int i = 0; i < positions.count; ++i) {
      inputs.set_position(kQueryNames, positions, i);
      evaluation.forward(inputs.get(), count, i == 0 ? Evaluation::kAll : kQueryNames.bits());
      body(evaluation, inputs, i, first_pair, count);
    }
  }
}

Status FormulaRotation::explain(const LayerContext& context,
                                const formula::Declarations& declarations, int head,
                                const Positions& positions, int index, int sequence_length) const {
  Status status;
  if (is_empty()) return status;
  std::int32_t axes[3] = {};
  for (int a = 0; a < positions.axes; ++a) axes[a] = positions.at(index, a);
  each_block(
      context, declarations, head, {axes, 1, positions.axes}, sequence_length,
      [&](const Evaluation& evaluation, const FormulaInputs&, int, int first_pair, int count) {
        for (int lane = 0; lane < count && status.ok(); ++lane) {
          if (std::isfinite(evaluation.result(lane))) continue;
          char text[120];
          const int character = evaluation.explain(lane, text, sizeof(text));
          status = WF_UNEXPECTED("%s, character %d", "%s at i = %d, k = %d, h = %d", "a number",
                                 form_ == Form::kAngle ? "angle" : "frequency", character, text,
                                 axes[positions.axes - 1], first_pair + lane, head);
        }
      });
  return status;
}

std::size_t FormulaRotation::table_floats(int count) const {
  return has_table() ? elements_of(2, count, pairs_) : 0;
}

void FormulaRotation::fill_table(const Positions& positions, int sequence_length,
                                 float* table) const {
  if (!has_table()) return;
  float* sines = table + std::ptrdiff_t{positions.count} * pairs_;
  each_block(
      {}, {}, 0, positions, sequence_length,
      [&](const Evaluation& evaluation, const FormulaInputs&, int i, int first_pair, int count) {
        for (int lane = 0; lane < count; ++lane) {
          const double angle = factor(positions.at(i)) * evaluation.result(lane);
          const std::ptrdiff_t at = std::ptrdiff_t{i} * pairs_ + first_pair + lane;
          table[at] = static_cast<float>(std::cos(angle));
          sines[at] = static_cast<float>(std::sin(angle));
        }
      });
}

void FormulaRotation::rotate(const LayerContext& context, const formula::Declarations& declarations,
                             int head, const RowPositions& rows, Matrix x) const {
  if (has_table()) {
    const float* sines = rows.table + std::ptrdiff_t{rows.positions.count} * pairs_;
    rotate_pairs(rows.table, sines, pairs_, interleaved_, x);
    return;
  }
  const Positions& positions = rows.positions;
  each_block(
      context, declarations, head, positions, 0,
      [&](const Evaluation& evaluation, const FormulaInputs&, int i, int first_pair, int count) {
        for (int lane = 0; lane < count; ++lane) {
          const double angle = factor(positions.at(i)) * evaluation.result(lane);
          const double cosine = std::cos(angle), sine = std::sin(angle);
          float &a = x.row(i)[first(first_pair + lane)], &b = x.row(i)[second(first_pair + lane)];
          const double old_a = a, old_b = b;
          a = static_cast<float>(old_a * cosine - old_b * sine);
          b = static_cast<float>(old_a * sine + old_b * cosine);
        }
      });
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
  const Positions& positions = rows.positions;
  each_block(
      context, declarations, head, positions, 0,
      [&](Evaluation& evaluation, const FormulaInputs& inputs, int i, int first_pair, int count) {
        double d_result[formula::kMaxLanes];
        for (int lane = 0; lane < count; ++lane) {
          const int a = first(first_pair + lane), b = second(first_pair + lane);
          const double step = factor(positions.at(i)), angle = step * evaluation.result(lane);
          const double cosine = std::cos(angle), sine = std::sin(angle);
          const double d_a = d_x.row(i)[a], d_b = d_x.row(i)[b];
          const double rotated_a = raw.row(i)[a] * cosine - raw.row(i)[b] * sine;
          const double rotated_b = raw.row(i)[a] * sine + raw.row(i)[b] * cosine;
          d_result[lane] = step * (rotated_a * d_b - rotated_b * d_a);
          d_x.row(i)[a] = static_cast<float>(d_a * cosine + d_b * sine);
          d_x.row(i)[b] = static_cast<float>(d_b * cosine - d_a * sine);
        }
        evaluation.backward(inputs.get(), count, d_result, gradients.get(), nullptr, nullptr);
      });
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
  const std::int32_t position = 0;
  each_block(
      {}, {}, 0, {&position, 1}, sequence_length,
      [&](const Evaluation& evaluation, const FormulaInputs&, int, int first_pair, int count) {
        std::copy_n(evaluation.results(), count, frequencies + first_pair);
      });
  return pairs_;
}

}  // namespace wf
