// Attention with linear biases: each head subtracts its slope times the distance.
// Press, Smith & Lewis 2022, arXiv 2108.12409, section 3; the bias is added after 1/√D.
#include <cmath>

#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kScaledBias };

constexpr Option kOptions[] = {
    // Multiplies the bias by 1/√D with the product, as Falcon-RW does; the paper adds it afterwards.
    {.key = "scaledBias", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
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

// 2^(-8k/H) for k = 1 … H where H is a power of two; otherwise those of the power of two below,
// then every second one of the power of two above (as the authors' code does).
void head_slopes(int heads, float* slopes) {
  int below = 1;
  while (below * 2 <= heads) below *= 2;
  for (int h = 0; h < heads; ++h) {
    const double exponent = h < below ? -8.0 * (h + 1) / below
                                      : -8.0 * (2 * (h - below) + 1) / (2 * below);
    slopes[h] = static_cast<float>(std::exp2(exponent));
  }
}

class Alibi : public Scheme {
 public:
  Alibi(Buffer<float> slopes, bool scaled) : slopes_(std::move(slopes)), scaled_(scaled) {}

  // -slope · |r|: keys before the query as in the paper; keys after it, which only a bidirectional
  // model sees, the same by symmetry (as JinaBERT does).
  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    const float slope = slopes_[head] * (scaled_ ? context.scale : 1.0f);
    for (int r = low; r < high; ++r) strip[r - low] = -slope * static_cast<float>(std::abs(r));
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    return {.layer = shape.num_heads * (queries * keys + 2 * (queries + keys - 1))};
  }

 private:
  Buffer<float> slopes_;
  bool scaled_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  WF_ASSIGN_OR_RETURN(Buffer<float> slopes, Buffer<float>::make(shape.num_heads));
  head_slopes(shape.num_heads, slopes.data());
  return new_scheme<Alibi>(std::move(slopes), options[kScaledBias] != 0);
}

}  // namespace

extern const SchemeEntry alibi_entry;
const SchemeEntry alibi_entry = {&kDescription, hooks_of<Alibi>(), make};

}  // namespace wf
