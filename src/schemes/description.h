// What a scheme says about itself: machine facts, which reach JavaScript unchanged. Words live in
// docs/schemes.
#pragma once

#include <cstdint>

#include "schemes/families.h"
#include "schemes/option_values.h"

namespace wf {

enum class OptionKind : std::uint8_t { kBoolean, kInteger, kNumber, kChoice, kList };

struct Option {
  // camelCase, as in the public API; "group.key" stands in an object of its own, { group: { key }
  // }.
  const char* key;
  // Hugging Face's name in config.json, "group.key" where it is nested there, or "".
  const char* config_key;
  OptionKind kind;
  double default_value = 0;  // choice: index into `choices`; a list is empty by default
  double minimum = 0;  // of each number of a list
  double maximum = 1;
  std::span<const char* const> choices = {};
};

constexpr Option flag_option(const char* key, const char* config_key, bool is_on) {
  return {key, config_key, OptionKind::kBoolean, is_on ? 1.0 : 0.0};
}
constexpr Option integer_option(const char* key, const char* config_key, double default_value,
                                double minimum, double maximum) {
  return {key, config_key, OptionKind::kInteger, default_value, minimum, maximum};
}
constexpr Option number_option(const char* key, const char* config_key, double default_value,
                               double minimum, double maximum) {
  return {key, config_key, OptionKind::kNumber, default_value, minimum, maximum};
}
constexpr Option choice_option(const char* key, const char* config_key,
                               std::span<const char* const> choices, int default_choice) {
  return {key, config_key, OptionKind::kChoice, 1.0 * default_choice, 0, 1, choices};
}

struct Claims {
  bool shift_invariant;  // logits depend on differences of positions alone
  bool extrapolates_by_construction;  // defined and in range at every distance
  bool bidirectional;
  bool decodes;  // works with a KV cache
};

// What a scheme does between two sequences, in an encoder-decoder's cross-attention.
enum class CrossAttention : std::uint8_t {
  kNone,  // nothing: a distance between two sequences has no meaning
  kPositions,  // as in self-attention, with the positions of both sides
  kRefused,  // a typed error: the scheme is not defined there
};

struct SchemeDescription {
  const char* id;
  const char* family;  // none, absolute, relative, rotary, latent, grid
  const char* paper;
  int year;
  std::span<const Option> options;
  Claims claims;
  // Names of what bias_logits and distance_strip add, in order (distance_strip adds the last one).
  std::span<const char* const> bias_terms;
  // Name of the change that transform_projections makes to q·k, or null; with position_channels,
  // of those channels' product too.
  const char* transform_term = nullptr;
  // Axes of the positions that it reads: 0 any number, 1 a text, 2 a grid (row, column), 3 a video
  // (time, row, column), where a text's one axis stands for all three.
  int position_axes = 1;
  CrossAttention cross_attention = CrossAttention::kNone;
  // The families of config.json that have it: rules_of<kFamilies>.
  const char* selects = "";
};

}  // namespace wf
