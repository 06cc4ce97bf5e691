// Sandwich: the product of two sinusoidal embeddings as a bias, without parameters. Chi et al.
// 2023, arXiv 2212.10356, section 4; normalised and divided by head as in NVIDIA's NeMo.
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kWidth, kFromZero };

constexpr Option kOptions[] = {
    integer_option("width", "", 128, 2, 4096),
    // Frequencies start at 10000^0, as in a sinusoidal embedding; in NeMo one step lower.
    flag_option("indexFromZero", "", false),
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
  Sandwich(int heads, Buffer<double> frequencies)
      : heads_(heads), frequencies_(std::move(frequencies)) {}

  // Σ_t cos(r w_t) - width/2 for each distance; the same for all heads.
  std::size_t layer_table_floats(const LayerContext& context) const override {
    return context.distances.by_pair() ? 0 : context.distances.rows();
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch&) const override {
    const RelativeRange& range = context.distances;
    if (range.by_pair()) return;
    const int low = static_cast<int>(range.low());
    // The sums are symmetric in r, so those that occur with both signs are computed once.
    const auto high = std::max<std::int64_t>(range.high(), 0);
    const int mirrored = static_cast<int>(std::clamp<std::int64_t>(-range.low(), 0, high));
    if (mirrored == 0) return fill(low, static_cast<int>(range.rows()), table);
    fill(low, -mirrored - low, table);
    float* at_zero = table - low;
    fill(0, static_cast<int>(range.high()) + 1, at_zero);
    for (int r = 1; r <= mirrored; ++r) at_zero[-r] = at_zero[r];
  }

  // That sum / (8 (head + 1) / H); the subtraction makes the bias 0 at distance 0.
  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    const float compression = 8.0f * (head + 1) / heads_;
    const bool has_table = context.table && !context.distances.by_pair();
    if (!has_table) fill(low, high - low, strip);
    for (int r = low; r < high; ++r) {
      const float sum = has_table ? context.table[context.distances.row_of(r)] : strip[r - low];
      strip[r - low] = sum / compression;
    }
  }

  // No backward pass: frequencies are fixed, and the bias depends neither on queries nor on keys.

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    const double distances = queries + keys - 1;
    return {.layer = heads_ * (queries * keys + distances) +
                     distances * 3 * static_cast<double>(frequencies_.size())};
  }

 private:
  // The sums for the distances from `low` on. Each cosine is computed from the previous one by a
  // rotation, and directly again before the error would be visible in a float.
  void fill(int low, int count, float* sums) const {
    constexpr int kChunk = 64;
    for (int first = 0; first < count; first += kChunk) {
      const int length = std::min(kChunk, count - first);
      double totals[kChunk] = {};
      for (const double w : frequencies_) {
        const double step_cosine = std::cos(w), step_sine = std::sin(w),
                     angle = (1.0 * low + first) * w;
        double cosine = std::cos(angle), sine = std::sin(angle);
        for (int i = 0; i < length; ++i) {
          totals[i] += cosine - 1;
          const double next = cosine * step_cosine - sine * step_sine;
          sine = sine * step_cosine + cosine * step_sine;
          cosine = next;
        }
      }
      for (int i = 0; i < length; ++i) sums[first + i] = static_cast<float>(totals[i]);
    }
  }

  int heads_;
  Buffer<double> frequencies_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = static_cast<int>(options[kWidth]), first = options[kFromZero] != 0 ? 0 : 1;
  if (width % 2 != 0) return WF_UNEXPECTED("width", "%d", "an even number from 2 to 4096", width);
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(width / 2));
  for (int t = 0; t < width / 2; ++t)
    frequencies[t] = std::pow(10000.0, -2.0 * (t + first) / width);
  return new_scheme<Sandwich>(shape.num_heads, std::move(frequencies));
}

}  // namespace

extern const SchemeEntry sandwich_entry;
const SchemeEntry sandwich_entry = {&kDescription, hooks_of<Sandwich>(), make};

}  // namespace wf
