// Frequencies of rotary schemes beyond the plain ladder: the ways of stretching a trained context.
// Names and formulas are those of Hugging Face's modeling_rope_utils, unless said otherwise.
#pragma once

#include "schemes/scheme.h"

namespace wf {

// In the order of kRopeTypes.
enum class RopeType : std::uint8_t {
  kDefault,
  kLinear,      // Chen et al. 2023, arXiv 2306.15595
  kNtk,         // a larger base, once and for all (bloc97 2023)
  kDynamic,     // a base that grows with the length (emozilla 2023)
  kNtkByParts,  // Peng et al. 2023, arXiv 2309.00071, equations 17 to 19: a ramp in rotations
  kYarn,        // the same paper's code: a ramp in the index of the pair, and a temperature
  kLongrope,    // Ding et al. 2024, arXiv 2402.13753
  kLlama3,      // Llama 3.1
  kProportional // Gemma 4; zero from some pair on, which Barbero et al. 2024 call p-RoPE
};

inline constexpr const char* kRopeTypes[] = {"default",  "linear",       "ntk",
                                             "dynamic",  "ntk_by_parts", "yarn",
                                             "longrope", "llama3",       "proportional"};

// As a config gives it; 0 and empty lists mean "not given".
struct RopeScaling {
  double max_position_embeddings = 2048;
  RopeType type = RopeType::kDefault;
  double factor = 0;                            // s
  double original_max_position_embeddings = 0;  // L; if not given max_position_embeddings
  double attention_factor = 0;
  double beta_fast = 32, beta_slow = 1;  // rotations in L, from and to which pairs are ramped
  bool truncate = true;
  double mscale = 0, mscale_all_dim = 0;
  double low_freq_factor = 1, high_freq_factor = 4;
  std::span<const double> short_factor = {}, long_factor = {};
};

// The options that say so, for the end of a scheme's own: joined(kOwnOptions, kRopeScalingOptions).
inline constexpr Option kRopeScalingOptions[] = {
    {.key = "maxPositionEmbeddings",
     .config_key = "max_position_embeddings",
     .kind = OptionKind::kInteger,
     .default_value = 2048,
     .minimum = 1,
     .maximum = 1 << 30},
    {.key = "ropeScaling.ropeType",
     .config_key = "rope_scaling.rope_type",
     .kind = OptionKind::kChoice,
     .choices = kRopeTypes},
    {.key = "ropeScaling.factor",
     .config_key = "rope_scaling.factor",
     .kind = OptionKind::kNumber,
     .maximum = 1e6},
    {.key = "ropeScaling.originalMaxPositionEmbeddings",
     .config_key = "rope_scaling.original_max_position_embeddings",
     .kind = OptionKind::kInteger,
     .maximum = 1 << 30},
    {.key = "ropeScaling.attentionFactor",
     .config_key = "rope_scaling.attention_factor",
     .kind = OptionKind::kNumber,
     .maximum = 100},
    {.key = "ropeScaling.betaFast",
     .config_key = "rope_scaling.beta_fast",
     .kind = OptionKind::kNumber,
     .default_value = 32,
     .minimum = 0.001,
     .maximum = 1e6},
    {.key = "ropeScaling.betaSlow",
     .config_key = "rope_scaling.beta_slow",
     .kind = OptionKind::kNumber,
     .default_value = 1,
     .minimum = 0.001,
     .maximum = 1e6},
    {.key = "ropeScaling.truncate",
     .config_key = "rope_scaling.truncate",
     .kind = OptionKind::kBoolean,
     .default_value = 1},
    {.key = "ropeScaling.mscale",
     .config_key = "rope_scaling.mscale",
     .kind = OptionKind::kNumber,
     .maximum = 100},
    {.key = "ropeScaling.mscaleAllDim",
     .config_key = "rope_scaling.mscale_all_dim",
     .kind = OptionKind::kNumber,
     .maximum = 100},
    {.key = "ropeScaling.lowFreqFactor",
     .config_key = "rope_scaling.low_freq_factor",
     .kind = OptionKind::kNumber,
     .default_value = 1,
     .minimum = 0.001,
     .maximum = 1e6},
    {.key = "ropeScaling.highFreqFactor",
     .config_key = "rope_scaling.high_freq_factor",
     .kind = OptionKind::kNumber,
     .default_value = 4,
     .minimum = 0.001,
     .maximum = 1e6},
    {.key = "ropeScaling.shortFactor",
     .config_key = "rope_scaling.short_factor",
     .kind = OptionKind::kList,
     .minimum = 0.001,
     .maximum = 1e6},
    {.key = "ropeScaling.longFactor",
     .config_key = "rope_scaling.long_factor",
     .kind = OptionKind::kList,
     .minimum = 0.001,
     .maximum = 1e6},
};

// Reads them; `first` is the index of the first of them among the scheme's options. Its lists are
// those of `options`, which must outlive it.
RopeScaling rope_scaling_of(const OptionValues& options, int first);

// Pairs of the widest head.
constexpr int kMostPairs = 2048;

// Radians a unit of position turns each pair by, for any length of the sequence.
class RopeFrequencies {
 public:
  // For heads of head_dim channels of which the share partial_rotary_factor turns, the first
  // int(head_dim · partial_rotary_factor), as Hugging Face truncates; a proportional ladder spans
  // the whole head, with zeros at its end. Errors: kInvalidArgument, for an odd number of channels
  // or a scaling that is incomplete or out of range; kOutOfMemory.
  static Result<RopeFrequencies> make(int head_dim, double partial_rotary_factor, double base,
                                      const RopeScaling& scaling);

  // One for each pair, the same at every length.
  static RopeFrequencies fixed(Buffer<double> table) {
    RopeFrequencies given;
    given.pairs_ = static_cast<int>(table.size());
    given.table_ = std::move(table);
    return given;
  }

  int pairs() const { return pairs_; }
  // Factor on cosine and sine, so its square on the logits of the channels that turn. DeepSeek's
  // own correction of the softmax is not in it: yarn_scale computes that.
  double attention_factor() const { return attention_factor_; }
  // Whether they change with the length: rotated keys must then not be cached.
  bool follow_length() const;
  // Writes pairs() of them.
  void at(int sequence_length, double* frequencies) const;

 private:
  RopeType type_ = RopeType::kDefault;
  int pairs_ = 0;
  double base_ = 0, factor_ = 1, length_ = 0, attention_factor_ = 1;
  Buffer<double> table_;  // [1 or 2, pairs]: up to L, and beyond it
};

// 0.1 · m · ln s + 1, or 1 where s is not above 1: YaRN's temperature as a factor.
double yarn_scale(double factor, double mscale);

}  // namespace wf
