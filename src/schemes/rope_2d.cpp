// Rotary embedding on a grid: some pairs of channels rotate by the row, the others by the column,
// so that a product depends only on the differences of both. Heo et al. 2024, arXiv 2403.13298,
// section 3.1 (axial); layouts as in the code of EVA-02, Pixtral, Qwen2-VL and Llama 4.
#include "schemes/frequencies.h"
#include "schemes/rotary_scheme.h"

namespace wf {
namespace {

enum OptionIndex { kLayout, kRopeTheta, kRowScale, kColumnScale };

// The frequencies and axes of the pairs, in order.
enum Layout { kEva02, kPixtral, kQwenVision, kLlama4 };
constexpr const char* kLayouts[] = {"eva02", "pixtral", "qwen_vision", "llama4"};

constexpr Option scale_option(const char* key) { return number_option(key, "", 1, 1e-6, 1e6); }

constexpr Option kOptions[] = {
    choice_option("layout", "", kLayouts, kQwenVision),
    rope_theta_option(),
    // EVA-02 rescales a grid of any size to the trained grid: trained side / side.
    scale_option("rowScale"),
    scale_option("columnScale"),
};

constexpr SchemeDescription kDescription = {
    .id = "rope_2d",
    .family = "grid",
    .paper = "Fang et al. 2023, arXiv 2303.11331; Heo et al. 2024, arXiv 2403.13298",
    .year = 2023,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = false},  // a picture is processed as a whole
    .bias_terms = {},
    .transform_term = "rotation",
    .position_axes = 2,
    .cross_attention = CrossAttention::kPositions,
};

// The rotation and its backward pass are in rotary_scheme.cpp, for all rotary schemes.
class Rope2d : public RotaryScheme {
 public:
  using RotaryScheme::RotaryScheme;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (shape.head_dim % 4 != 0)
    return WF_UNEXPECTED("headDim", "%d", "a multiple of 4, for pairs of channels of two axes",
                         shape.head_dim);
  const int half = shape.head_dim / 4;  // pairs of an axis
  const int layout = static_cast<int>(options[kLayout]);
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(2 * half));
  Buffer<std::uint8_t> axes;
  WF_RETURN_IF_ERROR(axes.reserve(2 * half));
  Buffer<double> base_frequencies;
  WF_RETURN_IF_ERROR(base_frequencies.reserve(2 * half));
  // Pixtral divides one series of frequencies of the whole head between the axes; in the others
  // each axis has the series of half a head.
  const bool deals = layout == kPixtral;
  geometric_frequencies(options[kRopeTheta], deals ? shape.head_dim : shape.head_dim / 2,
                        base_frequencies.data());
  for (int second = 0; second < 2; ++second) {
    const int axis = layout == kLlama4 ? 1 - second : second;
    for (int t = 0; t < half; ++t) {
      const int pair = second * half + t;
      axes[pair] = static_cast<std::uint8_t>(axis);
      frequencies[pair] = base_frequencies[deals ? 2 * t + second : t] * options[kRowScale + axis];
    }
  }
  return new_scheme<Rope2d>(RopeFrequencies::fixed(std::move(frequencies)),
                            layout == kEva02 || layout == kLlama4, std::move(axes));
}

}  // namespace

extern const SchemeEntry rope_2d_entry;
const SchemeEntry rope_2d_entry = {&kDescription, hooks_of<Rope2d>(), make};

}  // namespace wf
