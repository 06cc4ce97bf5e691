// The bias of windows of a picture: a number for each offset by row and column. v1, Liu et al.
// 2021, arXiv 2103.14030, section 3.2: a learned table of the offsets in a window. v2, Liu et al.
// 2021, arXiv 2111.09883, sections 3.2 and 3.3: the cosine of query and key times a learned factor,
// plus a small network of the offset on a logarithmic scale, which also applies to windows of other
// sizes.
#include <algorithm>
#include <cmath>

#include "schemes/continuous_bias.h"
#include "schemes/entry.h"
#include "schemes/grid_range.h"
#include "schemes/unit_rows.h"
#include "tensor/extent.h"

namespace wf {
namespace {

enum OptionIndex { kVersion, kHeight, kWidth, kPretrainedHeight, kPretrainedWidth, kHiddenWidth };
// Parameters of v2; v1 has only its table.
enum ParameterIndex { kLogitScale, kNetwork, kParameters = kNetwork + 3 };

constexpr const char* kVersions[] = {"v1", "v2"};

constexpr Option kOptions[] = {
    choice_option("version", "", kVersions, 0),
    integer_option("windowHeight", "", 7, 1, 256),
    integer_option("windowWidth", "", 7, 1, 256),
    // 0: the size of the window.
    integer_option("pretrainedHeight", "", 0, 0, 256),
    integer_option("pretrainedWidth", "", 0, 0, 256),
    integer_option("hiddenWidth", "", 512, 1, 4096),
};

constexpr const char* kTerms[] = {"window"};

constexpr SchemeDescription kDescription = {
    .id = "swin",
    .family = "grid",
    .paper = "Liu et al. 2021, arXiv 2103.14030; v2: arXiv 2111.09883",
    .year = 2021,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = false},  // a window is processed as a whole
    .bias_terms = kTerms,
    .transform_term = "cosine",
    .position_axes = 2,
    .cross_attention = CrossAttention::kRefused,
};

const float kHighestScale = std::log(100.0f);

class Swin : public Scheme {
 public:
  Swin(const SchemeShape& shape, const OptionValues& options)
      : second_(options[kVersion] == 1),
        heads_(shape.num_heads),
        sides_{static_cast<int>(options[kHeight]), static_cast<int>(options[kWidth])},
        network_(
            heads_, static_cast<int>(options[kHiddenWidth]),
            static_cast<int>(options[kPretrainedHeight] ? options[kPretrainedHeight] : sides_[0]),
            static_cast<int>(options[kPretrainedWidth] ? options[kPretrainedWidth] : sides_[1])) {
    specs_[0] = {.name = "relative_position_bias_table",
                 .rows = (2 * sides_[0] - 1) * row_width(),
                 .columns = heads_,
                 .initialiser = Initialiser::kNormal};
    if (!second_) return;
    specs_[kLogitScale] = {.name = "logit_scale",
                           .columns = heads_,
                           .initialiser = Initialiser::kConstant,
                           .deviation = std::log(10.0f)};
    network_.describe(specs_ + kNetwork);
  }

  std::uint32_t idle_hooks() const override {
    return second_ ? 0u : kHookTransform | kHookPrepare | kHookScale;
  }
  std::span<const ParameterSpec> parameters() const override {
    return {specs_, second_ ? std::size_t{kParameters} : 1};
  }
  float logit_scale() const override { return second_ ? 1 : 0; }

  // The table covers one window; the network has no limit.
  Status check_distances(const LayerContext& context) const override {
    const GridRange range(context);
    for (int axis = 0; axis < 2 && !second_; ++axis) {
      const std::int64_t max = std::max(-range.low(axis), range.high(axis));
      if (max < sides_[axis]) continue;
      return WF_UNEXPECTED("positions", "%.0f %s between query and key", "0 to %d, since %s is %d",
                           static_cast<double>(max), axis ? "columns" : "rows", sides_[axis] - 1,
                           kOptions[kHeight + axis].key, sides_[axis]);
    }
    return {};
  }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions&, Matrix x) const override {
    if (projection == Projection::kValue) return;
    set_lengths(temperature(context, projection, head), x);
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions&, ConstMatrix raw,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    const bool trains = projection == Projection::kQuery && context.gradients &&
                        context.values[kLogitScale][head] <= kHighestScale;
    set_lengths_backward(temperature(context, projection, head), raw, d_x,
                         trains ? context.gradients[kLogitScale] + head : nullptr);
  }

  // v2's bias of every offset that occurs, [rows, H], in the layout of v1's table.
  std::size_t layer_table_floats(const LayerContext& context) const override {
    return elements_of(GridRange(context).rows(), heads_);
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch&) const override {
    GridRange(context).for_each_row([&](std::size_t row, std::int64_t dy, std::int64_t dx) {
      network_.forward(context.values + kNetwork, dy, dx, table + row * heads_);
    });
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch&) const override {
    if (!context.gradients) return;
    GridRange(context).for_each_row([&](std::size_t row, std::int64_t dy, std::int64_t dx) {
      network_.backward(context.values + kNetwork, context.gradients + kNetwork, dy, dx,
                        context.table + row * heads_, context.d_table + row * heads_);
    });
  }

  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    const float* table = second_ ? context.table : context.values[0];
    float* term = tile.term(0);
    for_each_logit(context, tile,
                   [&](std::ptrdiff_t cell, std::size_t at) { term[cell] += table[at]; });
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    if (!context.gradients) return;
    float* d_table = second_ ? context.d_table : context.gradients[0];
    const float* d = gradient.d_logits;
    for_each_logit(context, tile,
                   [&](std::ptrdiff_t cell, std::size_t at) { d_table[at] += d[cell]; });
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    double flops = heads_ * queries * keys;
    if (!second_) return {.layer = flops};
    flops += 3.0 * shape.head_dim * (heads_ * queries + shape.num_kv_heads * keys);
    return {.layer = flops + (2 * sides_[0] - 1) * row_width() * network_.flops()};
  }

 private:
  float temperature(const LayerContext& context, Projection projection, int head) const {
    if (projection == Projection::kKey) return 1;
    return std::exp(std::min(context.values[kLogitScale][head], kHighestScale));
  }

  // Calls body(index in the tile, index in a table [·, H]).
  template <class Body>
  void for_each_logit(const LayerContext& context, const LogitTile& tile, Body body) const {
    const GridRange range(context);
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) {
        const int t = tile.row0 + i, s = tile.column0 + j;
        const std::int64_t row = second_ ? range.row(t, s)
                                         : (range.offset(t, s, 0) + sides_[0] - 1) * row_width() +
                                               range.offset(t, s, 1) + sides_[1] - 1;
        body(i * tile.stride + j, static_cast<std::size_t>(row * heads_ + tile.head));
      }
  }

  int row_width() const { return 2 * sides_[1] - 1; }

  bool second_;
  int heads_;
  int sides_[2];  // rows, columns
  ContinuousBias network_;
  ParameterSpec specs_[kParameters];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Swin>(shape, options);
}

}  // namespace

extern const SchemeEntry swin_entry;
const SchemeEntry swin_entry = {&kDescription, hooks_of<Swin>(), make};

}  // namespace wf
