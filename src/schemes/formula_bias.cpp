#include "schemes/formula_bias.h"

#include <algorithm>
#include <cmath>

#include "formula/parser.h"
#include "schemes/tile_work.h"

namespace wf {

using formula::bit_of;
using formula::Evaluation;
using formula::Program;
using formula::Variable;

namespace {

constexpr std::uint32_t kStripReads = bit_of(Variable::kDistance) | bit_of(Variable::kHead) |
                                      bit_of(Variable::kLayer) | Program::kReadsParameters;
constexpr std::uint32_t kPositionReads =
    bit_of(Variable::kQueryPosition) | bit_of(Variable::kKeyPosition) |
    bit_of(Variable::kQueryRow) | bit_of(Variable::kQueryColumn) | bit_of(Variable::kKeyRow) |
    bit_of(Variable::kKeyColumn);

bool is_strip(const Program& program) { return (program.reads() & ~kStripReads) == 0; }

// The keys of a block of lanes, and what the names of a formula mean there.
struct KeyLanes {
  double position[formula::kMaxLanes], distance[formula::kMaxLanes];
  double row[formula::kMaxLanes], row_distance[formula::kMaxLanes];
  double logit[formula::kMaxLanes], visible[formula::kMaxLanes];

  // Keys [column, column + count) of the tile, for query `i` of the tile.
  void fill(const LayerContext& context, const LogitTile& tile, int i, int column, int count) {
    const Positions &queries = context.query_positions, &keys = context.key_positions;
    const int query = tile.row0 + i;
    // The last axis of a grid is the column; a text has only this axis.
    const int last = keys.axes - 1;
    for (int lane = 0; lane < count; ++lane) {
      const int key = tile.column0 + column + lane;
      position[lane] = keys.at(key, last);
      distance[lane] = position[lane] - queries.at(query, last);
      if (last > 0) {
        row[lane] = keys.at(key, last - 1);
        row_distance[lane] = row[lane] - queries.at(query, last - 1);
      }
    }
    if (!tile.content) return;
    const std::ptrdiff_t at = i * tile.stride + column;
    for (int lane = 0; lane < count; ++lane) {
      logit[lane] = tile.content[at + lane];
      visible[lane] = std::isfinite(tile.mask[at + lane]) ? 1 : 0;
    }
  }

  void give(const LayerContext& context, const LogitTile& tile, int i,
            FormulaInputs& inputs) const {
    const Positions& queries = context.query_positions;
    const int query = tile.row0 + i, last = queries.axes - 1;
    const bool is_grid = last > 0;
    inputs.set(is_grid ? Variable::kQueryColumn : Variable::kQueryPosition,
               queries.at(query, last));
    inputs.set_lanes(is_grid ? Variable::kKeyColumn : Variable::kKeyPosition, position);
    inputs.set_lanes(is_grid ? Variable::kDistanceColumn : Variable::kDistance, distance);
    inputs.set_lanes(Variable::kLogit, logit);
    if (!is_grid) return;
    inputs.set(Variable::kQueryRow, queries.at(query, last - 1));
    inputs.set_lanes(Variable::kKeyRow, row);
    inputs.set_lanes(Variable::kDistanceRow, row_distance);
  }
};

// Memory and lanes for the evaluations of a tile: the tile's own, or the stack.
struct TileMemory {
  TileMemory(const LogitTile& tile, FormulaMemory& local)
      : memory(tile.work ? reinterpret_cast<double*>(tile.work->memory) : local.memory),
        lanes(tile.work ? formula::kMaxLanes : formula::kLocalLanes) {}
  double* memory;
  int lanes;
};

}  // namespace

Status FormulaBias::add(std::string_view name, std::string_view text, const formula::Scope& scope,
                        formula::Fault& fault) {
  if (count_ == kMaxFormulaTerms)
    return WF_UNEXPECTED("terms", "%d of them", "at most %d", count_ + 1, kMaxFormulaTerms);
  Buffer<char>& kept = names_[count_];
  WF_RETURN_IF_ERROR(kept.reserve(name.size() + 1));
  std::copy(name.begin(), name.end(), kept.data());
  name_pointers_[count_] = kept.data();
  WF_ASSIGN_OR_RETURN(programs_[count_], formula::compile(kept.data(), text, scope, fault));
  ++count_;
  if (sums() > kMaxCarryFloats)
    return WF_UNEXPECTED("%s", "cumsum in %d places", "at most %d in all terms", kept.data(),
                         sums(), kMaxCarryFloats);
  return {};
}

bool FormulaBias::is_shift_invariant() const { return !reads(kPositionReads); }

bool FormulaBias::reads(std::uint32_t variables) const {
  for (int t = 0; t < count_; ++t)
    if (programs_[t].reads() & variables) return true;
  return false;
}

bool FormulaBias::has_strip() const { return count_ > 0 && is_strip(last()); }

int FormulaBias::sums() const {
  int total = 0;
  for (int t = 0; t < count_; ++t) total += programs_[t].sums();
  return total;
}

std::size_t FormulaBias::tile_doubles() const {
  std::size_t max = 0;
  for (int t = 0; t < tile_terms(); ++t)
    max = std::max(max, 2 * Evaluation::doubles(programs_[t], formula::kMaxLanes));
  return max;
}

Traversal FormulaBias::traversal() const {
  std::uint32_t reads = 0;
  for (int t = 0; t < count_; ++t) reads |= programs_[t].reads();
  const bool has_sums = (reads & Program::kReadsSums) != 0;
  return {.right_to_left = has_sums,
          .carry_floats = sums(),
          .reads_content = has_sums || (reads & bit_of(Variable::kLogit)) != 0,
          .work_floats = static_cast<int>(tile_doubles() * sizeof(double) / sizeof(float))};
}

double FormulaBias::tile_operations() const {
  double total = 0;
  for (int t = 0; t < tile_terms(); ++t) total += static_cast<double>(programs_[t].nodes().size());
  return total;
}
double FormulaBias::strip_operations() const {
  return has_strip() ? static_cast<double>(last().nodes().size()) : 0;
}

// ---- The strip

namespace {

// Calls body(evaluation, inputs, first distance, count) for blocks of the distances [low, high).
template <class Body>
void each_block(const Program& program, const LayerContext& context,
                const formula::Declarations& declarations, int head, int low, int high, Body body) {
  FormulaMemory local;
  Evaluation evaluation(program, declarations.parameters(), formula::kLocalLanes, local.memory);
  double distances[formula::kLocalLanes];
  FormulaInputs inputs(context, head);
  inputs.set_lanes(Variable::kDistance, distances);
  for (int first = low; first < high; first += formula::kLocalLanes) {
    const int count = std::min(formula::kLocalLanes, high - first);
    for (int lane = 0; lane < count; ++lane) distances[lane] = first + lane;
    evaluation.forward(inputs.get(), count);
    body(evaluation, inputs, first, count);
  }
}

}  // namespace

Status FormulaBias::check(const LayerContext& context, int heads,
                          const formula::Declarations& declarations) const {
  Status status;
  if (!has_strip()) return status;
  const auto check_range = [&](int head, int low, int high) {
    each_block(last(), context, declarations, head, low, high,
               [&](const Evaluation& evaluation, const FormulaInputs&, int first, int count) {
                 for (int lane = 0; lane < count && status.ok(); ++lane) {
                   // Keys after the query are hidden by a causal mask.
                   if (context.is_causal && first + lane > 0) continue;
                   if (evaluation.source_of_nan(lane) < 0) continue;
                   status = WF_UNEXPECTED("%s", "no number at distance %d of head %d",
                                          "a number or -inf", name_pointers_[count_ - 1],
                                          first + lane, head);
                 }
               });
  };
  const RelativeRange& range = context.distances;
  for (int head = 0; head < heads && status.ok(); ++head) {
    if (!range.by_pair())
      check_range(head, static_cast<int>(range.low()), static_cast<int>(range.high()) + 1);
    else
      range.for_each_row([&](std::size_t, int r) { check_range(head, r, r + 1); });
  }
  return status;
}

void FormulaBias::strip(const LayerContext& context, const formula::Declarations& declarations,
                        int head, int low, int high, float* strip) const {
  each_block(last(), context, declarations, head, low, high,
             [&](const Evaluation& evaluation, const FormulaInputs&, int first, int count) {
               for (int lane = 0; lane < count; ++lane)
                 strip[first - low + lane] = static_cast<float>(evaluation.result(lane));
             });
}

void FormulaBias::strip_backward(const LayerContext& context,
                                 const formula::Declarations& declarations, int head, int low,
                                 int high, const float* d_strip) const {
  if (!context.gradients || !(last().reads() & Program::kReadsParameters)) return;
  const FormulaGradients gradients(context, declarations);
  each_block(last(), context, declarations, head, low, high,
             [&](Evaluation& evaluation, const FormulaInputs& inputs, int first, int count) {
               double d_result[formula::kLocalLanes];
               for (int lane = 0; lane < count; ++lane)
                 d_result[lane] = d_strip[first - low + lane];
               evaluation.backward(inputs.get(), count, d_result, gradients.get(), nullptr,
                                   nullptr);
             });
}

// ---- Tiles

void FormulaBias::tile(const LayerContext& context, const formula::Declarations& declarations,
                       const LogitTile& tile) const {
  FormulaMemory local;
  const TileMemory memory(tile, local);
  KeyLanes keys;
  for (int i = 0; i < tile.rows; ++i) {
    FormulaInputs inputs(context, tile.head);
    keys.give(context, tile, i, inputs);
    double carried[kMaxCarryFloats];
    const int carry_floats = sums();
    std::copy_n(tile.carry + (tile.carry ? i * carry_floats : 0), carry_floats, carried);
    // From the right, as sums run.
    for (int end = tile.columns; end > 0;) {
      const int count = std::min(memory.lanes, end), column = end - count;
      keys.fill(context, tile, i, column, count);
      double* sums = carried;
      for (int t = 0; t < tile_terms(); ++t) {
        Evaluation evaluation(programs_[t], declarations.parameters(), memory.lanes, memory.memory);
        inputs.set_sums(keys.visible, sums);
        evaluation.forward(inputs.get(), count);
        float* target = tile.term(t) + i * tile.stride + column;
        for (int lane = 0; lane < count; ++lane)
          target[lane] += static_cast<float>(evaluation.result(lane));
        evaluation.sums(sums);
        sums += programs_[t].sums();
      }
      end = column;
    }
    for (int c = 0; c < carry_floats; ++c)
      tile.carry[i * carry_floats + c] = static_cast<float>(carried[c]);
  }
}

void FormulaBias::tile_backward(const LayerContext& context,
                                const formula::Declarations& declarations, const LogitTile& tile,
                                const LogitTileGradient& gradient) const {
  constexpr int kBlocks = kTileStride / formula::kLocalLanes;
  FormulaMemory local;
  const TileMemory memory(tile, local);
  const FormulaGradients gradients(context, declarations);
  const int carry_floats = sums(), blocks = (tile.columns + memory.lanes - 1) / memory.lanes;
  KeyLanes keys;
  for (int i = 0; i < tile.rows; ++i) {
    FormulaInputs inputs(context, tile.head);
    keys.give(context, tile, i, inputs);
    // Block b has the lanes from b · lanes on; the sums of the keys after each, from the right.
    double after[kBlocks][kMaxCarryFloats];
    const auto run = [&](int b, auto body) {
      const int column = b * memory.lanes, count = std::min(memory.lanes, tile.columns - column);
      keys.fill(context, tile, i, column, count);
      int first_sum = 0;
      for (int t = 0; t < tile_terms(); ++t) {
        Evaluation evaluation(programs_[t], declarations.parameters(), memory.lanes, memory.memory);
        inputs.set_sums(keys.visible, after[b] + first_sum);
        evaluation.forward(inputs.get(), count);
        body(evaluation, column, count, first_sum);
        first_sum += programs_[t].sums();
      }
    };
    for (int c = 0; c < carry_floats; ++c) after[blocks - 1][c] = tile.carry[i * carry_floats + c];
    for (int b = blocks - 1; b > 0 && carry_floats > 0; --b)
      run(b, [&](const Evaluation& evaluation, int, int, int first_sum) {
        evaluation.sums(after[b - 1] + first_sum);
      });
    double d_sums[kMaxCarryFloats] = {};
    for (int c = 0; c < carry_floats; ++c) d_sums[c] = gradient.carry[i * carry_floats + c];
    for (int b = 0; b < blocks; ++b)
      run(b, [&](Evaluation& evaluation, int column, int count, int first_sum) {
        const std::ptrdiff_t at = i * tile.stride + column;
        double d_result[formula::kMaxLanes], d_logit[formula::kMaxLanes] = {};
        for (int lane = 0; lane < count; ++lane) d_result[lane] = gradient.d_logits[at + lane];
        evaluation.backward(inputs.get(), count, d_result, gradients.get(), d_logit,
                            d_sums + first_sum);
        for (int lane = 0; gradient.d_content && lane < count; ++lane)
          gradient.d_content[at + lane] += static_cast<float>(d_logit[lane]);
      });
    for (int c = 0; c < carry_floats; ++c)
      gradient.carry[i * carry_floats + c] = static_cast<float>(d_sums[c]);
  }
}

}  // namespace wf
