// Rotary position embedding: query and key are turned, pair of channels by pair, through an angle
// proportional to their position, so that their product knows the difference alone.
// Su et al. 2021, arXiv 2104.09864, equation 15; R_i and R_j as there, <R_i q, R_j k> = qᵀ R_{j-i} k.
#include "kernels/rotate_pairs.h"
#include "schemes/frequencies.h"
#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kRopeTheta, kInterleaved, kPartialRotaryFactor };

constexpr Option kOptions[] = {
    {.key = "ropeTheta",
     .config_key = "rope_theta",
     .kind = OptionKind::kNumber,
     .default_value = 10000,
     .minimum = 1.0001,
     .maximum = 1e12},
    {.key = "interleaved",
     .config_key = "rope_interleave",
     .kind = OptionKind::kBoolean,
     .default_value = 0},
    {.key = "partialRotaryFactor",
     .config_key = "partial_rotary_factor",
     .kind = OptionKind::kNumber,
     .default_value = 1,
     .minimum = 0.001,
     .maximum = 1},
};

constexpr SchemeDescription kDescription = {
    .id = "rope",
    .family = "rotary",
    .paper = "Su et al. 2021, arXiv 2104.09864",
    .year = 2021,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "rotation",
    .cross_attention = CrossAttention::kPositions,
};

class Rope : public Scheme {
 public:
  Rope(Buffer<double> frequencies, bool interleaved)
      : frequencies_(std::move(frequencies)), interleaved_(interleaved) {}

  // Cosines [T, pairs], then sines.
  std::size_t position_table_floats(int count) const override {
    return std::size_t{2} * count * frequencies_.size();
  }
  void fill_position_table(const Positions& positions, float* table) const override {
    rotation_table(positions, frequencies_.data(), pairs(), 1, table,
                   table + positions.count * frequencies_.size());
  }

  void transform_projections(const LayerContext&, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs(rows.table, sines(rows), pairs(), interleaved_, x);
  }
  void transform_projections_backward(const LayerContext&, Projection projection, int,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs_back(rows.table, sines(rows), pairs(), interleaved_, d_x);
  }

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
    return {.layer = 6.0 * pairs() * (shape.num_heads * queries + shape.num_kv_heads * keys)};
  }

 private:
  int pairs() const { return static_cast<int>(frequencies_.size()); }
  const float* sines(const RowPositions& rows) const {
    return rows.table + rows.positions.count * frequencies_.size();
  }

  Buffer<double> frequencies_;
  bool interleaved_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  // Truncated, as Hugging Face does: int(head_dim * partial_rotary_factor).
  const int rotary_dim = static_cast<int>(shape.head_dim * options[kPartialRotaryFactor]);
  if (rotary_dim < 2 || rotary_dim % 2 != 0) {
    return Status::error(Code::kInvalidArgument,
                         "partialRotaryFactor: %g of headDim %d turns %d channels; allowed is an "
                         "even number from 2 on",
                         options[kPartialRotaryFactor], shape.head_dim, rotary_dim);
  }
  WF_ASSIGN_OR_RETURN(Buffer<double> frequencies, Buffer<double>::make(rotary_dim / 2));
  geometric_frequencies(options[kRopeTheta], rotary_dim, frequencies.data());
  return new_scheme<Rope>(std::move(frequencies), options[kInterleaved] != 0);
}

}  // namespace

extern const SchemeEntry rope_entry;
const SchemeEntry rope_entry = {&kDescription, hooks_of<Rope>(), make};

}  // namespace wf
