// xPos: rotary embedding whose pairs also fade with distance, the fast ones fastest.
// Sun et al. 2022, arXiv 2212.10554, section 3.2; constants of microsoft/torchscale.
#include <algorithm>
#include <cmath>

#include "kernels/rotate_pairs.h"
#include "schemes/frequencies.h"
#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kScaleBase, kRopeTheta, kInterleaved };

constexpr Option kOptions[] = {
    {.key = "scaleBase",
     .config_key = "xpos_scale_base",
     .kind = OptionKind::kNumber,
     .default_value = 512,
     .minimum = 1,
     .maximum = 1e9},
    {.key = "ropeTheta",
     .config_key = "rope_theta",
     .kind = OptionKind::kNumber,
     .default_value = 10000,
     .minimum = 1.0001,
     .maximum = 1e12},
    {.key = "interleaved", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 1},
};

constexpr SchemeDescription kDescription = {
    .id = "xpos",
    .family = "rotary",
    .paper = "Sun et al. 2022, arXiv 2212.10554",
    .year = 2022,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = false,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "rotation",
    .cross_attention = CrossAttention::kRefused,
};

class Xpos : public Scheme {
 public:
  Xpos(Buffer<double> frequencies, double scale_base, bool interleaved)
      : frequencies_(std::move(frequencies)), scale_base_(scale_base), interleaved_(interleaved) {}

  // Cosines [T, pairs], then sines.
  std::size_t position_table_floats(int count) const override {
    return std::size_t{2} * count * frequencies_.size();
  }
  void fill_position_table(const Positions& positions, float* table) const override {
    rotation_table(positions, frequencies_.data(), pairs(), 1, table,
                   table + positions.count * frequencies_.size());
  }

  // The slowest factor of query and key alone is (7/2)^(distance / base): it must fit a float32.
  Status check_positions(const Positions& positions) const override {
    std::int64_t low = positions.count ? positions.at(0) : 0, high = low;
    for (int i = 0; i < positions.count; ++i) {
      low = std::min<std::int64_t>(low, positions.at(i));
      high = std::max<std::int64_t>(high, positions.at(i));
    }
    const double most = 60 * scale_base_;
    if (static_cast<double>(high - low) <= most) return {};
    return Status::error(Code::kInvalidArgument,
                         "positions: from %lld to %lld; allowed is a span of %.0f with scaleBase %g, beyond it float32 overflows",
                         static_cast<long long>(low), static_cast<long long>(high), most, scale_base_);
  }

  void transform_projections(const LayerContext& context, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs(rows.table, sines(rows), pairs(), interleaved_, x);
    fade(context, projection, rows, x);
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    fade(context, projection, rows, d_x);
    rotate_pairs_back(rows.table, sines(rows), pairs(), interleaved_, d_x);
  }

  // The factors of query and key cancel to ζ^((i - j) / base) whatever the centre, but alone they
  // grow without bound; so the centre follows the queries, and cached keys stay as they are.
  bool caches_raw_keys() const override { return true; }

  int channel_pairs(std::int32_t* channels) const override {
    for (int t = 0; t < pairs(); ++t) {
      channels[2 * t] = interleaved_ ? 2 * t : t;
      channels[2 * t + 1] = interleaved_ ? 2 * t + 1 : t + pairs();
    }
    return pairs();
  }
  int frequencies(int, double* frequencies, double* attention_factor) const override {
    for (int t = 0; t < pairs(); ++t) frequencies[t] = frequencies_[t];
    *attention_factor = 1;
    return pairs();
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A turn and a factor for both channels of a pair.
    return {.layer = 8.0 * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

 private:
  int pairs() const { return static_cast<int>(frequencies_.size()); }
  const float* sines(const RowPositions& rows) const {
    return rows.table + rows.positions.count * frequencies_.size();
  }

  // Pair t by ζ_t^(±(position - centre) / base), ζ_t = (2t + 0.4 D) / (1.4 D).
  void fade(const LayerContext& context, Projection projection, const RowPositions& rows,
            Matrix x) const {
    if (context.query_positions.count == 0) return;
    const int centre = context.query_positions.at(context.query_positions.count / 2);
    const double width = 2.0 * pairs(), sign = projection == Projection::kQuery ? 1 : -1;
    for (int i = 0; i < x.rows; ++i) {
      const double power = sign * (static_cast<double>(rows.positions.at(i)) - centre) / scale_base_;
      for (int t = 0; t < pairs(); ++t) {
        const double zeta = (2.0 * t + 0.4 * width) / (1.4 * width);
        const float factor = static_cast<float>(std::pow(zeta, power));
        x.row(i)[interleaved_ ? 2 * t : t] *= factor;
        x.row(i)[interleaved_ ? 2 * t + 1 : t + pairs()] *= factor;
      }
    }
  }

  Buffer<double> frequencies_;
  double scale_base_;
  bool interleaved_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 2 != 0)
    return Status::error(Code::kInvalidArgument, "headDim: %d; allowed is an even number, for pairs of channels", shape.head_dim);
  WF_ASSIGN_OR_RETURN(Buffer<double> frequencies, Buffer<double>::make(shape.head_dim / 2));
  geometric_frequencies(options[kRopeTheta], shape.head_dim, frequencies.data());
  return new_scheme<Xpos>(std::move(frequencies), options[kScaleBase], options[kInterleaved] != 0);
}

}  // namespace

extern const SchemeEntry xpos_entry;
const SchemeEntry xpos_entry = {&kDescription, hooks_of<Xpos>(), make};

}  // namespace wf
