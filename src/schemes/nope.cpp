// No positional signal: order is visible only through the mask and depth. The template for a new
// scheme.
// Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv 2305.19466.
//
// Its one option is Llama 4's query temperature for such layers, which sharpens queries at large
// positions.
#include <algorithm>
#include <cmath>

#include "schemes/query_factor.h"

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
    .transform_term = kTemperature,
    // The temperature depends on the first axis only.
    .position_axes = 0,
    .cross_attention = CrossAttention::kPositions,
};

class Nope : public QueryFactor {
 public:
  Nope(double scale, double floor) : scale_(scale), floor_(floor) {}

  std::uint32_t idle_hooks() const override { return scale_ == 0 ? kHookTransform : 0u; }

  // 1 + scale · ln(1 + floor((position + 1) / floor_scale)). Negative positions use the temperature
  // of position 0, as the logarithm is not defined there.
  float query_factor(const LayerContext&, int, int position) const override {
    const double steps = std::floor((std::max(position, 0) + 1.0) / floor_);
    return static_cast<float>(1 + scale_ * std::log1p(steps));
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double) const override {
    return {.layer = scale_ == 0 ? 0 : queries * shape.num_heads * shape.head_dim};
  }

 private:
  double scale_, floor_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape&, const OptionValues& options) {
  return new_scheme<Nope>(options[kTemperatureScale], options[kTemperatureFloor]);
}

}  // namespace

extern const SchemeEntry nope_entry;
const SchemeEntry nope_entry = {&kDescription, hooks_of<Nope>(), make};

}  // namespace wf
