// Polar coordinate position embedding: each channel of a query and a key is a length, which content
// gives, at an angle, which position gives. Gopalakrishnan, Csordás, Schmidhuber & Mozer 2025,
// arXiv 2509.10534, section 3:
//   s_ij = scale · Σ_c μ(q_ic) μ(k_jc) cos((j - i) θ_c + δ_c),   μ(x) = ln(1 + e^x), θ_c =
//   base^(-c/D)
// A transformed row has twice as many channels: μ cos and μ sin of each angle. δ, a trained number
// of each head and channel in [-2π, 0], is subtracted from the angle of the query.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "schemes/entry.h"
#include "schemes/frequencies.h"
#include "schemes/rotary_scheme.h"
#include "tensor/extent.h"

namespace wf {
namespace {

enum OptionIndex { kRopeTheta, kLearnedPhases, kUniformPhases };

constexpr Option kOptions[] = {
    rope_theta_option(),
    flag_option("learnedPhases", "", true),
    // Begins with δ drawn from [-2π, 0], not with zero.
    flag_option("uniformPhases", "", false),
};

constexpr SchemeDescription kDescription = {
    .id = "pope",
    .family = "rotary",
    .paper = "Gopalakrishnan, Csordás, Schmidhuber & Mozer 2025, arXiv 2509.10534",
    .year = 2025,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "polar",
    .cross_attention = CrossAttention::kPositions,
};

constexpr float kCircle = static_cast<float>(2 * std::numbers::pi);

float softplus(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); }
float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

class Pope : public Scheme {
 public:
  Pope(const SchemeShape& shape, const OptionValues& options, Buffer<double> frequencies)
      : width_(shape.head_dim),
        learns_(options[kLearnedPhases] != 0),
        frequencies_(std::move(frequencies)) {
    phases_ = {.name = "phases", .rows = shape.num_heads, .columns = width_};
    if (options[kUniformPhases] != 0) {
      phases_.initialiser = Initialiser::kUniform;
      phases_.deviation = kCircle / 2;
      phases_.mean = -kCircle / 2;
    }
  }

  std::span<const ParameterSpec> parameters() const override {
    return {&phases_, learns_ ? 1u : 0u};
  }
  std::uint32_t idle_hooks() const override {
    return learns_ ? 0 : kHookParameters | kHookConstrain;
  }
  void constrain(float* const* values) const override {
    for (std::size_t i = 0; learns_ && i < phases_.size(); ++i)
      values[0][i] = std::clamp(values[0][i], -kCircle, 0.0f);
  }

  int transformed_channels(int head_dim) const override { return 2 * head_dim; }
  std::size_t position_table_floats(int count) const override {
    return elements_of(2, count, width_);
  }
  void fill_position_table(const Positions& positions, int, const float*,
                           float* table) const override {
    rotation_table(positions, frequencies_.data(), width_, 1, table,
                   table + std::ptrdiff_t{positions.count} * width_);
  }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    for_each_channel(context, projection, head, rows, x.rows,
                     [&](int row, int c, float cosine, float sine) {
                       float* channel = x.row(row) + c;
                       const float length = softplus(*channel);
                       channel[0] = length * cosine;
                       channel[width_] = length * sine;
                     });
  }
  // With (a, b) the gradient at (μ cos φ, μ sin φ), that of μ is a cos φ + b sin φ and that of φ is
  // μ (b cos φ - a sin φ); δ is subtracted from the query's angle.
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix raw,
                                      Matrix d_x) const override {
    float* d_phases = learns_ && context.gradients && projection == Projection::kQuery
                          ? context.gradients[0] + std::ptrdiff_t{head} * width_
                          : nullptr;
    for_each_channel(context, projection, head, rows, d_x.rows,
                     [&](int row, int c, float cosine, float sine) {
                       float* d = d_x.row(row) + c;
                       const float x = raw.row(row)[c], a = d[0], b = d[width_];
                       if (d_phases) d_phases[c] -= softplus(x) * (b * cosine - a * sine);
                       d[0] = (a * cosine + b * sine) * sigmoid(x);
                     });
  }

  int frequencies(int, double* frequencies, double* attention_factor) const override {
    std::copy(frequencies_.begin(), frequencies_.end(), frequencies);
    *attention_factor = 1;
    return width_;
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // Lengths and two products for each channel; the product q·k is twice as wide.
    const double rows = shape.num_heads * queries + shape.num_kv_heads * keys;
    return {.layer = width_ * (4 * rows + 2.0 * shape.num_heads * queries * keys)};
  }

 private:
  // Calls body(row, channel, cos, sin) with the angle of each channel.
  template <class Body>
  void for_each_channel(const LayerContext& context, Projection projection, int head,
                        const RowPositions& rows, int count, Body body) const {
    const float* sines = rows.table + std::ptrdiff_t{rows.positions.count} * width_;
    const bool shifts = learns_ && projection == Projection::kQuery;
    for (int c = 0; c < width_; ++c) {
      const float phase = shifts ? context.values[0][std::ptrdiff_t{head} * width_ + c] : 0;
      const float cosine = std::cos(phase), sine = std::sin(phase);
      for (int row = 0; row < count; ++row) {
        const std::ptrdiff_t at = std::ptrdiff_t{row} * width_ + c;
        body(row, c, rows.table[at] * cosine + sines[at] * sine,
             sines[at] * cosine - rows.table[at] * sine);
      }
    }
  }

  int width_;
  bool learns_;
  Buffer<double> frequencies_;
  ParameterSpec phases_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  WF_ASSIGN_OR_RETURN(Buffer<double> frequencies, Buffer<double>::make(shape.head_dim));
  geometric_frequencies(options[kRopeTheta], 2 * shape.head_dim, frequencies.data());
  return new_scheme<Pope>(shape, options, std::move(frequencies));
}

}  // namespace

extern const SchemeEntry pope_entry;
const SchemeEntry pope_entry = {&kDescription, hooks_of<Pope>(), make};

}  // namespace wf
