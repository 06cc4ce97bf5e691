// Multi-head latent attention: keys and values of all heads are projections of one short vector c
// for each token, and positions are encoded in a separate slice, k^R, shared by the heads; only
// that slice is rotated (decoupled rotary embedding). DeepSeek-AI 2024, DeepSeek-V2, arXiv
// 2405.04434, section 2.1.
//
// A head's query and key are [content | slice]:
//   s_ij = scale · (q_i^C·k_j^C + (R_i q_i^R)·(R_j k_j^R)),   k^C = W_UK c,  v = W_UV c.
// Since q^C·W_UK c = (W_UKᵀ q^C)·c, the same scheme on one key head with keys [c | k^R] and values
// c (the absorbed form, equation 10 ff.) gives the same logits: it rotates the last channels
// whatever the width of the content, and its scale is fixed at construction.
#include <cmath>

#include "schemes/rotary_scheme.h"

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
  kRopeScaling,
};

// 0: DeepSeek's proportions, and queries projected directly from the input.
constexpr Option size_option(const char* key, const char* config_key, double maximum) {
  return integer_option(key, config_key, 0, 0, maximum);
}

constexpr Option kBaseOptions[] = {
    size_option("ropeHeadDim", "qk_rope_head_dim", 4096),
    size_option("nopeHeadDim", "qk_nope_head_dim", 4096),
    size_option("kvLoraRank", "kv_lora_rank", 16384),
    size_option("qLoraRank", "q_lora_rank", 16384),
    size_option("vHeadDim", "v_head_dim", 4096),
    rope_theta_option(),
    interleaved_option(true),
};
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions);

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
};

// Rotates the last channels, whatever the width of the content.
class Mla : public RotaryScheme {
 public:
  Mla(RopeFrequencies frequencies, bool interleaved, int head_dim, float scale)
      : RotaryScheme(std::move(frequencies), interleaved), head_dim_(head_dim), scale_(scale) {}

  float logit_scale() const override { return scale_; }
  int position_channels() const override { return 2 * pairs(); }

  void transform_projections(const LayerContext& context, Projection projection, int head,
                             const RowPositions& rows, Matrix x) const override {
    RotaryScheme::transform_projections(context, projection, head, rows, slice(x));
  }
  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix raw,
                                      Matrix d_x) const override {
    RotaryScheme::transform_projections_backward(context, projection, head, rows, raw, slice(d_x));
  }

  int channel_pairs(std::int32_t* channels) const override {
    for (int t = 0; t < pairs(); ++t) {
      channels[2 * t] = head_dim_ - 2 * pairs() + first(t);
      channels[2 * t + 1] = head_dim_ - 2 * pairs() + second(t);
    }
    return pairs();
  }

 private:
  Matrix slice(Matrix x) const {
    const int width = 2 * pairs();
    // An empty matrix may have a null address.
    if (x.rows == 0) return {x.data, 0, width, x.stride};
    return {x.data + (x.columns - width), x.rows, width, x.stride};
  }

  int head_dim_;
  float scale_;
};

// Sizes that are not given follow DeepSeek's proportions: a third of a head is rotated (64 of 192),
// the latent vector is four times as wide as the content (512 of 128), and a value is as wide as
// the content.
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
    return WF_UNEXPECTED("ropeHeadDim", "%d",
                         "an even number below headDim, %d, so that the content has channels",
                         width, shape.head_dim);
  const ProjectionPlan plan = projections(shape, options);
  const RopeScaling scaling = rope_scaling_of(options, kRopeScaling);
  WF_ASSIGN_OR_RETURN(RopeFrequencies frequencies,
                      RopeFrequencies::make(width, 1, options[kRopeTheta], scaling));
  // The factor on the cosines affects only the slice; this one applies to the content too (as in
  // DeepSeek's code, and in Hugging Face's DeepseekV3Attention for every type of scaling).
  const double tempered = scaling.type != RopeType::kDefault && scaling.mscale_all_dim > 0
                              ? yarn_scale(scaling.factor, scaling.mscale_all_dim)
                              : 1;
  return new_scheme<Mla>(
      std::move(frequencies), options[kInterleaved] != 0, shape.head_dim,
      static_cast<float>(tempered * tempered / std::sqrt(1.0 * plan.content + plan.slice)));
}

}  // namespace

extern const SchemeEntry mla_entry;
const SchemeEntry mla_entry = {&kDescription, hooks_of<Mla>(), make, projections};

}  // namespace wf
