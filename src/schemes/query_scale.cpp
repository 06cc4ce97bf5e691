// Query scale by position: each query is multiplied by a number that rises with the logarithm of
// its position, because the softmax of a longer text is flatter. It acts beside any scheme of text
// in the same layer. Nakanishi 2025 (Scalable-Softmax), arXiv 2501.19399; the fixed forms are those
// of Llama 4 and Ministral 3 (floor), Inkling (clamped) and Beam (power).
#include <algorithm>
#include <cmath>

#include "kernels/dot.h"
#include "schemes/query_factor.h"

namespace wf {
namespace {

enum OptionIndex { kForm, kScale, kLength, kOffset };
enum FormChoice { kTrained, kFloor, kClamped, kPower };
enum ParameterIndex { kSlope, kBias };

constexpr const char* kForms[] = {"trained", "floor", "clamped", "power"};
constexpr Option kOptions[] = {
    choice_option("form", "", kForms, kTrained),
    number_option("scale", "rope_scaling.llama_4_scaling_beta", 0.1, 0, 10),
    integer_option("length", "", 8192, 1, 1e9),
    integer_option("offset", "", 1, 0, 1),
};

constexpr SchemeDescription kDescription = {
    .id = "query_scale",
    .family = "none",
    .paper = "Nakanishi 2025, arXiv 2501.19399",
    .year = 2025,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = true,
               // The position counts the visible keys only under a causal mask.
               .bidirectional = false,
               .decodes = true},
    .bias_terms = {},
    .transform_term = kTemperature,
    .cross_attention = CrossAttention::kPositions,
};

class QueryScale : public QueryFactor {
 public:
  QueryScale(int heads, int head_dim, const OptionValues& options)
      : heads_(heads),
        head_dim_(head_dim),
        form_(static_cast<FormChoice>(options[kForm])),
        scale_(options[kScale]),
        length_(options[kLength]),
        offset_(options[kOffset]) {
    // 0.43 · ln n is about 1 for the ten keys of a short text.
    specs_[kSlope] = {.name = "scale",
                      .columns = heads,
                      .initialiser = Initialiser::kConstant,
                      .deviation = 0.43f};
    specs_[kBias] = {.name = "bias", .columns = heads};
  }

  std::span<const ParameterSpec> parameters() const override {
    return std::span(specs_).first(form_ == kTrained ? 2 : 0);
  }
  std::uint32_t idle_hooks() const override {
    if (form_ == kTrained) return 0;
    return kHookParameters | (scale_ == 0 ? kHookTransform : 0u);
  }

  // Positions before the first count as the first: the logarithm is not defined there.
  float query_factor(const LayerContext& context, int head, int position) const override {
    const double x = (std::max(position, 0) + offset_) / length_;
    switch (form_) {
      case kTrained:
        return context.values[kSlope][head] * log_of_keys(position) + context.values[kBias][head];
      case kFloor:
        return static_cast<float>(1 + scale_ * std::log1p(std::floor(x)));
      case kClamped:
        return static_cast<float>(1 + scale_ * std::log(std::max(x, 1.0)));
      case kPower:
        return static_cast<float>(std::pow(1 + x, scale_));
    }
    return 1;
  }

  void transform_projections_backward(const LayerContext& context, Projection projection, int head,
                                      const RowPositions& rows, ConstMatrix raw,
                                      Matrix d_x) const override {
    if (form_ == kTrained && context.gradients && projection == Projection::kQuery)
      for (int i = 0; i < d_x.rows; ++i) {
        const float d_factor = dot(raw.row(i), d_x.row(i), raw.columns);
        context.gradients[kSlope][head] += d_factor * log_of_keys(rows.positions.at(i));
        context.gradients[kBias][head] += d_factor;
      }
    QueryFactor::transform_projections_backward(context, projection, head, rows, raw, d_x);
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double) const override {
    const bool acts = form_ == kTrained || scale_ != 0;
    return {.layer = acts ? queries * heads_ * (head_dim_ + 2.0) : 0};
  }

 private:
  // The logarithm of the number of keys that a query sees.
  static float log_of_keys(int position) {
    return static_cast<float>(std::log1p(std::max(position, 0)));
  }

  int heads_, head_dim_;
  FormChoice form_;
  double scale_, length_, offset_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<QueryScale>(shape.num_heads, shape.head_dim, options);
}

}  // namespace

extern const SchemeEntry query_scale_entry;
const SchemeEntry query_scale_entry = {&kDescription, hooks_of<QueryScale>(), make};

}  // namespace wf
