// Kernelised relative bias: each head learns how fast the bias decreases with distance, by a
// logarithm or by a power. Chi et al. 2022, arXiv 2205.09921, equations 5 (power) and 6
// (logarithmic).
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"

namespace wf {
namespace {

enum OptionIndex { kKernel };
enum KernelChoice { kLogarithmic, kPower };
enum ParameterIndex { kExponent, kRate };

constexpr const char* kKernels[] = {"log", "power"};
constexpr Option kOptions[] = {
    choice_option("kernel", "", kKernels, kLogarithmic),
};

constexpr const char* kTerms[] = {"kernel"};

constexpr SchemeDescription kDescription = {
    .id = "kerple",
    .family = "relative",
    .paper = "Chi et al. 2022, arXiv 2205.09921",
    .year = 2022,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
};

// The authors' code clamps both parameters from below, and the exponent of the power also from
// above.
constexpr float kSmallest = 1e-2f, kLargestPower = 2;

class Kerple : public Scheme {
 public:
  Kerple(int heads, bool power) : heads_(heads), power_(power) {
    specs_[kExponent] = {.name = "bias_p",
                         .columns = heads,
                         .initialiser = Initialiser::kUniform,
                         .deviation = 1,
                         .mean = 1};
    specs_[kRate] = {.name = "bias_a",
                     .columns = heads,
                     .initialiser = Initialiser::kUniform,
                     .deviation = 0.5f,
                     .mean = 0.5f};
  }

  std::span<const ParameterSpec> parameters() const override { return specs_; }
  void constrain(float* const* values) const override {
    for (int h = 0; h < heads_; ++h) {
      values[kRate][h] = std::max(values[kRate][h], kSmallest);
      values[kExponent][h] = std::max(values[kExponent][h], kSmallest);
      if (power_) values[kExponent][h] = std::min(values[kExponent][h], kLargestPower);
    }
  }

  // -p · ln(1 + a|r|), or -a · |r|^p.
  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    const float p = context.values[kExponent][head], a = context.values[kRate][head];
    for (int r = low; r < high; ++r) {
      const float x = static_cast<float>(std::abs(r));
      strip[r - low] = power_ ? -a * std::pow(x, p) : -p * std::log1p(a * x);
    }
  }
  void distance_strip_backward(const LayerContext& context, int head, int low, int high,
                               const float* d_strip) const override {
    if (!context.gradients) return;
    const float p = context.values[kExponent][head], a = context.values[kRate][head];
    float d_p = 0, d_a = 0;
    for (int r = low; r < high; ++r) {
      // At distance 0 both kernels are 0 for all parameters, and 0^p has no finite derivative.
      if (r == 0) continue;
      const float x = static_cast<float>(std::abs(r)), d = d_strip[r - low];
      const float grown = power_ ? std::pow(x, p) : std::log1p(a * x);
      d_p -= d * (power_ ? a * grown * std::log(x) : grown);
      d_a -= d * (power_ ? grown : p * x / (1 + a * x));
    }
    context.gradients[kExponent][head] += d_p;
    context.gradients[kRate][head] += d_a;
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    return {.layer = heads_ * (queries * keys + 4 * (queries + keys - 1))};
  }

 private:
  int heads_;
  bool power_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Kerple>(shape.num_heads, static_cast<int>(options[kKernel]) == kPower);
}

}  // namespace

extern const SchemeEntry kerple_entry;
const SchemeEntry kerple_entry = {&kDescription, hooks_of<Kerple>(), make};

}  // namespace wf
