#include "schemes/formula_bias.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "format.h"
#include "formula/parser.h"
#include "schemes/tile_work.h"

namespace wf {

using formula::bit_of;
using formula::Evaluation;
using formula::Program;
using formula::SharedParts;
using formula::Variable;

namespace {

constexpr std::uint32_t kStripReads = bit_of(Variable::kDistance) | bit_of(Variable::kHead) |
                                      bit_of(Variable::kLayer) | Program::kReadsParameters;
constexpr std::uint32_t kPositionReads =
    bit_of(Variable::kQueryPosition) | bit_of(Variable::kKeyPosition) |
    bit_of(Variable::kQueryRow) | bit_of(Variable::kQueryColumn) | bit_of(Variable::kKeyRow) |
    bit_of(Variable::kKeyColumn);

constexpr std::uint32_t kQueryReads =
    bit_of(Variable::kQueryPosition) | bit_of(Variable::kQueryRow) | bit_of(Variable::kQueryColumn);

bool is_strip(const Program& program) { return (program.reads() & ~kStripReads) == 0; }

// Rows of a tile that can share parts of a formula, at most.
constexpr int kMaxSharingRows = 64;

constexpr std::uint32_t kLastAxis = bit_of(Variable::kKeyPosition) | bit_of(Variable::kKeyColumn);
constexpr std::uint32_t kLastDistance =
    bit_of(Variable::kDistance) | bit_of(Variable::kDistanceColumn);

constexpr std::uint32_t kRowAxis = bit_of(Variable::kKeyRow) | bit_of(Variable::kDistanceRow);

// The keys of a block of lanes, and what the names of a formula mean there.
struct KeyLanes {
  double position[formula::kMaxLanes], distance[formula::kMaxLanes];
  double row[formula::kMaxLanes], row_distance[formula::kMaxLanes];
  double logit[formula::kMaxLanes], visible[formula::kMaxLanes];

  // Keys [column, column + count) of the tile, for query `i` of the tile.
  void fill(const LayerContext& context, const LogitTile& tile, int i, int column, int count,
            std::uint32_t reads) {
    const Positions &queries = context.query_positions, &keys = context.key_positions;
    const int query = tile.row0 + i;
    // The last axis of a grid is the column; a text has only this axis.
    const int last = keys.axes - 1, first = tile.column0 + column;
    const std::int32_t* last_axis = keys.data + std::ptrdiff_t{last} * keys.count + first;
    const double from = queries.at(query, last);
    if (reads & kLastAxis)
      for (int lane = 0; lane < count; ++lane) position[lane] = last_axis[lane];
    if (reads & kLastDistance)
      for (int lane = 0; lane < count; ++lane) distance[lane] = last_axis[lane] - from;
    for (int lane = 0; last > 0 && (reads & kRowAxis) && lane < count; ++lane) {
      row[lane] = keys.at(first + lane, last - 1);
      row_distance[lane] = row[lane] - queries.at(query, last - 1);
    }
    const std::ptrdiff_t at = i * tile.stride + column;
    if (reads & bit_of(Variable::kLogit))
      for (int lane = 0; lane < count; ++lane) logit[lane] = tile.content[at + lane];
    if (reads & Program::kReadsSums)
      for (int lane = 0; lane < count; ++lane)
        visible[lane] = std::isfinite(tile.mask[at + lane]) ? 1 : 0;
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
        lanes(tile.work ? formula::kMaxLanes : formula::kLocalLanes),
        is_large(tile.work != nullptr) {}
  double* memory;
  int lanes;
  bool is_large;  // enough for all terms
};

// A program in a tile, whose shared parts are computed once if `shares`.
class TermInTile {
 public:
  TermInTile(const Program& program, const SharedParts& shared,
             const formula::Declarations& declarations, int lanes, double* memory, bool shares)
      : program_(program),
        shared_(shared),
        declarations_(declarations),
        lanes_(lanes),
        memory_(memory),
        shares_(shares),
        evaluation_(program, declarations.parameters(), lanes, memory,
                    shares ? &shared.rest() : nullptr) {}

  // Doubles of memory, with a backward pass.
  static std::size_t doubles(const Program& program, const SharedParts& shared) {
    return 2 * Evaluation::doubles(program, formula::kMaxLanes) +
           std::size_t(shared.by_distance().count) * kDistances +
           std::size_t(shared.by_key().count) * kKeys;
  }

  // Fills the shared parts.
  void begin(const LayerContext& context, const LogitTile& tile) {
    if (!shares_) return;
    distances_ = memory_ + 2 * Evaluation::doubles(program_, lanes_);
    keys_ = distances_ + std::ptrdiff_t{shared_.by_distance().count} * kDistances;
    first_ = tile.rows - 1;
    FormulaInputs inputs(context, tile.head);
    double values[formula::kMaxLanes], rows[formula::kMaxLanes];
    inputs.set_lanes(Variable::kDistance, values);
    const double low = static_cast<double>(context.key_positions.at(tile.column0)) -
                       context.query_positions.at(tile.row0 + first_);
    fill(shared_.by_distance(), inputs, tile.columns + first_, distances_, kDistances,
         [&](int at, int lane) { values[lane] = low + at; });
    const Positions& keys = context.key_positions;
    const int last = keys.axes - 1;
    inputs.set_lanes(last > 0 ? Variable::kKeyColumn : Variable::kKeyPosition, values);
    if (last > 0) inputs.set_lanes(Variable::kKeyRow, rows);
    fill(shared_.by_key(), inputs, tile.columns, keys_, kKeys, [&](int at, int lane) {
      values[lane] = keys.at(tile.column0 + at, last);
      if (last > 0) rows[lane] = keys.at(tile.column0 + at, last - 1);
    });
  }

  // Gives row `i` the shared parts from column `column` on.
  void give(int i, int column) {
    if (!shares_) return;
    const SharedParts::Kind &distances = shared_.by_distance(), &keys = shared_.by_key();
    for (int p = 0; p < distances.count; ++p)
      evaluation_.use(distances.nodes[p],
                      distances_ + std::ptrdiff_t{p} * kDistances + first_ - i + column);
    for (int p = 0; p < keys.count; ++p)
      evaluation_.use(keys.nodes[p], keys_ + std::ptrdiff_t{p} * kKeys + column);
  }

  Evaluation& evaluation() { return evaluation_; }

 private:
  // One more than a tile has, for vector instructions.
  static constexpr int kKeys = kTileStride + 2, kDistances = kKeys + kMaxSharingRows;

  // Computes the parts at [0, count), which set_lane(at, lane) puts into a lane.
  template <class SetLane>
  void fill(const SharedParts::Kind& kind, const FormulaInputs& inputs, int count, double* parts,
            int stride, SetLane set_lane) {
    if (kind.count == 0) return;
    Evaluation evaluation(program_, declarations_.parameters(), lanes_, memory_, &kind.computed);
    for (int begin = 0; begin < count; begin += lanes_) {
      const int lanes = std::min(lanes_, count - begin);
      for (int lane = 0; lane < lanes; ++lane) set_lane(begin + lane, lane);
      evaluation.forward(inputs.get(), lanes, begin == 0 ? Evaluation::kAll : inputs.get().by_lane);
      for (int p = 0; p < kind.count; ++p)
        std::copy_n(evaluation.values(kind.nodes[p]), lanes,
                    parts + std::ptrdiff_t{p} * stride + begin);
    }
  }

  const Program& program_;
  const SharedParts& shared_;
  const formula::Declarations& declarations_;
  int lanes_;
  double* memory_;
  bool shares_;
  double *distances_ = nullptr, *keys_ = nullptr;
  int first_ = 0;  // the last row, whose first key has the lowest distance
  Evaluation evaluation_;
};

// Whether enough rows share what depends on the distance or the key alone. Distances are shared
// along diagonals, for which the positions increase by one.
bool shares(const LayerContext& context, const LogitTile& tile) {
  constexpr int kMinRows = 4;
  if (tile.rows < kMinRows || tile.rows > kMaxSharingRows) return false;
  // No part depends on one of the two distances of a grid alone.
  return context.key_positions.axes > 1 ||
         (context.query_positions.run_without_gaps(tile.row0, tile.rows) &&
          context.key_positions.run_without_gaps(tile.column0, tile.columns));
}

}  // namespace

Status FormulaBias::add(std::string_view slot, std::string_view name, std::string_view text,
                        const formula::Scope& scope, formula::Fault& fault) {
  if (count_ == kMaxFormulaTerms)
    return WF_UNEXPECTED("terms", "%d of them", "at most %d", count_ + 1, kMaxFormulaTerms);
  // The recorder has these two beside a scheme's terms.
  bool is_free = name != "content" && name != "transform";
  for (int t = 0; t < count_; ++t) is_free = is_free && name != name_pointers_[t];
  if (!is_free || name.empty() || name.size() > kMaxNameLength)
    return WF_UNEXPECTED("terms", "\"%.*s\"", "different names, of at most %zu bytes",
                         static_cast<int>(std::min(name.size(), kMaxNameLength)), name.data(),
                         kMaxNameLength);
  format_text(slots_[count_], sizeof(slots_[count_]), "%.*s%.*s", static_cast<int>(slot.size()),
              slot.data(), static_cast<int>(name.size()), name.data());
  Buffer<char>& kept = names_[count_];
  WF_RETURN_IF_ERROR(kept.reserve(name.size() + 1));
  std::copy(name.begin(), name.end(), kept.data());
  name_pointers_[count_] = kept.data();
  WF_ASSIGN_OR_RETURN(programs_[count_], formula::compile(slots_[count_], text, scope, fault));
  shared_[count_] = SharedParts(programs_[count_]);
  ++count_;
  if (sums() > kMaxCarryFloats)
    return WF_UNEXPECTED("%s", "cumsum in %d places", "at most %d in all terms", slots_[count_ - 1],
                         sums(), kMaxCarryFloats);
  return {};
}

bool FormulaBias::is_shift_invariant() const { return (reads() & kPositionReads) == 0; }

std::uint32_t FormulaBias::reads() const {
  std::uint32_t all = 0;
  for (int t = 0; t < count_; ++t) all |= programs_[t].reads();
  return all;
}
std::uint32_t FormulaBias::parameters() const {
  std::uint32_t all = 0;
  for (int t = 0; t < count_; ++t) all |= programs_[t].parameters();
  return all;
}

bool FormulaBias::has_strip() const { return count_ > 0 && is_strip(last()); }

int FormulaBias::sums() const {
  int total = 0;
  for (int t = 0; t < count_; ++t) total += programs_[t].sums();
  return total;
}

std::size_t FormulaBias::tile_doubles() const {
  std::size_t total = 0;
  for (int t = 0; t < tile_terms(); ++t) total += TermInTile::doubles(programs_[t], shared_[t]);
  return total;
}

Traversal FormulaBias::traversal() const {
  const std::uint32_t reads = this->reads();
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
  const int lanes = local.lanes(program);
  Evaluation evaluation(program, declarations.parameters(), lanes, local.memory);
  double distances[formula::kMaxLanes];
  FormulaInputs inputs(context, head);
  inputs.set_lanes(Variable::kDistance, distances);
  for (int first = low; first < high; first += lanes) {
    const int count = std::min(lanes, high - first);
    for (int lane = 0; lane < count; ++lane) distances[lane] = first + lane;
    evaluation.forward(inputs.get(), count,
                       first == low ? Evaluation::kAll : bit_of(Variable::kDistance));
    body(evaluation, inputs, first, count);
  }
}

}  // namespace

Status FormulaBias::explain(const LayerContext& context, const formula::Declarations& declarations,
                            int head, int row, int column, float content) const {
  const float visible = 0;
  const LogitTile tile = {.head = head,
                          .row0 = row,
                          .rows = 1,
                          .column0 = column,
                          .columns = 1,
                          .stride = 1,
                          .q = {},
                          .k = {},
                          .content = &content,
                          .mask = &visible};
  KeyLanes keys;
  FormulaInputs inputs(context, head);
  keys.give(context, tile, 0, inputs);
  keys.fill(context, tile, 0, 0, 1, reads());
  FormulaMemory local;
  const double none[kMaxCarryFloats] = {};
  inputs.set_sums(keys.visible, none);
  const int last_axis = context.key_positions.axes - 1;
  for (int t = 0; t < count_; ++t) {
    Evaluation evaluation(programs_[t], declarations.parameters(), formula::kLocalLanes,
                          local.memory);
    evaluation.forward(inputs.get(), 1);
    if (evaluation.result(0) < std::numeric_limits<double>::infinity()) continue;
    char text[120];
    const int character = evaluation.explain(0, text, sizeof(text));
    return WF_UNEXPECTED("%s, character %d", "%s at i = %d, j = %d, h = %d", "a number or -inf",
                         slots_[t], character, text, context.query_positions.at(row, last_axis),
                         context.key_positions.at(column, last_axis), head);
  }
  return {};
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
               double d_result[formula::kMaxLanes];
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
  const bool is_shared = memory.is_large && shares(context, tile);
  KeyLanes keys;
  std::optional<TermInTile> terms[kMaxFormulaTerms];
  std::size_t used = 0;
  std::uint32_t read = 0;  // names that are read for each logit
  for (int t = 0; t < tile_terms(); ++t) {
    terms[t].emplace(programs_[t], shared_[t], declarations, memory.lanes, memory.memory + used,
                     is_shared);
    if (memory.is_large) used += TermInTile::doubles(programs_[t], shared_[t]);
    terms[t]->begin(context, tile);
    read |= is_shared ? shared_[t].rest_reads() : programs_[t].reads();
  }
  bool is_first = true;
  FormulaInputs inputs(context, tile.head);
  for (int i = 0; i < tile.rows; ++i) {
    keys.give(context, tile, i, inputs);
    std::uint32_t changed = inputs.get().by_lane | kQueryReads;
    double carried[kMaxCarryFloats];
    const int carry_floats = sums();
    std::copy_n(tile.carry + (tile.carry ? i * carry_floats : 0), carry_floats, carried);
    // From the right, as sums run.
    for (int end = tile.columns; end > 0;) {
      const int count = std::min(memory.lanes, end), column = end - count;
      keys.fill(context, tile, i, column, count, read);
      double* sums = carried;
      for (int t = 0; t < tile_terms(); ++t) {
        Evaluation& evaluation = terms[t]->evaluation();
        inputs.set_sums(keys.visible, sums);
        terms[t]->give(i, column);
        evaluation.forward(inputs.get(), count,
                           is_first || !memory.is_large ? Evaluation::kAll : changed);
        float* target = tile.term(t) + i * tile.stride + column;
        const double* results = evaluation.results();
        for (int lane = 0; lane < count; ++lane) target[lane] += static_cast<float>(results[lane]);
        evaluation.copy_sums(sums);
        sums += programs_[t].sums();
      }
      end = column;
      is_first = false;
      changed = inputs.get().by_lane;
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
  const std::uint32_t all_reads = reads();
  const int carry_floats = sums(), blocks = (tile.columns + memory.lanes - 1) / memory.lanes;
  KeyLanes keys;
  for (int i = 0; i < tile.rows; ++i) {
    FormulaInputs inputs(context, tile.head);
    keys.give(context, tile, i, inputs);
    // Block b has the lanes from b · lanes on; the sums of the keys after each, from the right.
    double after[kBlocks][kMaxCarryFloats];
    const auto run = [&](int b, auto body) {
      const int column = b * memory.lanes, count = std::min(memory.lanes, tile.columns - column);
      keys.fill(context, tile, i, column, count, all_reads);
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
        evaluation.copy_sums(after[b - 1] + first_sum);
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
