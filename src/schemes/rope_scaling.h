// Context extension methods of rotary schemes, and their options. Names and formulas are those of
// Hugging Face's modeling_rope_utils, unless noted.
#pragma once

#include <array>

#include "schemes/description.h"
#include "status.h"

namespace wf {

// In the order of kRopeTypes.
enum class RopeType : std::uint8_t {
  kDefault,
  kLinear,      // Chen et al. 2023, arXiv 2306.15595
  kNtk,  // a larger base (bloc97 2023)
  kDynamic,  // a base that increases with the length (emozilla 2023)
  kNtkByParts,  // Peng et al. 2023, arXiv 2309.00071, equations 17 to 19: a ramp in rotations
  kYarn,        // the same paper's code: a ramp in the index of the pair, and a temperature
  kLongrope,    // Ding et al. 2024, arXiv 2402.13753
  kLlama3,      // Llama 3.1
  kProportional  // Gemma 4; zero from some pair on, called p-RoPE by Barbero et al. 2024
};

inline constexpr const char* kRopeTypes[] = {"default",  "linear",       "ntk",
                                             "dynamic",  "ntk_by_parts", "yarn",
                                             "longrope", "llama3",       "proportional"};

// As in a config; 0 and empty lists mean "not given".
struct RopeScaling {
  double max_position_embeddings = 2048;
  RopeType type = RopeType::kDefault;
  double factor = 0;                            // s
  double original_max_position_embeddings = 0;  // L; if not given max_position_embeddings
  double attention_factor = 0;
  // Rotations in L between which pairs are interpolated gradually.
  double beta_fast = 32, beta_slow = 1;
  bool truncate = true;
  double mscale = 0, mscale_all_dim = 0;
  double low_freq_factor = 1, high_freq_factor = 4;
  std::span<const double> short_factor = {}, long_factor = {};
};

// Concatenates lists of options, such as a scheme's own and those shared with others (constexpr
// auto kOptions = joined(…)).
template <std::size_t... N>
constexpr std::array<Option, (N + ...)> joined(const Option (&... lists)[N]) {
  std::array<Option, (N + ...)> all = {};
  std::size_t at = 0;
  const auto append = [&](const auto& list) {
    for (const Option& option : list) all[at++] = option;
  };
  (append(lists), ...);
  return all;
}

constexpr Option list_option(const char* key, const char* config_key, double minimum,
                             double maximum) {
  return {key, config_key, OptionKind::kList, 0, minimum, maximum};
}

// The options of a rope scaling, to be appended to a scheme's own: joined(kBaseOptions,
// kRopeScalingOptions).
inline constexpr Option kRopeScalingOptions[] = {
    integer_option("maxPositionEmbeddings", "max_position_embeddings", 2048, 1, 1 << 30),
    choice_option("ropeScaling.ropeType", "rope_scaling.rope_type", kRopeTypes, 0),
    number_option("ropeScaling.factor", "rope_scaling.factor", 0, 0, 1e6),
    integer_option("ropeScaling.originalMaxPositionEmbeddings",
                   "rope_scaling.original_max_position_embeddings", 0, 0, 1 << 30),
    number_option("ropeScaling.attentionFactor", "rope_scaling.attention_factor", 0, 0, 100),
    number_option("ropeScaling.betaFast", "rope_scaling.beta_fast", 32, 0.001, 1e6),
    number_option("ropeScaling.betaSlow", "rope_scaling.beta_slow", 1, 0.001, 1e6),
    flag_option("ropeScaling.truncate", "rope_scaling.truncate", true),
    number_option("ropeScaling.mscale", "rope_scaling.mscale", 0, 0, 100),
    number_option("ropeScaling.mscaleAllDim", "rope_scaling.mscale_all_dim", 0, 0, 100),
    number_option("ropeScaling.lowFreqFactor", "rope_scaling.low_freq_factor", 1, 0.001, 1e6),
    number_option("ropeScaling.highFreqFactor", "rope_scaling.high_freq_factor", 4, 0.001, 1e6),
    list_option("ropeScaling.shortFactor", "rope_scaling.short_factor", 0.001, 1e6),
    list_option("ropeScaling.longFactor", "rope_scaling.long_factor", 0.001, 1e6),
};

// Reads them; `first` is the index of the first of them among the scheme's options. The lists of
// the result are views of those in `options`, which must outlive it.
RopeScaling rope_scaling_of(const OptionValues& options, int first);

// Completes and checks the scaling for `pairs` rotating pairs. Errors: kInvalidArgument for a value
// that is missing or out of range.
Status complete(RopeScaling& scaling, int pairs);

// Factor on cosine and sine of a completed scaling.
double attention_factor_of(const RopeScaling& scaling);

// 0.1 · m · ln s + 1, or 1 if s ≤ 1: YaRN's temperature as a factor.
double yarn_scale(double factor, double mscale);

}  // namespace wf
