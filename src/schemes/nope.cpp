// No positional signal: order is visible only through the mask and depth. The template for a new
// scheme.
// Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv 2305.19466.
//
// Its one option is Llama 4's query temperature for such layers, which sharpens queries at large
// positions.
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"

namespace wf {
namespace {

enum OptionIndex { kTemperatureScale, kTemperatureFloor };

constexpr Option kOptions[] = {
    number_option("temperatureScale", "attn_scale", 0, 0, 10),
    integer_option("temperatureFloor", "floor_scale", 8192, 1, 1e9),
};

constexpr SchemeDescription kDescription = {
    .id = "nope",
    .family = "none",
    .paper = "Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv 2305.19466",
    .year = 2022,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "temperature",
    // The temperature depends on the first axis only.
    .position_axes = 0,
    .cross_attention = CrossAttention::kPositions,
};

class Nope : public Scheme {
 public:
  Nope(double scale, double floor) : scale_(scale), floor_(floor) {}

  std::uint32_t idle_hooks() const override { return scale_ == 0 ? kHookTransform : 0u; }

  // q · (1 + scale · ln(1 + floor((max(position, 0) + 1) / floor_scale)))
  void transform_projections(const LayerContext&, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    if (projection != Projection::kQuery) return;
    for (int i = 0; i < x.rows; ++i) {
      const float factor = temperature(rows.positions.at(i));
      for (int c = 0; c < x.columns; ++c) x.row(i)[c] *= factor;
    }
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    transform_projections(context, projection, head, rows, d_x);  // linear and diagonal
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double) const override {
    return {.layer = scale_ == 0 ? 0 : queries * shape.num_heads * shape.head_dim};
  }

 private:
  // Negative positions use the temperature of position 0, as the logarithm is not defined there.
  float temperature(int position) const {
    const double steps = std::floor((std::max(position, 0) + 1.0) / floor_);
    return static_cast<float>(1 + scale_ * std::log1p(steps));
  }

  double scale_, floor_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape&, const OptionValues& options) {
  return new_scheme<Nope>(options[kTemperatureScale], options[kTemperatureFloor]);
}

}  // namespace

extern const SchemeEntry nope_entry;
const SchemeEntry nope_entry = {&kDescription, hooks_of<Nope>(), make};

}  // namespace wf
