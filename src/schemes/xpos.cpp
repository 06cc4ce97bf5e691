// xPos: rotary embedding whose pairs also decay with distance, those of high frequency fastest. Sun
// et al. 2022, arXiv 2212.10554, section 3.2; constants of microsoft/torchscale.
#include <algorithm>
#include <cmath>

#include "schemes/rotary_scheme.h"

namespace wf {
namespace {

enum OptionIndex { kScaleBase, kRopeTheta, kInterleaved };

constexpr Option kOptions[] = {
    number_option("scaleBase", "xpos_scale_base", 512, 1, 1e9),
    rope_theta_option(),
    interleaved_option(true),
};

constexpr SchemeDescription kDescription = {
    .id = "xpos",
    .family = "rotary",
    .paper = "Sun et al. 2022, arXiv 2212.10554",
    .year = 2022,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               // Slow pairs reach untrained angles, and check_positions has a limit.
               .extrapolates_by_construction = false,
               .bidirectional = false,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "rotation",
    .cross_attention = CrossAttention::kRefused,
};

class Xpos : public RotaryScheme {
 public:
  Xpos(RopeFrequencies frequencies, double scale_base, bool interleaved)
      : RotaryScheme(std::move(frequencies), interleaved), scale_base_(scale_base) {}

  // The factor of a query or key alone is up to (7/2)^(distance / base), which must fit in a
  // float32.
  Status check_positions(const Positions& positions) const override {
    std::int64_t low = positions.count ? positions.at(0) : 0, high = low;
    for (int i = 0; i < positions.count; ++i) {
      low = std::min<std::int64_t>(low, positions.at(i));
      high = std::max<std::int64_t>(high, positions.at(i));
    }
    const double max = 60 * scale_base_;
    if (static_cast<double>(high - low) <= max) return {};
    return WF_UNEXPECTED("positions", "from %lld to %lld",
                         "a span of at most %.0f with scaleBase %g, since float32 overflows beyond",
                         static_cast<long long>(low), static_cast<long long>(high), max,
                         scale_base_);
  }

  // Also for a cache, which grows by a few positions at a time.
  Status check_distances(const LayerContext& context) const override {
    return check_positions(context.key_positions);
  }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    RotaryScheme::transform_projections(context, projection, head, rows, x);
    fade(context, projection, rows, x);
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix raw,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    fade(context, projection, rows, d_x);
    RotaryScheme::transform_projections_backward(context, projection, head, rows, raw, d_x);
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A rotation and a factor for both channels of a pair.
    return {.layer = 8.0 * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

 private:
  // Multiplies pair t by ζ_t^(±(position - centre) / base), ζ_t = (2t + 0.4 D) / (1.4 D). The
  // factors of query and key multiply to ζ^((i - j) / base) for any centre, but each alone grows
  // exponentially. The centre is the first key: its distance is within the limit of
  // check_positions, and it is the same while a cache grows, so that keys are transformed only
  // once.
  void fade(const LayerContext& context, Projection projection, const RowPositions& rows,
            Matrix x) const {
    if (context.key_positions.count == 0) return;
    const int centre = context.key_positions.at(0);
    const double width = 2.0 * pairs(), sign = projection == Projection::kQuery ? 1 : -1;
    const auto position = [&](int i) { return rows.positions.at(i); };
    for (int t = 0; t < pairs(); ++t) {
      const double zeta = (2.0 * t + 0.4 * width) / (1.4 * width);
      // Computes the factor of the next position by one multiplication, and directly again before
      // the error would be visible in a float.
      const double step = std::pow(zeta, sign / scale_base_);
      double factor = 1;
      for (int i = 0; i < x.rows; ++i) {
        const bool follows = i % 64 != 0 && std::int64_t{position(i)} - 1 == position(i - 1);
        factor =
            follows
                ? factor * step
                : std::pow(zeta, sign * (static_cast<double>(position(i)) - centre) / scale_base_);
        x.row(i)[first(t)] *= static_cast<float>(factor);
        x.row(i)[second(t)] *= static_cast<float>(factor);
      }
    }
  }

  double scale_base_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  WF_ASSIGN_OR_RETURN(RopeFrequencies frequencies,
                      RopeFrequencies::make(shape.head_dim, 1, options[kRopeTheta], {}));
  return new_scheme<Xpos>(std::move(frequencies), options[kScaleBase], options[kInterleaved] != 0);
}

}  // namespace

extern const SchemeEntry xpos_entry;
const SchemeEntry xpos_entry = {&kDescription, hooks_of<Xpos>(), make};

}  // namespace wf
