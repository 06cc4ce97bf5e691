// Multi-head latent attention: keys and values of all heads are made from one short vector c for
// each token, and order comes from a slice of its own, k^R, that the heads share and that alone is
// turned (decoupled rotary embedding). DeepSeek-AI 2024, DeepSeek-V2, arXiv 2405.04434, section 2.1.
//
// A head's query and key are [content | slice]:
//   s_ij = scale · (q_i^C·k_j^C + (R_i q_i^R)·(R_j k_j^R)),   k^C = W_UK c,  v = W_UV c.
// Since nothing stands between q^C and W_UK, q^C·W_UK c = (W_UKᵀ q^C)·c: the same scheme on one key
// head with keys [c | k^R] and values c (the absorbed form, equation 10 ff.) gives the same logits,
// for it turns the last channels whatever stands before them and its scale is fixed when it is made.
#include <cmath>

#include "kernels/rotate_pairs.h"
#include "schemes/frequencies.h"
#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex {
  kRopeHeadDim,
  kNopeHeadDim,
  kKvLoraRank,
  kQLoraRank,
  kVHeadDim,
  kRopeTheta,
  kInterleaved,
};

constexpr Option kOptions[] = {
    {.key = "ropeHeadDim",
     .config_key = "qk_rope_head_dim",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .maximum = 4096},
    {.key = "nopeHeadDim",
     .config_key = "qk_nope_head_dim",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .maximum = 4096},
    {.key = "kvLoraRank",
     .config_key = "kv_lora_rank",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .maximum = 16384},
    {.key = "qLoraRank",
     .config_key = "q_lora_rank",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .maximum = 16384},
    {.key = "vHeadDim",
     .config_key = "v_head_dim",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .maximum = 4096},
    {.key = "ropeTheta",
     .config_key = "rope_theta",
     .kind = OptionKind::kNumber,
     .default_value = 10000,
     .minimum = 1.0001,
     .maximum = 1e12},
    {.key = "interleaved",
     .config_key = "rope_interleave",
     .kind = OptionKind::kBoolean,
     .default_value = 1},
};

constexpr SchemeDescription kDescription = {
    .id = "mla",
    .family = "latent",
    .paper = "DeepSeek-AI 2024, arXiv 2405.04434",
    .year = 2024,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "position",
    .cross_attention = CrossAttention::kPositions,
    .selects = "deepseek_v2:interleaved=true deepseek_v3:interleaved=true",
};

class Mla : public Scheme {
 public:
  Mla(Buffer<double> frequencies, bool interleaved, int head_dim, float scale)
      : frequencies_(std::move(frequencies)),
        interleaved_(interleaved),
        head_dim_(head_dim),
        scale_(scale) {}

  float logit_scale() const override { return scale_; }
  int position_channels() const override { return 2 * pairs(); }

  // Cosines [T, pairs], then sines.
  std::size_t position_table_floats(int count) const override {
    return std::size_t{2} * count * frequencies_.size();
  }
  void fill_position_table(const Positions& positions, int, float* table) const override {
    rotation_table(positions, frequencies_.data(), pairs(), 1, table,
                   table + positions.count * frequencies_.size());
  }

  void transform_projections(const LayerContext&, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs(rows.table, sines(rows), pairs(), interleaved_, slice(x));
  }
  void transform_projections_backward(const LayerContext&, Projection projection, int,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    if (projection == Projection::kValue) return;
    rotate_pairs_back(rows.table, sines(rows), pairs(), interleaved_, slice(d_x));
  }

  int channel_pairs(std::int32_t* channels) const override {
    const int first = head_dim_ - 2 * pairs();
    for (int t = 0; t < pairs(); ++t) {
      channels[2 * t] = first + (interleaved_ ? 2 * t : t);
      channels[2 * t + 1] = first + (interleaved_ ? 2 * t + 1 : t + pairs());
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
  Matrix slice(Matrix x) const {
    const int width = 2 * pairs();
    return {x.data + x.columns - width, x.rows, width, x.stride};
  }

  Buffer<double> frequencies_;
  bool interleaved_;
  int head_dim_;
  float scale_;
};

// Where no size is given, DeepSeek's proportions: a third of a head turns (64 of 192), the latent
// vector is four times the content (512 of 128), and a value is as wide as the content.
int slice_width(const SchemeShape& shape, const OptionValues& options) {
  const int third = shape.head_dim / 3 / 2 * 2;
  const int given = static_cast<int>(options[kRopeHeadDim]);
  return given ? given : third ? third : 2;
}

ProjectionPlan projections(const SchemeShape& shape, const OptionValues& options) {
  const auto given = [&](OptionIndex index, int otherwise) {
    return options[index] != 0 ? static_cast<int>(options[index]) : otherwise;
  };
  ProjectionPlan plan;
  plan.slice = slice_width(shape, options);
  plan.content = given(kNopeHeadDim, shape.head_dim - plan.slice);
  plan.rank = given(kKvLoraRank, 4 * plan.content);
  plan.query_rank = static_cast<int>(options[kQLoraRank]);
  plan.value_dim = given(kVHeadDim, plan.content);
  return plan;
}

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = slice_width(shape, options), content = shape.head_dim - width;
  if (width % 2 != 0 || content < 1)
    return Status::error(Code::kInvalidArgument,
                         "ropeHeadDim: %d channels of headDim %d; allowed is an even number, and "
                         "one channel left for the content",
                         width, shape.head_dim);
  const ProjectionPlan plan = projections(shape, options);
  WF_ASSIGN_OR_RETURN(Buffer<double> frequencies, Buffer<double>::make(width / 2));
  geometric_frequencies(options[kRopeTheta], width, frequencies.data());
  return new_scheme<Mla>(std::move(frequencies), options[kInterleaved] != 0, shape.head_dim,
                         static_cast<float>(1 / std::sqrt(1.0 * plan.content + plan.slice)));
}

}  // namespace

extern const SchemeEntry mla_entry;
const SchemeEntry mla_entry = {&kDescription, hooks_of<Mla>(), make, projections};

}  // namespace wf
