// Rotary position embedding: pairs of channels of query and key are rotated by an angle
// proportional to their position, so that their product depends only on the difference. Su et al.
// 2021, arXiv 2104.09864, equation 15; with R_i and R_j as there, <R_i q, R_j k> = qᵀ R_{j-i} k.
#include "schemes/rotary_scheme.h"

namespace wf {
namespace {

enum OptionIndex { kRopeTheta, kInterleaved, kPartialRotaryFactor, kRopeScaling };

constexpr Option kBaseOptions[] = {
    rope_theta_option(),
    interleaved_option(false),
    number_option("partialRotaryFactor", "partial_rotary_factor", 1, 0.001, 1),
};
constexpr Option kLaterOptions[] = {
    // Trains a factor for each frequency, as in Mistral Large 4, whose code calls it LeRoPE.
    flag_option("learnedFrequencies", "", false),
    // Rotates values too, as RoVE (García-Castellanos et al. 2026, arXiv 2606.11275, section 2) and
    // DeepSeek V4: o_i = R_i^-1 Σ_j a_ij R_j v_j.
    flag_option("rotatedValues", "", false),
};
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions, kLaterOptions);
constexpr int kRotatedValues = static_cast<int>(kOptions.size()) - 1;
constexpr int kLearnedFrequencies = kRotatedValues - 1;

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

// The rotation and its backward pass are in rotary_scheme.cpp: rotate_pairs and rotate_pairs_back.
class Rope : public RotaryScheme {
 public:
  Rope(RopeFrequencies frequencies, const OptionValues& options)
      : RotaryScheme(std::move(frequencies), options[kInterleaved] != 0) {
    alpha_ = {.name = "alpha", .columns = pairs(), .scope = ParameterScope::kModel};
    if (options[kLearnedFrequencies] != 0) train_frequencies();
    if (options[kRotatedValues] != 0) rotate_values();
  }

  std::span<const ParameterSpec> parameters() const override {
    return {&alpha_, trains_position_table() ? 1u : 0u};
  }
  std::uint32_t idle_hooks() const override {
    return trains_position_table() ? 0 : kHookParameters;
  }

 private:
  ParameterSpec alpha_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  WF_ASSIGN_OR_RETURN(
      RopeFrequencies frequencies,
      RopeFrequencies::make(shape.head_dim, options[kPartialRotaryFactor], options[kRopeTheta],
                            rope_scaling_of(options, kRopeScaling)));
  return new_scheme<Rope>(std::move(frequencies), options);
}

}  // namespace

extern const SchemeEntry rope_entry;
const SchemeEntry rope_entry = {&kDescription, hooks_of<Rope>(), make};

}  // namespace wf
