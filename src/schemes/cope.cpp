// Contextual position encoding: a key's position is the sum of gates between it and the query, so
// that a head may count words, verses or anything that it can tell apart.
// Golovneva et al. 2024, arXiv 2405.18719, equations 3 to 5, with the gate of the authors' code: it
// sees the scaled and masked logit.
#include <algorithm>
#include <cmath>

#include "kernels/dot.h"
#include "schemes/scheme.h"

namespace wf {
namespace {

enum OptionIndex { kMaxPositions, kScaledBias };

constexpr Option kOptions[] = {
    {.key = "maxPositions",
     .config_key = "",
     .kind = OptionKind::kInteger,
     .default_value = 64,
     .minimum = 2,
     .maximum = 4096},
    // The authors' training code divides the table's term by √D as well, their listing does not.
    {.key = "scaledBias", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
};

constexpr const char* kTerms[] = {"contextual"};

constexpr SchemeDescription kDescription = {
    .id = "cope",
    .family = "relative",
    .paper = "Golovneva et al. 2024, arXiv 2405.18719",
    .year = 2024,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
    .cross_attention = CrossAttention::kRefused,
};

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// Where a counted position falls in the table: between `low` and `low + 1`.
struct Place {
  int low;
  float fraction;
  bool clamped;  // the count ran past the table: it has no slope
};

class Cope : public Scheme {
 public:
  Cope(const SchemeShape& shape, int positions, bool scaled)
      : width_(shape.head_dim), most_(positions - 1), scaled_(scaled) {
    // [P, D], one table for all heads; zero, so that training starts from plain attention.
    spec_ = {.name = "position_embeddings", .rows = positions, .columns = width_, .decays = true};
  }

  std::span<const ParameterSpec> parameters() const override { return {&spec_, 1}; }

  Traversal traversal() const override {
    return {.right_to_left = true, .carry_floats = 1, .wants_mask = true};
  }

  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    for (int i = 0; i < tile.rows; ++i) {
      const float* logits = tile.logits + i * tile.stride;
      float* target = tile.term(0) + i * tile.stride;
      // Hundreds of gates add up: in double, or their rounding would show in the fraction.
      double count = tile.carry[i];
      const float* q = tile.q.row(i);
      int held = -1;  // the place whose two products are at hand
      float at_low = 0, at_high = 0;
      for (int j = tile.columns - 1; j >= 0; --j) {
        // An overflow to infinity would be a gate of exactly 0 or 1: sigmoid's limits.
        count += sigmoid(logits[j] + tile.mask[i * tile.stride + j]);
        const Place place = place_of(count);
        if (place.low != held) {
          at_low = dot(q, row(context, place.low), width_);
          at_high = dot(q, row(context, std::min(place.low + 1, most_)), width_);
          held = place.low;
        }
        target[j] += factor(context) * (at_low + place.fraction * (at_high - at_low));
      }
      tile.carry[i] = static_cast<float>(count);
    }
  }

  // The count at key j sums the gates of keys t >= j, so the gradient of gate t gathers the slopes of
  // all counts at keys j <= t: left to right.
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    for (int i = 0; i < tile.rows; ++i) {
      const float* q = tile.q.row(i);
      const float* logits = tile.logits + i * tile.stride;
      const float* mask = tile.mask + i * tile.stride;
      float* d_logits = gradient.d_logits + i * tile.stride;
      double count = tile.carry[i];
      for (int j = 0; j < tile.columns; ++j) count += sigmoid(logits[j] + mask[j]);
      float& slope = gradient.carry[i];
      for (int j = 0; j < tile.columns; ++j) {
        const float gate = sigmoid(logits[j] + mask[j]);
        const Place place = place_of(count);
        const int high = std::min(place.low + 1, most_);
        const float d = factor(context) * d_logits[j];
        if (d != 0) {
          add_scaled(d * (1 - place.fraction), row(context, place.low), width_, gradient.d_q.row(i));
          add_scaled(d * place.fraction, row(context, high), width_, gradient.d_q.row(i));
          if (context.gradients) {
            add_scaled(d * (1 - place.fraction), q, width_, context.gradients[0] + place.low * width_);
            add_scaled(d * place.fraction, q, width_, context.gradients[0] + high * width_);
          }
          if (!place.clamped)
            slope += d * (dot(q, row(context, high), width_) - dot(q, row(context, place.low), width_));
        }
        d_logits[j] += slope * gate * (1 - gate);
        count -= gate;
      }
    }
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A gate, its sum, two products with rows of the table and the mean of the two.
    return {.layer = shape.num_heads * queries * keys * (8 + 4.0 * width_)};
  }

 private:
  float factor(const LayerContext& context) const { return scaled_ ? context.scale : 1; }
  const float* row(const LayerContext& context, int position) const {
    return context.values[0] + position * width_;
  }
  Place place_of(double count) const {
    if (count >= most_) return {most_, 0, true};
    // Subtracting the gates again may leave a hair below zero.
    const double positive = std::max(count, 0.0);
    const int low = static_cast<int>(positive);
    return {low, static_cast<float>(positive - low), false};
  }

  int width_, most_;
  bool scaled_;
  ParameterSpec spec_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Cope>(shape, static_cast<int>(options[kMaxPositions]), options[kScaledBias] != 0);
}

}  // namespace

extern const SchemeEntry cope_entry;
const SchemeEntry cope_entry = {&kDescription, hooks_of<Cope>(), make};

}  // namespace wf
