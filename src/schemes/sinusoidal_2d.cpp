// Sines and cosines of row and column, half of the channels each.
// DETR (Carion et al. 2020, arXiv 2005.12872) projects them with the weights of every layer and
// adds them to queries and keys; MAE (He et al. 2021, arXiv 2111.06377) adds them once to the token
// vectors, with the column in the first half.
#include <cmath>
#include <numbers>

#include "kernels/dot.h"
#include "schemes/entry.h"
#include "schemes/frequencies.h"
#include "tensor/buffer.h"
#include "tensor/extent.h"

namespace wf {
namespace {

enum OptionIndex { kLayout, kBase, kNormalize, kCellCentres, kGridHeight, kGridWidth };

enum Layout { kMae, kMaeRowsFirst, kDetr };
constexpr const char* kLayouts[] = {"mae", "mae_rows_first", "detr"};

constexpr Option side_option(const char* key) { return integer_option(key, "", 14, 1, 65536); }

constexpr Option kOptions[] = {
    choice_option("layout", "", kLayouts, kMae),
    number_option("base", "", 10000, 2, 1e9),
    // DETR: rows and columns, counted from 1, are scaled to angles up to 2π at the end of the grid.
    flag_option("normalize", "", true),
    flag_option("cellCentres", "", false),
    side_option("gridHeight"),
    side_option("gridWidth"),
};

constexpr SchemeDescription kDescription = {
    .id = "sinusoidal_2d",
    .family = "grid",
    .paper = "Carion et al. 2020, arXiv 2005.12872; He et al. 2021, arXiv 2111.06377",
    .year = 2020,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = false},  // a picture is processed as a whole
    .bias_terms = {},
    .transform_term = "positions",
    .position_axes = 2,
};

class Sinusoidal2d : public Scheme {
 public:
  Sinusoidal2d(int width, const OptionValues& options, Buffer<double> frequencies)
      : layout_(static_cast<int>(options[kLayout])),
        width_(width),
        normalizes_(options[kNormalize] != 0),
        first_(options[kCellCentres] != 0 && normalizes_ ? 0.5 : 1),
        sides_{options[kGridHeight], options[kGridWidth]},
        frequencies_(std::move(frequencies)) {}

  std::uint32_t idle_hooks() const override {
    return layout_ == kDetr ? kHookEmbeddings : kHookTransform;
  }
  bool needs_projections() const override { return layout_ == kDetr; }

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    for (int i = 0; i < x.rows; ++i)
      encode(context.query_positions, i, [row = x.row(i)](int channel, double value) {
        row[channel] += static_cast<float>(value);
      });
  }

  // No add_to_embeddings_backward: there are no parameters, and the gradient of the token vectors
  // is unchanged.

  // The encodings [T,E].
  std::size_t position_table_floats(int count) const override { return elements_of(count, width_); }
  void fill_position_table(const Positions& positions, int, const float*,
                           float* table) const override {
    for (int i = 0; i < positions.count; ++i, table += width_) {
      for (int c = 0; c < width_; ++c) table[c] = 0;
      encode(positions, i,
             [table](int channel, double value) { table[channel] = static_cast<float>(value); });
    }
  }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    const LayerProjections& projections = context.projections;
    const float* weight = (projection == Projection::kQuery ? projections.query : projections.key) +
                          first_row(head, x);
    for (int i = 0; i < x.rows; ++i)
      for (int c = 0; c < x.columns; ++c)
        x.row(i)[c] += dot(weight + std::ptrdiff_t{c} * width_, encoding(rows, i), width_);
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    const LayerProjections& projections = context.projections;
    float* d_weight = projection == Projection::kQuery ? projections.d_query : projections.d_key;
    if (projection == Projection::kValue || !d_weight) return;
    d_weight += first_row(head, d_x);
    for (int i = 0; i < d_x.rows; ++i)
      for (int c = 0; c < d_x.columns; ++c)
        add_scaled(d_x.row(i)[c], encoding(rows, i), width_, d_weight + std::ptrdiff_t{c} * width_);
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    if (layout_ != kDetr) return {.once = 2 * queries * width_};
    return {.layer = 2.0 * width_ * shape.head_dim *
                     (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

 private:
  // Index of a head's first row in a projection [·,E].
  std::ptrdiff_t first_row(int head, const Matrix& x) const {
    return std::ptrdiff_t{head} * x.columns * width_;
  }
  const float* encoding(const RowPositions& rows, int i) const {
    return rows.table + std::ptrdiff_t{i} * width_;
  }

  // The row or column as the argument of the sines.
  double coordinate(std::int32_t cell, int axis) const {
    if (layout_ != kDetr) return cell;
    if (!normalizes_) return cell + first_;
    return (cell + first_) / (sides_[axis] + 1e-6) * 2 * std::numbers::pi;
  }
  // Calls put(channel, value) for the channels of token number i, unless it is no cell.
  template <class Put>
  void encode(const Positions& positions, int i, Put put) const {
    if (positions.at(i, 0) < 0 || positions.at(i, 1) < 0) return;
    const int half = width_ / 2, count = half / 2;
    for (int part = 0; part < 2; ++part) {
      const int axis = layout_ == kMae ? 1 - part : part;
      const double at = coordinate(positions.at(i, axis), axis);
      for (int t = 0; t < count; ++t) {
        const double angle = at * frequencies_[t];
        const bool is_interleaved = layout_ == kDetr;
        put(part * half + (is_interleaved ? 2 * t : t), std::sin(angle));
        put(part * half + (is_interleaved ? 2 * t + 1 : count + t), std::cos(angle));
      }
    }
  }

  int layout_, width_;
  bool normalizes_;
  double first_, sides_[2];
  Buffer<double> frequencies_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  if (width % 4 != 0)
    return WF_UNEXPECTED("hiddenSize", "%d", "a multiple of 4, for sines and cosines of two axes",
                         width);
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(width / 4));
  geometric_frequencies(options[kBase], width / 2, frequencies.data());
  return new_scheme<Sinusoidal2d>(width, options, std::move(frequencies));
}

}  // namespace

extern const SchemeEntry sinusoidal_2d_entry;
const SchemeEntry sinusoidal_2d_entry = {&kDescription, hooks_of<Sinusoidal2d>(), make};

}  // namespace wf
