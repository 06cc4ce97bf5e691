// The machine-readable description of a scheme, passed to JavaScript unchanged. Texts are in
// docs/schemes.
#pragma once

#include "fields.h"
#include "schemes/option_values.h"

namespace wf {

struct Option {
  // camelCase, as in the public API; "group.key" for an option inside an object, { group: { key }
  // }.
  const char* key;
  // Hugging Face's name in config.json, "group.key" if it is nested there, or "".
  const char* config_key;
  OptionKind kind;
  double default_value = 0;  // choice: index into `choices`; a list is empty by default
  double minimum = 0;  // for a list, of each number
  double maximum = 1;
  std::span<const char* const> choices = {};
  std::size_t max_count = kMaxListNumbers;  // numbers of a list, bytes of a text
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

// A text, as a list of the bytes of its UTF-8 form; empty by default.
constexpr Option text_option(const char* key) { return {key, "", OptionKind::kText, 0, 0, 255}; }
// Whether the value is a list of numbers.
constexpr bool is_list(OptionKind kind) {
  return kind == OptionKind::kList || kind == OptionKind::kText;
}

struct Claims {
  bool shift_invariant;  // logits depend only on differences of positions
  bool extrapolates_by_construction;  // defined and in range at every distance
  bool bidirectional;
  bool decodes;  // works with a KV cache
};

// Behaviour between two sequences, in the cross-attention of an encoder-decoder.
//   none: no effect, as a distance between two sequences has no meaning
//   positions: as in self-attention, with the positions of both sides
//   refused: an error, as the scheme is not defined there
#define WF_CROSS_ATTENTIONS(X) X(kNone, "none") X(kPositions, "positions") X(kRefused, "refused")
WF_ENUM_WITH_WORDS(CrossAttention, WF_CROSS_ATTENTIONS)
#undef WF_CROSS_ATTENTIONS

// The transform_term of schemes that multiply queries by a number, and do no more
// (SpecialHooks::query_factor). The recorder separates it from the term of other transforms.
inline constexpr char kTemperature[] = "temperature";

struct SchemeDescription {
  const char* id;
  const char* family;  // none, absolute, relative, rotary, latent, grid
  const char* paper;
  int year;
  std::span<const Option> options;
  Claims claims;
  // Names of the terms of bias_logits and distance_strip, in order (distance_strip adds the last
  // one).
  std::span<const char* const> bias_terms;
  // Name of the change that transform_projections makes to q·k, or null; with position_channels it
  // includes the product of those channels.
  const char* transform_term = nullptr;
  // Number of position axes: 0 any, 1 text, 2 grid (row, column), 3 video (time, row, column); for
  // 3, positions with one axis count as equal on all three.
  int position_axes = 1;
  CrossAttention cross_attention = CrossAttention::kNone;

  bool scales_queries() const { return transform_term == kTemperature; }
};

}  // namespace wf
