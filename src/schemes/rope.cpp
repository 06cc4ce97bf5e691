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
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions);

// With the base and the share that a family's config class has where its file says none.
constexpr Family kFamilies[] = {
    {"llama"},
    {"mistral"},
    {"mixtral", "", "ropeTheta=1000000"},
    {"ministral"},
    {"qwen2"},
    {"qwen2_moe"},
    {"qwen3"},
    {"qwen3_moe"},
    {"gemma"},
    {"gemma2"},
    {"gemma3_text"},
    {"phi", "", "partialRotaryFactor=0.5"},
    {"phi3"},
    {"phimoe", "", "ropeTheta=1000000"},
    {"stablelm", "", "partialRotaryFactor=0.25"},
    {"persimmon", "", "partialRotaryFactor=0.5"},
    {"nemotron", "", "partialRotaryFactor=0.5"},
    {"granite"},
    {"olmo"},
    {"olmo2"},
    {"starcoder2"},
    {"seed_oss"},
    {"arcee"},
    {"apertus", "", "ropeTheta=12000000"},
    {"gpt_oss", "", "ropeTheta=150000"},
    {"gpt_neox", "",
     "partialRotaryFactor=0.25,partialRotaryFactor=@rotary_pct,ropeTheta=@rotary_emb_base"},
    {"falcon", "alibi=false"},
    {"esm", "position_embedding_type=rotary"},
    {"roformer", "", "interleaved=true"},
    {"cohere", "", "interleaved=true,ropeTheta=500000"},
    {"helium", "", "interleaved=true,ropeTheta=100000"},
    {"ernie4_5", "", "interleaved=true,ropeTheta=500000"},
    {"glm", "", "interleaved=true,partialRotaryFactor=0.5"},
    {"glm4", "", "interleaved=true,partialRotaryFactor=0.5"},
    {"gptj", "", "interleaved=true,partialRotaryFactor==@rotary_dim/@head_dim"},
    {"codegen", "", "interleaved=true,partialRotaryFactor==@rotary_dim/@head_dim"},
    {"cohere2", "layer_type=sliding_attention", "interleaved=true"},
    {"exaone4", "layer_type=sliding_attention"},
    {"exaone4", "sliding_window="},
    {"smollm3", "use_rope!=0", "ropeTheta=2000000"},
    {"llama4_text", "use_rope!=0", "interleaved=true,ropeTheta=500000"},
    {"modernbert", "layer_type=full_attention", "ropeTheta=@global_rope_theta"},
    {"modernbert", "layer_type=sliding_attention", "ropeTheta=@local_rope_theta"},
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
    .selects = rules_of<kFamilies>,
};

// The rotation and its backward pass are in rotary_scheme.cpp: rotate_pairs and rotate_pairs_back.
class Rope : public RotaryScheme {
 public:
  using RotaryScheme::RotaryScheme;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  WF_ASSIGN_OR_RETURN(
      RopeFrequencies frequencies,
      RopeFrequencies::make(shape.head_dim, options[kPartialRotaryFactor], options[kRopeTheta],
                            rope_scaling_of(options, kRopeScaling)));
  return new_scheme<Rope>(std::move(frequencies), options[kInterleaved] != 0);
}

}  // namespace

extern const SchemeEntry rope_entry;
const SchemeEntry rope_entry = {&kDescription, hooks_of<Rope>(), make};

}  // namespace wf
