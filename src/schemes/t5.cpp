// T5's relative bias: one bucket for each small distance, then logarithmic buckets; each bucket has
// a learned scalar for each head. There is no 1/√D. Raffel et al. 2020, arXiv 1910.10683, section
// 2.1; r = j - i, key minus query.
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kNumBuckets, kMaxDistance, kBidirectional, kPerLayer, kScaled };

constexpr Option kOptions[] = {
    integer_option("numBuckets", "relative_attention_num_buckets", 32, 4, 4096),
    integer_option("maxDistance", "relative_attention_max_distance", 128, 2, 1048576),
    flag_option("bidirectional", "", false),
    // A table for each layer (UMT5) instead of one for all layers.
    flag_option("perLayer", "", false),
    // Keeps 1/√D (MPNet); T5 includes it in the initial weights.
    flag_option("scaled", "", false),
};

constexpr const char* kTerms[] = {"bucket"};

constexpr SchemeDescription kDescription = {
    .id = "t5",
    .family = "relative",
    .paper = "Raffel et al. 2020, arXiv 1910.10683",
    .year = 2020,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
};

// The first distance of each bucket from `exact` on, on one side: the smallest distance whose
// logarithmic bucket, by the formula, is at least that one. Precomputed, because the formula gives
// whole numbers exactly where rounding could go either way.
void fill_thresholds(int exact, int buckets, int max_distance, int* thresholds) {
  int distance = exact;
  for (int bucket = exact; bucket < buckets; ++bucket) {
    const auto bucket_of = [&](int m) {
      const double position = std::log(static_cast<double>(m) / exact) /
                              std::log(static_cast<double>(max_distance) / exact) *
                              (buckets - exact);
      return exact + static_cast<int>(position + 1e-9);
    };
    while (distance < max_distance && bucket_of(distance) < bucket) ++distance;
    thresholds[bucket - exact] = distance;
  }
}

class T5 : public Scheme {
 public:
  T5(const SchemeShape& shape, const OptionValues& options, Buffer<int> thresholds)
      : heads_(shape.num_heads),
        buckets_(static_cast<int>(options[kNumBuckets])),
        bidirectional_(options[kBidirectional] != 0),
        scale_(options[kScaled] != 0 ? 0.0f : 1.0f),
        thresholds_(std::move(thresholds)) {
    spec_ = {.name = "relative_attention_bias",
             .rows = buckets_,
             .columns = heads_,
             .scope = options[kPerLayer] != 0 ? ParameterScope::kLayer : ParameterScope::kModel,
             .initialiser = Initialiser::kNormal};
  }

  std::span<const ParameterSpec> parameters() const override { return {&spec_, 1}; }
  float logit_scale() const override { return scale_; }

  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    for (int r = low; r < high; ++r) strip[r - low] = context.values[0][bucket(r) * heads_ + head];
  }
  void distance_strip_backward(const LayerContext& context, int head, int low, int high,
                               const float* d_strip) const override {
    if (!context.gradients) return;
    for (int r = low; r < high; ++r)
      context.gradients[0][bucket(r) * heads_ + head] += d_strip[r - low];
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    return {.layer = heads_ * queries * keys};
  }

 private:
  int side() const { return bidirectional_ ? buckets_ / 2 : buckets_; }
  int exact() const { return side() / 2; }

  // Keys after the query use the upper half of a two-sided table, and bucket 0 of a one-sided one.
  int bucket(int r) const {
    const int offset = bidirectional_ && r > 0 ? side() : 0;
    const int distance = bidirectional_ ? std::abs(r) : std::max(-r, 0);
    if (distance < exact()) return offset + distance;
    const int* past = std::upper_bound(thresholds_.begin(), thresholds_.end(), distance);
    return offset + exact() + static_cast<int>(past - thresholds_.begin()) - 1;
  }

  int heads_, buckets_;
  bool bidirectional_;
  float scale_;
  Buffer<int> thresholds_;
  ParameterSpec spec_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int buckets = static_cast<int>(options[kNumBuckets]);
  const int max_distance = static_cast<int>(options[kMaxDistance]);
  const int side = options[kBidirectional] != 0 ? buckets / 2 : buckets;
  if (options[kBidirectional] != 0 && buckets % 2 != 0)
    return WF_UNEXPECTED("numBuckets", "%d", "an even number if bidirectional", buckets);
  if (max_distance <= side / 2)
    return WF_UNEXPECTED("maxDistance", "%d",
                         "more than %d, the number of distances with one bucket each", max_distance,
                         side / 2);
  Buffer<int> thresholds;
  WF_RETURN_IF_ERROR(thresholds.reserve(side - side / 2));
  fill_thresholds(side / 2, side, max_distance, thresholds.data());
  return new_scheme<T5>(shape, options, std::move(thresholds));
}

}  // namespace

extern const SchemeEntry t5_entry;
const SchemeEntry t5_entry = {&kDescription, hooks_of<T5>(), make};

}  // namespace wf
