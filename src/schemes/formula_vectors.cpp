#include "schemes/formula_vectors.h"

#include <algorithm>
#include <cmath>

#include "formula/parser.h"

namespace wf {

using formula::bit_of;
using formula::Evaluation;
using formula::Variable;

// Values that are computed at once: of several rows for one channel, or of several channels for one
// row.
struct FormulaVectors::Block {
  int count, row, channel;
  bool by_rows;

  int channel_of(int lane) const { return by_rows ? channel : channel + lane; }
  template <class Rows>
  auto& of(const Rows& x, int lane) const {
    return x.row(by_rows ? row + lane : row)[channel_of(lane)];
  }
};

Status FormulaVectors::set(const char* slot, std::string_view text, const PositionNames& names,
                           formula::Scope scope, formula::Fault& fault) {
  names_ = names;
  slot_ = slot;
  scope.variables |= names.bits() | bit_of(Variable::kChannel);
  WF_ASSIGN_OR_RETURN(program_, formula::compile(slot, text, scope, fault));
  return {};
}

Status FormulaVectors::explain(const LayerContext& context,
                               const formula::Declarations& declarations, int head,
                               const Positions& positions, int index, int channels) const {
  Status status;
  if (is_empty()) return status;
  std::int32_t axes[3] = {};
  for (int a = 0; a < positions.axes; ++a) axes[a] = positions.at(index, a);
  each_block(context, declarations, head, {axes, 1, positions.axes}, channels, false,
             [&](const Evaluation& evaluation, const FormulaInputs&, const Block& block) {
               for (int lane = 0; lane < block.count && status.ok(); ++lane) {
                 if (std::isfinite(evaluation.result(lane))) continue;
                 char text[120];
                 const int character = evaluation.explain(lane, text, sizeof(text));
                 status = WF_UNEXPECTED("%s, character %d", "%s at position %d, c = %d, h = %d",
                                        "a number", slot_, character, text,
                                        axes[positions.axes - 1], block.channel_of(lane), head);
               }
             });
  return status;
}

bool FormulaVectors::is_shift_invariant() const {
  return is_empty() || (program_.reads() & names_.bits()) == 0;
}

template <class Body>
void FormulaVectors::each_block(const LayerContext& context,
                                const formula::Declarations& declarations, int head,
                                const Positions& positions, int channels, bool has_backward,
                                Body body) const {
  FormulaMemory local;
  const int lanes = local.lanes(program_, has_backward);
  Evaluation evaluation(program_, declarations.parameters(), lanes, local.memory);
  FormulaInputs inputs(context, head);
  double values[formula::kMaxLanes], rows[formula::kMaxLanes];
  // Lanes are rows, so that the parts of a channel are computed once for all, unless there are few.
  const bool by_rows = positions.count >= formula::kLocalLanes;
  const int last = positions.axes - 1;
  const Variable name = last > 0 ? names_.column : names_.text;
  inputs.set_lanes(by_rows ? name : Variable::kChannel, values);
  if (by_rows && last > 0) inputs.set_lanes(names_.row, rows);
  const int in_lanes = by_rows ? positions.count : channels;
  const int others = by_rows ? channels : positions.count;
  for (int first = 0; first < in_lanes; first += lanes) {
    const int count = std::min(lanes, in_lanes - first);
    for (int lane = 0; lane < count; ++lane) {
      values[lane] = by_rows ? positions.at(first + lane, last) : first + lane;
      if (by_rows && last > 0) rows[lane] = positions.at(first + lane, last - 1);
    }
    for (int other = 0; other < others; ++other) {
      if (by_rows)
        inputs.set(Variable::kChannel, other);
      else
        inputs.set_position(names_, positions, other);
      const std::uint32_t changed = by_rows ? bit_of(Variable::kChannel) : names_.bits();
      evaluation.forward(inputs.get(), count, other == 0 ? Evaluation::kAll : changed);
      body(evaluation, inputs,
           Block{.count = count,
                 .row = by_rows ? first : other,
                 .channel = by_rows ? other : first,
                 .by_rows = by_rows});
    }
  }
}

void FormulaVectors::add(const LayerContext& context, const formula::Declarations& declarations,
                         const Positions& positions, Matrix x) const {
  // Several channels of a row at a time, which are neighbours in memory.
  constexpr int kTogether = 8;
  float kept[formula::kMaxLanes][kTogether];
  each_block(context, declarations, 0, positions, x.columns, false,
             [&](const Evaluation& evaluation, const FormulaInputs&, const Block& block) {
               const double* results = evaluation.results();
               if (!block.by_rows) {
                 float* row = x.row(block.row) + block.channel;
                 for (int lane = 0; lane < block.count; ++lane)
                   row[lane] += static_cast<float>(results[lane]);
                 return;
               }
               const int at = block.channel % kTogether;
               for (int lane = 0; lane < block.count; ++lane)
                 kept[lane][at] = static_cast<float>(results[lane]);
               if (at < kTogether - 1 && block.channel < x.columns - 1) return;
               for (int lane = 0; lane < block.count; ++lane) {
                 float* row = x.row(block.row + lane) + block.channel - at;
                 for (int c = 0; c <= at; ++c) row[c] += kept[lane][c];
               }
             });
}

void FormulaVectors::add_backward(const LayerContext& context,
                                  const formula::Declarations& declarations,
                                  const Positions& positions, ConstMatrix d_x) const {
  if (!context.gradients || !(program_.reads() & formula::Program::kReadsParameters)) return;
  const FormulaGradients gradients(context, declarations);
  each_block(context, declarations, 0, positions, d_x.columns, true,
             [&](Evaluation& evaluation, const FormulaInputs& inputs, const Block& block) {
               double d_result[formula::kMaxLanes];
               for (int lane = 0; lane < block.count; ++lane) d_result[lane] = block.of(d_x, lane);
               evaluation.backward(inputs.get(), block.count, d_result, gradients.get(), nullptr,
                                   nullptr);
             });
}

void FormulaVectors::multiply(const LayerContext& context,
                              const formula::Declarations& declarations, int head,
                              const Positions& positions, Matrix x) const {
  each_block(context, declarations, head, positions, x.columns, false,
             [&](const Evaluation& evaluation, const FormulaInputs&, const Block& block) {
               for (int lane = 0; lane < block.count; ++lane)
                 block.of(x, lane) *= static_cast<float>(evaluation.result(lane));
             });
}

void FormulaVectors::multiply_backward(const LayerContext& context,
                                       const formula::Declarations& declarations, int head,
                                       const Positions& positions, ConstMatrix x,
                                       Matrix d_x) const {
  const FormulaGradients gradients(context, declarations);
  each_block(context, declarations, head, positions, d_x.columns, true,
             [&](Evaluation& evaluation, const FormulaInputs& inputs, const Block& block) {
               double d_result[formula::kMaxLanes];
               for (int lane = 0; lane < block.count; ++lane) {
                 float& d = block.of(d_x, lane);
                 d_result[lane] = static_cast<double>(d) * block.of(x, lane);
                 d *= static_cast<float>(evaluation.result(lane));
               }
               if (context.gradients)
                 evaluation.backward(inputs.get(), block.count, d_result, gradients.get(), nullptr,
                                     nullptr);
             });
}

}  // namespace wf
