// Sandwich: the product of two sinusoidal embeddings as a bias, without parameters.
// Chi et al. 2023, arXiv 2212.10356, section 4; normalised and divided by head as NVIDIA's NeMo does.
#include <cmath>

#include "schemes/scheme.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kWidth, kFromZero };

constexpr Option kOptions[] = {
    {.key = "width",
     .config_key = "",
     .kind = OptionKind::kInteger,
     .default_value = 128,
     .minimum = 2,
     .maximum = 4096},
    // Frequencies from 10000^0 on, as in a sinusoidal embedding; NeMo starts one step lower.
    {.key = "indexFromZero", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
};

constexpr const char* kTerms[] = {"cosines"};

constexpr SchemeDescription kDescription = {
    .id = "sandwich",
    .family = "relative",
    .paper = "Chi et al. 2023, arXiv 2212.10356",
    .year = 2023,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
};

class Sandwich : public Scheme {
 public:
  Sandwich(int heads, Buffer<double> frequencies) : heads_(heads), frequencies_(std::move(frequencies)) {}

  // (Σ_t cos(r w_t) - width/2) / (8 (head + 1) / H); the subtraction makes distance 0 cost nothing.
  void distance_strip(const LayerContext&, int head, int low, int high, float* strip) const override {
    const double compression = 8.0 * (head + 1) / heads_;
    for (int r = low; r < high; ++r) {
      double sum = 0;
      for (const double w : frequencies_) sum += std::cos(r * w) - 1;
      strip[r - low] = static_cast<float>(sum / compression);
    }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    const double strip = (queries + keys - 1) * 3 * static_cast<double>(frequencies_.size());
    return {.layer = heads_ * (queries * keys + strip)};
  }

 private:
  int heads_;
  Buffer<double> frequencies_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = static_cast<int>(options[kWidth]), first = options[kFromZero] != 0 ? 0 : 1;
  if (width % 2 != 0)
    return Status::error(Code::kInvalidArgument, "width: %d; allowed is an even number from 2 to 4096", width);
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(width / 2));
  for (int t = 0; t < width / 2; ++t) frequencies[t] = std::pow(10000.0, -2.0 * (t + first) / width);
  return new_scheme<Sandwich>(shape.num_heads, std::move(frequencies));
}

}  // namespace

extern const SchemeEntry sandwich_entry;
const SchemeEntry sandwich_entry = {&kDescription, hooks_of<Sandwich>(), make};

}  // namespace wf
