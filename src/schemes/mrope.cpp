// Multimodal rotary embedding: a token has a time, a row and a column, and each pair of channels
// rotates by one of them. In a text all three are equal, and the scheme is ordinary rotary
// embedding. Wang et al. 2024, arXiv 2409.12191, section 2.1 (Qwen2-VL, contiguous sections);
// Qwen3-VL's code (interleaved sections). For the positions of pictures see vision_positions.h.
#include <algorithm>

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
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions);

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

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 2 != 0)
    return WF_UNEXPECTED("headDim", "%d", "an even number, for pairs of channels", shape.head_dim);
  const bool is_interleaved = options[kSectionsInterleaved] != 0;
  const int count = shape.head_dim / 2;
  int sections[3];
  for (int axis = 0; axis < 3; ++axis)
    sections[axis] = static_cast<int>(options[kSectionTime + axis]);
  const int total = sections[0] + sections[1] + sections[2];
  if (total == 0) released_sections(count, is_interleaved, sections);
  if (total != 0 && total != count)
    return WF_UNEXPECTED("sectionTime, sectionRow, sectionColumn", "%d, %d, %d",
                         "a sum of %d, the pairs of headDim %d, or 0", sections[0], sections[1],
                         sections[2], count, shape.head_dim);
  // One series of frequencies for all axes; it does not restart with each section.
  WF_ASSIGN_OR_RETURN(RopeFrequencies frequencies,
                      RopeFrequencies::make(shape.head_dim, 1, options[kRopeTheta],
                                            rope_scaling_of(options, kRopeScaling)));
  Buffer<std::uint8_t> axes;
  WF_RETURN_IF_ERROR(axes.reserve(count));
  for (int t = 0; t < count; ++t) {
    int axis = t < sections[0] ? 0 : t < sections[0] + sections[1] ? 1 : 2;
    // Interleaved: time, row, column in rotation; when a section is exhausted its pairs go to time.
    if (is_interleaved) axis = t < 3 * sections[t % 3] ? t % 3 : 0;
    axes[t] = static_cast<std::uint8_t>(axis);
  }
  return new_scheme<Mrope>(std::move(frequencies), false, std::move(axes));
}

}  // namespace

extern const SchemeEntry mrope_entry;
const SchemeEntry mrope_entry = {&kDescription, hooks_of<Mrope>(), make};

}  // namespace wf
