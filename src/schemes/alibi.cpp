// Attention with linear biases: each head subtracts its slope times the distance.
// Press, Smith & Lewis 2022, arXiv 2108.12409, section 3; the bias is added after 1/√D.
#include <bit>
#include <cmath>
#include <cstdint>

#include "schemes/entry.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kScaledBias, kForm, kBiasMax, kInterpolation, kBfloat16Slopes };
enum FormChoice { kSymmetric, kSigned };

constexpr const char* kForms[] = {"symmetric", "signed"};
constexpr Option kOptions[] = {
    // Multiplies the bias by 1/√D, as in Falcon-RW; in the paper it is added after the scaling.
    flag_option("scaledBias", "", false),
    // The bias of keys after the query, in a bidirectional model: as for keys before it
    // (symmetric), or slope · r also there, so that it increases.
    choice_option("form", "", kForms, kSymmetric),
    // The 8 of 2^(-8k/H); an option in MPT's config.
    number_option("biasMax", "alibi_bias_max", 8, 0.125, 128),
    // Text length divided by training length: slopes are divided by it (Al-Khateeb et al. 2023,
    // arXiv 2310.13017).
    number_option("interpolation", "", 1, 1, 4096),
    // Falcon rounds its slopes to bfloat16.
    flag_option("bfloat16Slopes", "", false),
};

constexpr const char* kTerms[] = {"distance"};

constexpr SchemeDescription kDescription = {
    .id = "alibi",
    .family = "relative",
    .paper = "Press, Smith & Lewis 2022, arXiv 2108.12409",
    .year = 2022,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
};

// Rounds to 8 significant bits, ties to even.
float to_bfloat16(float x) {
  auto bits = std::bit_cast<std::uint32_t>(x);
  bits += 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

// 2^(-8k/H) for k = 1 … H if H is a power of two; otherwise the slopes of the next smaller power of
// two, then every second slope of the next larger one (as in the authors' code).
void head_slopes(int heads, const OptionValues& options, float* slopes) {
  int below = 1;
  while (below * 2 <= heads) below *= 2;
  for (int h = 0; h < heads; ++h) {
    const double share = h < below ? (h + 1.0) / below : (2.0 * (h - below) + 1) / (2 * below);
    const float slope = static_cast<float>(std::pow(2.0, -options[kBiasMax] * share));
    slopes[h] = (options[kBfloat16Slopes] != 0 ? to_bfloat16(slope) : slope) /
                static_cast<float>(options[kInterpolation]);
  }
}

class Alibi : public Scheme {
 public:
  Alibi(Buffer<float> slopes, bool scaled, bool is_signed)
      : slopes_(std::move(slopes)), scaled_(scaled), signed_(is_signed) {}

  // -slope · |r|, or slope · r, which is equal for r ≤ 0.
  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    const float slope = slopes_[head] * (scaled_ ? context.scale : 1.0f);
    for (int r = low; r < high; ++r)
      strip[r - low] = slope * static_cast<float>(signed_ ? r : -std::abs(r));
  }

  // No backward pass: slopes are fixed, and the bias depends neither on queries nor on keys.

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    return {.layer = shape.num_heads * (queries * keys + 2 * (queries + keys - 1))};
  }

 private:
  Buffer<float> slopes_;
  bool scaled_, signed_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  Buffer<float> slopes;
  WF_RETURN_IF_ERROR(slopes.reserve(shape.num_heads));
  head_slopes(shape.num_heads, options, slopes.data());
  return new_scheme<Alibi>(std::move(slopes), options[kScaledBias] != 0,
                           static_cast<int>(options[kForm]) == kSigned);
}

}  // namespace

extern const SchemeEntry alibi_entry;
const SchemeEntry alibi_entry = {&kDescription, hooks_of<Alibi>(), make};

}  // namespace wf
