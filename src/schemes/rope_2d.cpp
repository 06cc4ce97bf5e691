// Rotary embedding on a grid: some pairs of channels rotate by the row, the others by the column,
// so that a product depends only on the differences of both. Heo et al. 2024, arXiv 2403.13298,
// section 3.1 (axial); layouts as in the code of EVA-02, Pixtral, Qwen2-VL and Llama 4; positions
// that are shares of the picture as in DINOv3, arXiv 2508.10104. Heo et al. 2024, section 3.2
// (RoPE-Mixed): each pair rotates by a trained mixture of row and column.
#include <cmath>
#include <numbers>

#include "schemes/frequencies.h"
#include "schemes/rotary_scheme.h"

namespace wf {
namespace {

enum OptionIndex {
  kLayout,
  kRopeTheta,
  kRowScale,
  kColumnScale,
  kRows,
  kColumns,
  kLearnedFrequencies,
};

// The frequencies and axes of the pairs, in order.
enum Layout { kEva02, kPixtral, kQwenVision, kLlama4 };
constexpr const char* kLayouts[] = {"eva02", "pixtral", "qwen_vision", "llama4"};

constexpr Option scale_option(const char* key) { return number_option(key, "", 1, 1e-6, 1e6); }

// 2^28 of these are exact enough for float32 in grids of any size (families of pictures).
constexpr Option sides_option(const char* key) { return integer_option(key, "", 0, 0, 1 << 28); }

constexpr Option kOptions[] = {
    choice_option("layout", "", kLayouts, kQwenVision),
    rope_theta_option(),
    // EVA-02 rescales a grid of any size to the trained grid: trained side / side.
    scale_option("rowScale"),
    scale_option("columnScale"),
    // Above 0, positions count half rows (columns) from the middle of a picture of so many, whose
    // edges are then at 2π: row y of R is at 2y + 1 - R, and a token without a position at 0. 0:
    // positions are rows and columns.
    sides_option("rows"),
    sides_option("columns"),
    // Trains frequencies of rows and of columns for each pair and head.
    flag_option("learnedFrequencies", "", false),
};

constexpr SchemeDescription kDescription = {
    .id = "rope_2d",
    .family = "grid",
    .paper = "Fang et al. 2023, arXiv 2303.11331; Heo et al. 2024, arXiv 2403.13298",
    .year = 2023,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = false},  // a picture is processed as a whole
    .bias_terms = {},
    .transform_term = "rotation",
    .position_axes = 2,
    .cross_attention = CrossAttention::kPositions,
};

// For the fixed frequencies, the rotation and its backward pass are in rotary_scheme.cpp.
class Rope2d : public RotaryScheme {
 public:
  Rope2d(RopeFrequencies frequencies, bool interleaved, Buffer<std::uint8_t> axes)
      : RotaryScheme(std::move(frequencies), interleaved, std::move(axes)) {}

  // Trains frequencies that begin with `initial` [2, key heads, pairs]: of columns, then of rows,
  // as in the authors' code. Angles are frequency · unit · position; units are of rows, of columns.
  void train_mixtures(const SchemeShape& shape, const double* units, Buffer<float> initial) {
    key_heads_ = shape.num_kv_heads;
    group_ = shape.num_heads / shape.num_kv_heads;
    units_[0] = units[0];
    units_[1] = units[1];
    initial_ = std::move(initial);
    mixtures_ = {.name = "freqs",
                 .rows = 2,
                 .columns = key_heads_ * pairs(),
                 .initialiser = Initialiser::kGiven,
                 .given = initial_.data()};
  }

  std::span<const ParameterSpec> parameters() const override {
    return {&mixtures_, is_mixed() ? 1u : 0u};
  }
  std::uint32_t idle_hooks() const override { return is_mixed() ? 0 : kHookParameters; }

  // The angles of mixtures are those of one head and one layer.
  std::size_t position_table_floats(int count) const override {
    return is_mixed() ? 0 : RotaryScheme::position_table_floats(count);
  }
  void fill_position_table(const Positions& positions, int sequence_length, const float* trained,
                           float* table) const override {
    if (!is_mixed()) RotaryScheme::fill_position_table(positions, sequence_length, trained, table);
  }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    if (!is_mixed()) return RotaryScheme::transform_projections(context, projection, head, rows, x);
    for_each_pair(context.values[0], projection, head, rows, x,
                  [](float* a, float* b, double cosine, double sine, const Cell&) {
                    rotate(a, b, cosine, sine);
                  });
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix raw,
                                      Matrix d_x) const override {
    if (!is_mixed())
      return RotaryScheme::transform_projections_backward(context, projection, head, rows, raw,
                                                          d_x);
    // The derivative of a rotated pair (a, b) by its angle is (-b, a), and that of the angle by a
    // frequency the position times its unit.
    float* const d_across =
        context.gradients ? context.gradients[0] + first_of(projection, head) : nullptr;
    for_each_pair(context.values[0], projection, head, rows, d_x,
                  [&](float* d_a, float* d_b, double cosine, double sine, const Cell& cell) {
                    if (d_across) {
                      const float* y = rows.transformed.row(cell.index);
                      const double d_angle = static_cast<double>(y[first(cell.pair)]) * *d_b -
                                             static_cast<double>(y[second(cell.pair)]) * *d_a;
                      d_across[cell.pair] += static_cast<float>(d_angle * cell.column);
                      d_across[rows_offset() + cell.pair] += static_cast<float>(d_angle * cell.row);
                    }
                    rotate(d_a, d_b, cosine, -sine);
                  });
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    if (!is_mixed()) return RotaryScheme::extra_flops(shape, queries, keys);
    // An angle of two products, its sine and cosine, and the rotation.
    return {.layer = 11.0 * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

  int frequencies(int sequence_length, double* frequencies,
                  double* attention_factor) const override {
    if (is_mixed()) return 0;
    return RotaryScheme::frequencies(sequence_length, frequencies, attention_factor);
  }

 private:
  // A pair of a row of queries or keys; row and column times their units.
  struct Cell {
    int index, pair;
    double row, column;
  };

  bool is_mixed() const { return key_heads_ > 0; }
  // Offset of the frequencies of a head, of columns; those of rows come `rows_offset` later.
  std::ptrdiff_t first_of(Projection projection, int head) const {
    const int key_head = projection == Projection::kQuery ? head / group_ : head;
    return std::ptrdiff_t{key_head} * pairs();
  }
  std::ptrdiff_t rows_offset() const { return std::ptrdiff_t{key_heads_} * pairs(); }

  static void rotate(float* a, float* b, double cosine, double sine) {
    const double x = *a, y = *b;
    *a = static_cast<float>(x * cosine - y * sine);
    *b = static_cast<float>(x * sine + y * cosine);
  }

  // Calls body(first channel, second channel, cos, sin, cell) for each pair of each row of x.
  template <class Body>
  void for_each_pair(const float* frequencies, Projection projection, int head,
                     const RowPositions& rows, Matrix x, Body body) const {
    const float* across = frequencies + first_of(projection, head);
    const float* down = across + rows_offset();
    const Positions& positions = rows.positions;
    for (int i = 0; i < x.rows; ++i) {
      const double row = positions.at(i) * units_[0];
      const double column = positions.at(i, positions.axes > 1 ? 1 : 0) * units_[1];
      for (int t = 0; t < pairs(); ++t) {
        const double angle = across[t] * column + down[t] * row;
        body(x.row(i) + first(t), x.row(i) + second(t), std::cos(angle), std::sin(angle),
             Cell{i, t, row, column});
      }
    }
  }

  int key_heads_ = 0, group_ = 1;  // no key heads: frequencies are fixed
  double units_[2] = {1, 1};
  Buffer<float> initial_;
  ParameterSpec mixtures_;
};

// Frequencies [2, heads, pairs] of columns and of rows that make the directions of an axial
// rotation's pairs: each head's rotated by its share of a right angle, where the authors draw the
// angle at random. `frequencies` and `axes` are those of the axial rotation.
Result<Buffer<float>> spread_directions(int heads, const Buffer<double>& frequencies,
                                        const Buffer<std::uint8_t>& axes) {
  const int pairs = static_cast<int>(frequencies.size());
  WF_ASSIGN_OR_RETURN(Buffer<float> mixtures, Buffer<float>::make(elements_of(2, heads, pairs)));
  for (int h = 0; h < heads; ++h) {
    const double angle = std::numbers::pi / 2 * h / heads;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    for (int t = 0; t < pairs; ++t) {
      const std::ptrdiff_t at = std::ptrdiff_t{h} * pairs + t;
      const bool is_row = axes[t] == 0;
      mixtures[at] = static_cast<float>(frequencies[t] * (is_row ? -sine : cosine));
      mixtures[at + std::ptrdiff_t{heads} * pairs] =
          static_cast<float>(frequencies[t] * (is_row ? cosine : sine));
    }
  }
  return mixtures;
}

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 4 != 0)
    return WF_UNEXPECTED("headDim", "%d", "a multiple of 4, for pairs of channels of two axes",
                         shape.head_dim);
  const int half = shape.head_dim / 4;  // pairs of an axis
  const int layout = static_cast<int>(options[kLayout]);
  const bool learns = options[kLearnedFrequencies] != 0;
  double units[2];
  for (int axis = 0; axis < 2; ++axis) {
    const double side = options[kRows + axis];
    units[axis] = options[kRowScale + axis] * (side > 0 ? 2 * std::numbers::pi / side : 1);
  }
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(2 * half));
  Buffer<std::uint8_t> axes;
  WF_RETURN_IF_ERROR(axes.reserve(2 * half));
  Buffer<double> base_frequencies;
  WF_RETURN_IF_ERROR(base_frequencies.reserve(2 * half));
  // Pixtral divides one series of frequencies of the whole head between the axes; in the others
  // each axis has the series of half a head.
  const bool deals = layout == kPixtral;
  geometric_frequencies(options[kRopeTheta], deals ? shape.head_dim : shape.head_dim / 2,
                        base_frequencies.data());
  for (int second = 0; second < 2; ++second) {
    const int axis = layout == kLlama4 ? 1 - second : second;
    for (int t = 0; t < half; ++t) {
      const int pair = second * half + t;
      axes[pair] = static_cast<std::uint8_t>(axis);
      frequencies[pair] = base_frequencies[deals ? 2 * t + second : t] * (learns ? 1 : units[axis]);
    }
  }
  Buffer<float> initial;
  if (learns) {
    WF_ASSIGN_OR_RETURN(initial, spread_directions(shape.num_kv_heads, frequencies, axes));
  }
  auto made = new_scheme<Rope2d>(RopeFrequencies::fixed(std::move(frequencies)),
                                 layout == kEva02 || layout == kLlama4, std::move(axes));
  if (learns && made.ok())
    static_cast<Rope2d&>(*made.value()).train_mixtures(shape, units, std::move(initial));
  return made;
}

}  // namespace

extern const SchemeEntry rope_2d_entry;
const SchemeEntry rope_2d_entry = {&kDescription, hooks_of<Rope2d>(), make};

}  // namespace wf
