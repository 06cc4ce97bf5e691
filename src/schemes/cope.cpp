// Contextual position encoding: a key's position is the sum of the gates between it and the query,
// so a head can count words, sentences or anything else that its gates detect. Golovneva et al.
// 2024, arXiv 2405.18719, equations 3 to 5, with the gate of the authors' code, computed from the
// scaled and masked q·k.
#include <algorithm>
#include <cmath>

#include "kernels/activation.h"
#include "kernels/dot.h"
#include "schemes/entry.h"
#include "schemes/table_index.h"
#include "schemes/tile_work.h"

namespace wf {
namespace {

enum OptionIndex { kMaxPositions, kScaledBias };

constexpr Option kOptions[] = {
    integer_option("maxPositions", "", 64, 2, 4096),
    // The authors' training code also divides the table's term by √D; their listing does not.
    flag_option("scaledBias", "", false),
};

constexpr const char* kTerms[] = {"contextual"};

constexpr SchemeDescription kDescription = {
    .id = "cope",
    .family = "relative",
    .paper = "Golovneva et al. 2024, arXiv 2405.18719",
    .year = 2024,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
    .cross_attention = CrossAttention::kRefused,
};

class Cope : public Scheme {
 public:
  Cope(const SchemeShape& shape, int positions, bool scaled)
      : width_(shape.head_dim), max_(positions - 1), scaled_(scaled) {
    // [P, D], one table for all heads; zero, so that training starts from plain attention.
    spec_ = {.name = "position_embeddings", .rows = positions, .columns = width_, .decays = true};
  }

  std::span<const ParameterSpec> parameters() const override { return {&spec_, 1}; }

  // The table, packed for the product with queries.
  std::size_t layer_table_floats(const LayerContext&) const override {
    return panel_floats(width_, table_rows());
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch&) const override {
    pack_panels(Operand{context.values[0], width_}.transposed(), width_, table_rows(), table);
  }

  Traversal traversal() const override {
    return {.right_to_left = true,
            .carry_floats = 1,
            .reads_content = true,
            .work_floats =
                kStripRows * (kTileStride + products_stride()) + kTileStride * products_stride()};
  }

  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    if (!tile.work || !tile.work->q_strips) return bias_single_logits(context, tile);
    for (int i = 0; i < tile.rows; ++i) {
      if (i % kStripRows == 0) begin_strip(context, tile, i);
      const float *gates = gates_of(tile, i), *products = products_of(tile, i);
      float* target = tile.term(0) + i * tile.stride;
      // Double precision: rounding errors of hundreds of gates would affect the fraction.
      double count = tile.carry[i];
      int j = tile.columns - 1;
      for (; j >= 0 && count < max_; --j) {
        count += gates[j];
        const TableIndex index(count, max_);
        target[j] += index.mix(products[index.low], products[index.high]);
      }
      add_constant(products[max_], j + 1, target);
      tile.carry[i] = static_cast<float>(count);
    }
  }

  // The count at key j sums the gates of keys t >= j, so the gradient of gate t is the sum of the
  // slopes of all counts at keys j <= t: from left to right.
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    // Gradients of the products of each query with the table.
    float* d_products = tile.work->memory + kStripRows * (kTileStride + products_stride());
    std::fill_n(d_products, std::ptrdiff_t{tile.rows} * products_stride(), 0.0f);
    for (int i = 0; i < tile.rows; ++i) {
      if (i % kStripRows == 0) begin_strip(context, tile, i);
      const float *gates = gates_of(tile, i), *products = products_of(tile, i);
      const float* d_logits = gradient.d_logits + i * tile.stride;
      float* d_content = gradient.d_content + i * tile.stride;
      float* d_product = d_products + i * products_stride();
      // After the last row of the table nothing depends on a gate.
      if (tile.carry[i] >= max_) {
        d_product[max_] += sum_of(d_logits, tile.columns);
        continue;
      }
      double count = tile.carry[i];
      for (int j = 0; j < tile.columns; ++j) count += gates[j];
      float& slope = gradient.carry[i];
      for (int j = 0; j < tile.columns; ++j) {
        const TableIndex index(count, max_);
        d_product[index.low] += d_logits[j] * (1 - index.fraction);
        d_product[index.high] += d_logits[j] * index.fraction;
        if (!index.is_past) slope += d_logits[j] * (products[index.high] - products[index.low]);
        d_content[j] += slope * gates[j] * (1 - gates[j]);
        count -= gates[j];
      }
    }
    const Operand given = {d_products, products_stride()};
    matmul(tile.rows, width_, table_rows(), factor(context), given, {context.values[0], width_},
           gradient.d_q.data, gradient.d_q.stride, Accumulate::kYes, *tile.work->matmul);
    if (context.gradients)
      matmul(table_rows(), width_, tile.rows, factor(context), given.transposed(),
             {tile.q.data, tile.q.stride}, context.gradients[0], width_, Accumulate::kYes,
             *tile.work->matmul);
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A gate, its sum, two products with rows of the table and the mean of the two.
    return {.layer = shape.num_heads * queries * keys * (8 + 4.0 * width_)};
  }

 private:
  int table_rows() const { return max_ + 1; }
  float factor(const LayerContext& context) const { return scaled_ ? context.scale : 1; }
  int products_stride() const { return rounded_up(table_rows(), kPanelColumns); }
  static float* gates_of(const LogitTile& tile, int i) {
    return tile.work->memory + i % kStripRows * kTileStride;
  }
  float* products_of(const LogitTile& tile, int i) const {
    return tile.work->memory + kStripRows * kTileStride + i % kStripRows * products_stride();
  }

  // Gates of a strip of queries, and products with the table rows that the counts reach.
  void begin_strip(const LayerContext& context, const LogitTile& tile, int row0) const {
    const auto reached = [&](double count) { return TableIndex(count, max_).low; };
    int low = max_, high = 0;
    for (int i = row0; i < std::min(row0 + kStripRows, tile.rows); ++i) {
      const float carried = tile.carry[i];
      low = std::min(low, std::max(reached(carried) - 1, 0));  // the backward pass subtracts gates
      high = std::max(high, reached(carried));
      if (carried >= max_) continue;
      float* gates = gates_of(tile, i);
      std::copy_n(tile.content + i * tile.stride, tile.columns, gates);
      // An overflow to infinity gives a gate of exactly 0 or 1, the limits of the sigmoid.
      add_to(tile.mask + i * tile.stride, tile.columns, gates);
      const float counted = carried + sigmoid_row(gates, tile.columns);
      high = std::max(high, std::min(reached(counted) + 2, max_));
    }
    low = low / kPanelColumns * kPanelColumns;
    multiply_panels(kStripRows, rounded_up(high - low + 1, kPanelColumns), width_, factor(context),
                    Strips::kPacked, tile.work->q_strips + row0 * width_,
                    Panels{context.table, width_ * kPanelColumns}.right_of(low),
                    products_of(tile, 0) + low, products_stride(), Accumulate::kNo);
  }

  // Without scratch memory, or for a few queries.
  void bias_single_logits(const LayerContext& context, const LogitTile& tile) const {
    for (int i = 0; i < tile.rows; ++i) {
      const std::ptrdiff_t at = i * tile.stride;
      const auto product = [&](int index) {
        return factor(context) * dot(tile.q.row(i), context.values[0] + index * width_, width_);
      };
      double count = tile.carry[i];
      float at_low = 0, at_high = 0;
      int held = -1;  // table row of the current products
      for (int j = tile.columns - 1; j >= 0; --j) {
        count += 1 / (1 + std::exp(-(tile.content[at + j] + tile.mask[at + j])));
        const TableIndex index(count, max_);
        if (index.low != held) at_low = product(index.low), at_high = product(index.high);
        held = index.low;
        tile.term(0)[at + j] += index.mix(at_low, at_high);
      }
      tile.carry[i] = static_cast<float>(count);
    }
  }

  int width_, max_;
  bool scaled_;
  ParameterSpec spec_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Cope>(shape, static_cast<int>(options[kMaxPositions]),
                          options[kScaledBias] != 0);
}

}  // namespace

extern const SchemeEntry cope_entry;
const SchemeEntry cope_entry = {&kDescription, hooks_of<Cope>(), make};

}  // namespace wf
