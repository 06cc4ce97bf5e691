// Multimodal rotary embedding: a token has a time, a row and a column, and each pair of channels
// rotates by one of them. In a text all three are equal, and the scheme is ordinary rotary
// embedding. Wang et al. 2024, arXiv 2409.12191, section 2.1 (Qwen2-VL, contiguous sections);
// Qwen3-VL's code (interleaved sections). Axial: a series of frequencies for each axis, as in
// black-forest-labs/flux (src/flux/math.py). For the positions of pictures see vision_positions.h.
#include <algorithm>

#include "schemes/frequencies.h"
#include "schemes/rotary_scheme.h"

namespace wf {
namespace {

enum OptionIndex {
  kRopeTheta,
  kSectionsInterleaved,
  kSectionTime,
  kSectionRow,
  kSectionColumn,
  kRopeScaling,
};

// Number of pairs of an axis. All 0: as in the released models, scaled to this head.
constexpr Option section_option(const char* key, const char* config_key) {
  return integer_option(key, config_key, 0, 0, 2048);
}

constexpr Option kBaseOptions[] = {
    rope_theta_option(1e6),
    flag_option("sectionsInterleaved", "rope_scaling.mrope_interleaved", false),
    section_option("sectionTime", "rope_scaling.mrope_section.0"),
    section_option("sectionRow", "rope_scaling.mrope_section.1"),
    section_option("sectionColumn", "rope_scaling.mrope_section.2"),
};
constexpr Option kLaterOptions[] = {
    // Each section has frequencies of its own, as if it were a head; pairs after them are at rest.
    flag_option("axial", "", false),
    // Pairs are channels (2t, 2t + 1), not (t, t + D/2).
    flag_option("interleaved", "", false),
};
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions, kLaterOptions);
constexpr int kInterleaved = static_cast<int>(kOptions.size()) - 1;
constexpr int kAxial = kInterleaved - 1;

constexpr SchemeDescription kDescription = {
    .id = "mrope",
    .family = "rotary",
    .paper = "Wang et al. 2024, arXiv 2409.12191",
    .year = 2024,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .transform_term = "rotation",
    .position_axes = 3,
    .cross_attention = CrossAttention::kPositions,
};

// The rotation and its backward pass are in rotary_scheme.cpp, for all rotary schemes.
class Mrope : public RotaryScheme {
 public:
  using RotaryScheme::RotaryScheme;
};

// Of 64 pairs: 16, 24, 24 contiguous (Qwen2-VL), 24, 20, 20 interleaved (Qwen3-VL).
void released_sections(int pairs, bool is_interleaved, int* sections) {
  sections[0] = std::max(1, pairs * (is_interleaved ? 6 : 4) / 16);
  sections[2] = (pairs - sections[0]) / 2;
  sections[1] = pairs - sections[0] - sections[2];
}

// Frequencies θ^(-t / section) for pair t of each section, and zeros after them.
Result<RopeFrequencies> axial_frequencies(double base, const int* sections, int count) {
  WF_ASSIGN_OR_RETURN(Buffer<double> frequencies, Buffer<double>::make(count));
  double* next = frequencies.data();
  for (int axis = 0; axis < 3; ++axis) {
    geometric_frequencies(base, 2 * sections[axis], next);
    next += sections[axis];
  }
  std::fill(next, frequencies.data() + count, 0.0);
  return RopeFrequencies::fixed(std::move(frequencies));
}

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 2 != 0)
    return WF_UNEXPECTED("headDim", "%d", "an even number, for pairs of channels", shape.head_dim);
  const bool alternates = options[kSectionsInterleaved] != 0, is_axial = options[kAxial] != 0;
  const int count = shape.head_dim / 2;
  int sections[3];
  for (int axis = 0; axis < 3; ++axis)
    sections[axis] = static_cast<int>(options[kSectionTime + axis]);
  const int total = sections[0] + sections[1] + sections[2];
  const RopeScaling scaling = rope_scaling_of(options, kRopeScaling);
  if (is_axial && (alternates || scaling.type != RopeType::kDefault))
    return WF_UNEXPECTED("axial", "true with sectionsInterleaved or ropeScaling",
                         "neither: they are for one series of frequencies");
  if (total == 0) {
    if (is_axial)
      std::fill_n(sections, 3, count / 3);
    else
      released_sections(count, alternates, sections);
  }
  if (is_axial ? total > count : total != 0 && total != count)
    return WF_UNEXPECTED("sectionTime, sectionRow, sectionColumn", "%d, %d, %d",
                         "a sum of %s%d, the pairs of headDim %d, or 0", sections[0], sections[1],
                         sections[2], is_axial ? "at most " : "", count, shape.head_dim);
  // Unless it is axial, one series for all axes; it does not restart with each section.
  WF_ASSIGN_OR_RETURN(RopeFrequencies frequencies,
                      is_axial
                          ? axial_frequencies(options[kRopeTheta], sections, count)
                          : RopeFrequencies::make(shape.head_dim, 1, options[kRopeTheta], scaling));
  Buffer<std::uint8_t> axes;
  WF_RETURN_IF_ERROR(axes.reserve(count));
  for (int t = 0; t < count; ++t) {
    int axis = t < sections[0] ? 0 : t < sections[0] + sections[1] ? 1 : 2;
    // Interleaved: time, row, column in rotation; when a section is exhausted its pairs go to time.
    if (alternates) axis = t < 3 * sections[t % 3] ? t % 3 : 0;
    axes[t] = static_cast<std::uint8_t>(axis);
  }
  return new_scheme<Mrope>(std::move(frequencies), options[kInterleaved] != 0, std::move(axes));
}

}  // namespace

extern const SchemeEntry mrope_entry;
const SchemeEntry mrope_entry = {&kDescription, hooks_of<Mrope>(), make};

}  // namespace wf
