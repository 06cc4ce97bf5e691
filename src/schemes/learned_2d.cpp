// A learned vector for each cell of a grid, added to the token vector.
// ViT (Dosovitskiy et al. 2020, arXiv 2010.11929, section 3.1 and appendix D.4): a table of cells
// after rows for class tokens, interpolated if the picture has another grid. DETR (Carion et al.
// 2020, arXiv 2005.12872): a table of rows and a table of columns.
#include "kernels/dot.h"
#include "schemes/entry.h"
#include "schemes/grid_taps.h"

namespace wf {
namespace {

enum OptionIndex {
  kLayout,
  kTableHeight,
  kTableWidth,
  kExtraTokens,
  kGridHeight,
  kGridWidth,
  kInterpolation
};

enum Layout { kVit, kDetr };
constexpr const char* kLayouts[] = {"vit", "detr"};

// In the order of enum Interpolation.
constexpr const char* kInterpolations[] = {"bicubic", "bicubic_factor", "bilinear"};

constexpr Option kOptions[] = {
    choice_option("layout", "", kLayouts, kVit),
    integer_option("tableHeight", "", 14, 1, 1024),
    integer_option("tableWidth", "", 14, 1, 1024),
    integer_option("extraTokens", "", 1, 0, 64),
    // 0: the grid of the table.
    integer_option("gridHeight", "", 0, 0, 4096),
    integer_option("gridWidth", "", 0, 0, 4096),
    choice_option("interpolation", "", kInterpolations, 0),
};

constexpr SchemeDescription kDescription = {
    .id = "learned_2d",
    .family = "grid",
    .paper = "Dosovitskiy et al. 2020, arXiv 2010.11929; Carion et al. 2020, arXiv 2005.12872",
    .year = 2020,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = false},  // a picture is processed as a whole
    .bias_terms = {},
    .position_axes = 2,
};

class Learned2d : public Scheme {
 public:
  Learned2d(int width, const OptionValues& options)
      : width_(width),
        is_detr_(static_cast<int>(options[kLayout]) == kDetr),
        extra_(static_cast<int>(options[kExtraTokens])),
        interpolation_(static_cast<Interpolation>(static_cast<int>(options[kInterpolation]))) {
    for (int axis = 0; axis < 2; ++axis) {
      table_[axis] = static_cast<int>(options[kTableHeight + axis]);
      grid_[axis] = static_cast<int>(options[kGridHeight + axis]);
      if (grid_[axis] == 0 || is_detr_) grid_[axis] = table_[axis];
    }
    interpolates_ = grid_[0] != table_[0] || grid_[1] != table_[1];
    if (is_detr_) extra_ = 0;
    const auto spec = [](const char* name, int rows, int columns, Initialiser initialiser) {
      const bool is_uniform = initialiser == Initialiser::kUniform;  // from 0 to 1
      return ParameterSpec{.name = name,
                           .rows = rows,
                           .columns = columns,
                           .scope = ParameterScope::kModel,
                           .initialiser = initialiser,
                           .deviation = is_uniform ? 0.5f : 0.02f,
                           .mean = is_uniform ? 0.5f : 0};
    };
    specs_[0] =
        spec("position_embeddings", extra_ + table_[0] * table_[1], width, Initialiser::kNormal);
    if (!is_detr_) return;
    specs_[0] = spec("row_embeddings", table_[0], width / 2, Initialiser::kUniform);
    specs_[1] = spec("column_embeddings", table_[1], width / 2, Initialiser::kUniform);
  }

  std::span<const ParameterSpec> parameters() const override {
    return {specs_, is_detr_ ? std::size_t{2} : 1};
  }

  Status check_positions(const Positions& positions) const override {
    for (int i = 0; i < positions.count; ++i) {
      const int row = positions.at(i, 0), column = positions.at(i, 1);
      const bool is_cell = row >= 0 && row < grid_[0] && column < grid_[1];
      if (column >= 0 && (is_cell || (row == -1 && column < extra_))) continue;
      return WF_UNEXPECTED(
          "positions[%d]", "row %d, column %d",
          "row below %d and column below %d, or row -1 and column below %d (extra tokens)", i, row,
          column, grid_[0], grid_[1], extra_);
    }
    return {};
  }

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    for (int i = 0; i < x.rows; ++i)
      for_each_source(context.query_positions, i, [&](const Source& s) {
        add_scaled(s.weight, context.values[s.tensor] + s.from, s.count, x.row(i) + s.to);
      });
  }
  void add_to_embeddings_backward(const LayerContext& context, Matrix d_x) const override {
    if (!context.gradients) return;
    for (int i = 0; i < d_x.rows; ++i)
      for_each_source(context.query_positions, i, [&](const Source& s) {
        add_scaled(s.weight, d_x.row(i) + s.to, s.count, context.gradients[s.tensor] + s.from);
      });
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double) const override {
    return {.once = queries * width_ *
                    (!interpolates_                               ? 1
                     : interpolation_ == Interpolation::kBilinear ? 8
                                                                  : 32)};
  }

 private:
  GridTaps taps(int cell, int axis) const {
    if (!interpolates_) return GridTaps(cell);
    return GridTaps(interpolation_, cell, grid_[axis], table_[axis]);
  }
  std::ptrdiff_t row_of(int row, int column) const {
    return extra_ + std::ptrdiff_t{row} * table_[1] + column;
  }

  // A vector that is added to `count` channels of a token from channel `to` on.
  struct Source {
    int tensor;
    std::ptrdiff_t from;
    int to, count;
    float weight = 1;
  };
  // Calls body(source) for all vectors that are added to token number i.
  template <class Body>
  void for_each_source(const Positions& positions, int i, Body body) const {
    const int row = positions.at(i, 0), column = positions.at(i, 1), half = width_ / 2;
    if (is_detr_) {
      body(Source{1, std::ptrdiff_t{column} * half, 0, half});
      body(Source{0, std::ptrdiff_t{row} * half, half, half});
    } else if (row < 0) {
      body(Source{0, std::ptrdiff_t{column} * width_, 0, width_});
    } else {
      const GridTaps down = taps(row, 0), along = taps(column, 1);
      for (int y = 0; y < down.count; ++y)
        for (int x = 0; x < along.count; ++x)
          body(Source{0, row_of(down.cells[y], along.cells[x]) * width_, 0, width_,
                      down.weights[y] * along.weights[x]});
    }
  }

  int width_;
  bool is_detr_, interpolates_;
  int extra_;
  Interpolation interpolation_;
  int table_[2], grid_[2];  // rows, columns
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  if (static_cast<int>(options[kLayout]) == kDetr && width % 2 != 0)
    return WF_UNEXPECTED("hiddenSize", "%d", "an even number, for row and column", width);
  return new_scheme<Learned2d>(width, options);
}

}  // namespace

extern const SchemeEntry learned_2d_entry;
const SchemeEntry learned_2d_entry = {&kDescription, hooks_of<Learned2d>(), make};

}  // namespace wf
