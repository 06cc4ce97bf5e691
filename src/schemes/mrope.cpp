// Multimodal rotary embedding: a token lies at a time, a row and a column, and each pair of channels
// turns by one of them. On a text the three are the same, and the scheme is plain rotary embedding.
// Wang et al. 2024, arXiv 2409.12191, section 2.1 (Qwen2-VL, in chunks); Qwen3-VL's code (in turns).
// vision_positions.h says which positions the tokens of pictures have.
#include <algorithm>

#include "schemes/axial_rotation.h"

namespace wf {
namespace {

enum OptionIndex { kRopeTheta, kSectionsInterleaved, kSectionTime, kSectionRow, kSectionColumn };

constexpr Option kOptions[] = {
    {.key = "ropeTheta", .config_key = "rope_theta", .kind = OptionKind::kNumber,
     .default_value = 1e6, .minimum = 1.0001, .maximum = 1e12},
    {.key = "sectionsInterleaved", .config_key = "mrope_interleaved",
     .kind = OptionKind::kBoolean, .default_value = 0},
    // Pairs of each axis: mrope_section. All 0: as in the released models, for this head.
    {.key = "sectionTime", .config_key = "", .kind = OptionKind::kInteger, .default_value = 0,
     .minimum = 0, .maximum = 2048},
    {.key = "sectionRow", .config_key = "", .kind = OptionKind::kInteger, .default_value = 0,
     .minimum = 0, .maximum = 2048},
    {.key = "sectionColumn", .config_key = "", .kind = OptionKind::kInteger, .default_value = 0,
     .minimum = 0, .maximum = 2048},
};

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
    .selects = "qwen2_vl:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2 "
               "qwen2_vl_text:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2 "
               "qwen2_5_vl:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2 "
               "qwen2_5_vl_text:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2 "
               "qwen3_vl_text:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2,sectionsInterleaved=true "
               "qwen3_vl_moe_text:sectionTime=@rope_scaling.mrope_section.0,sectionRow=@rope_scaling.mrope_section.1,"
               "sectionColumn=@rope_scaling.mrope_section.2,sectionsInterleaved=true",
};

class Mrope : public AxialRotation {
 public:
  using AxialRotation::AxialRotation;
};

// Of 64 pairs: 16, 24, 24 in chunks (Qwen2-VL), 24, 20, 20 in turns (Qwen3-VL).
void released_sections(int pairs, bool in_turns, int* sections) {
  sections[0] = std::max(1, pairs * (in_turns ? 6 : 4) / 16);
  sections[2] = (pairs - sections[0]) / 2;
  sections[1] = pairs - sections[0] - sections[2];
}

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 2 != 0)
    return Status::error(Code::kInvalidArgument,
                         "headDim: %d; allowed is an even number, for pairs of channels",
                         shape.head_dim);
  const bool in_turns = options[kSectionsInterleaved] != 0;
  const int count = shape.head_dim / 2;
  int sections[3];
  for (int axis = 0; axis < 3; ++axis)
    sections[axis] = static_cast<int>(options[kSectionTime + axis]);
  const int total = sections[0] + sections[1] + sections[2];
  if (total == 0) released_sections(count, in_turns, sections);
  if (total != 0 && total != count)
    return Status::error(Code::kInvalidArgument,
                         "sectionTime, sectionRow, sectionColumn: %d, %d, %d; allowed is a sum of %d, "
                         "the pairs of headDim %d, or 0",
                         sections[0], sections[1], sections[2], count, shape.head_dim);
  WF_ASSIGN_OR_RETURN(AxialPairs pairs, AxialPairs::make(count));
  // One ladder for all axes: where rows begin it does not start again.
  geometric_frequencies(options[kRopeTheta], shape.head_dim, pairs.frequencies.data());
  for (int t = 0; t < count; ++t) {
    int axis = t < sections[0] ? 0 : t < sections[0] + sections[1] ? 1 : 2;
    // Time, row, column by turns; whose section is used up leaves its turn to time.
    if (in_turns) axis = t < 3 * sections[t % 3] ? t % 3 : 0;
    pairs.axes[t] = static_cast<std::uint8_t>(axis);
  }
  return new_scheme<Mrope>(std::move(pairs), false);
}

}  // namespace

extern const SchemeEntry mrope_entry;
const SchemeEntry mrope_entry = {&kDescription, hooks_of<Mrope>(), make};

}  // namespace wf
