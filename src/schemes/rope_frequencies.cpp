#include "schemes/rope_frequencies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "schemes/frequencies.h"

namespace wf {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

double clamped(double x) { return std::clamp(x, 0.0, 1.0); }

// w/s where keep is 0, w where it is 1.
double blend(double w, double s, double keep) { return (1 - keep) * w / s + keep * w; }

// The base that keeps the first frequency and divides the last one by `ratio`.
double stretched_base(double base, double ratio, int width) {
  return base * std::pow(ratio, width / (width - 2.0));
}

// The share of each frequency that YaRN's code keeps: 1 up to pair `low`, 0 from pair `high` on.
struct PairRamp {
  double low, high;

  PairRamp(const RopeScaling& scaling, double base, double length, int width) {
    const auto pair_of = [&](double rotations) {
      return width * std::log(length / (kTwoPi * rotations)) / (2 * std::log(base));
    };
    low = pair_of(scaling.beta_fast);
    high = pair_of(scaling.beta_slow);
    if (scaling.truncate) {
      low = std::floor(low);
      high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    // Number of channels, not pairs, as in every implementation.
    high = std::min(high, width - 1.0);
    if (low == high) high += 0.001;
  }
  double keep(int pair) const { return 1 - clamped((pair - low) / (high - low)); }
};

// Converts the geometric frequencies w of width / 2 pairs, of which those of `rotated_width`
// channels rotate, to those of the scaling's type. LongRoPE's frequencies for longer texts are
// written after w.
void scale_by_type(const RopeScaling& scaling, double base, double length, int width,
                   int rotated_width, double* w) {
  const int pairs = width / 2;
  const double s = scaling.factor;
  const PairRamp ramp(scaling, base, length, width);
  for (int t = 0; t < pairs; ++t) {
    const double rotations = length * w[t] / kTwoPi;  // within the original length
    switch (scaling.type) {
      case RopeType::kLinear:
        w[t] /= s;
        break;
      case RopeType::kNtkByParts:
        w[t] = blend(
            w[t], s,
            clamped((rotations - scaling.beta_slow) / (scaling.beta_fast - scaling.beta_slow)));
        break;
      case RopeType::kYarn:
        w[t] = blend(w[t], s, ramp.keep(t));
        break;
      case RopeType::kLlama3:
        w[t] = blend(w[t], s,
                     clamped((rotations - scaling.low_freq_factor) /
                             (scaling.high_freq_factor - scaling.low_freq_factor)));
        break;
      case RopeType::kLongrope:
        w[pairs + t] = w[t] / scaling.long_factor[t];
        w[t] /= scaling.short_factor[t];
        break;
      case RopeType::kProportional:
        w[t] = t < rotated_width / 2 ? w[t] / s : 0;
        break;
      default:
        break;
    }
  }
}

}  // namespace

bool RopeFrequencies::follow_length() const {
  return type_ == RopeType::kDynamic || type_ == RopeType::kLongrope;
}

Result<RopeFrequencies> RopeFrequencies::make(int head_dim, double partial_rotary_factor,
                                              double base, const RopeScaling& given) {
  const int rotated_width = static_cast<int>(head_dim * partial_rotary_factor);
  const bool proportional = given.type == RopeType::kProportional;
  const int width = proportional ? head_dim : rotated_width;
  if (width < 2 || width % 2 != 0)
    return WF_UNEXPECTED(
        "partialRotaryFactor", "%g",
        "a factor that rotates an even number (2 or more) of a head's %d channels, not %d",
        partial_rotary_factor, head_dim, width);
  RopeFrequencies made;
  made.pairs_ = width / 2;
  RopeScaling scaling = given;
  WF_RETURN_IF_ERROR(complete(scaling, made.pairs_));
  made.type_ = scaling.type;
  made.base_ = base;
  const double s = made.factor_ = scaling.factor;
  // In Hugging Face, dynamic scaling has only max_position_embeddings.
  const double length = made.length_ = scaling.type == RopeType::kDynamic
                                           ? scaling.max_position_embeddings
                                           : scaling.original_max_position_embeddings;
  made.attention_factor_ = attention_factor_of(scaling);

  const int tables = scaling.type == RopeType::kLongrope ? 2 : 1;
  WF_RETURN_IF_ERROR(made.table_.reserve(tables * made.pairs_));
  double* w = made.table_.data();
  geometric_frequencies(scaling.type == RopeType::kNtk ? stretched_base(base, s, width) : base,
                        width, w);
  scale_by_type(scaling, base, length, width, rotated_width, w);
  return made;
}

void RopeFrequencies::at(int sequence_length, double* frequencies) const {
  if (type_ == RopeType::kDynamic) {
    const double n = std::max<double>(sequence_length, length_);
    geometric_frequencies(stretched_base(base_, factor_ * n / length_ - (factor_ - 1), 2 * pairs_),
                          2 * pairs_, frequencies);
    return;
  }
  const bool beyond = type_ == RopeType::kLongrope && sequence_length > length_;
  std::copy_n(table_.data() + (beyond ? pairs_ : 0), pairs_, frequencies);
}

}  // namespace wf
