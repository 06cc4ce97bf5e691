#include "rope_twin.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "schemes/rope_scaling.h"

namespace wf::reference {
namespace {

const double kPi = std::acos(-1.0);

double between(double x, double low, double high) {
  return std::min(1.0, std::max(0.0, (x - low) / (high - low)));
}

}  // namespace

RopeLadder rope_ladder(const OptionValues& options, int first, int width, double base,
                       int sequence_length) {
  enum {
    kMax,
    kType,
    kFactor,
    kOriginal,
    kAttention,
    kFast,
    kSlow,
    kTruncate,
    kMscale,
    kAllDim,
    kLow,
    kHigh,
    kShort,
    kLong
  };
  const auto option = [&](int index) { return options[first + index]; };
  const std::string type = kRopeTypes[int(option(kType))];
  const double L = option(kOriginal) != 0 ? option(kOriginal) : option(kMax);
  const double s = option(kFactor) != 0 ? option(kFactor) : option(kMax) / L;
  const double temperature = option(kAttention) != 0 ? option(kAttention) : 0;
  const auto power = [&](double b, int t) { return std::exp(-2.0 * t / width * std::log(b)); };
  RopeLadder ladder;
  for (int t = 0; t < width / 2; ++t) {
    double w = power(base, t);
    if (type == "linear") w /= s;
    if (type == "ntk") w = power(base * std::pow(s, width / (width - 2.0)), t);
    if (type == "dynamic") {
      const double most = option(kMax), n = std::max<double>(sequence_length, most);
      w = power(base * std::pow(s * n / most - (s - 1), width / (width - 2.0)), t);
    }
    if (type == "ntk_by_parts" || type == "llama3") {
      const double low = type == "llama3" ? option(kLow) : option(kSlow);
      const double high = type == "llama3" ? option(kHigh) : option(kFast);
      const double gamma = between(L * w / (2 * kPi), low, high);
      w = (1 - gamma) * w / s + gamma * w;
    }
    if (type == "yarn") {
      const auto dim_of = [&](double r) {
        return width * std::log(L / (2 * kPi * r)) / (2 * std::log(base));
      };
      double low = dim_of(option(kFast)), high = dim_of(option(kSlow));
      if (option(kTruncate) != 0) low = std::floor(low), high = std::ceil(high);
      low = std::max(low, 0.0), high = std::min(high, width - 1.0);
      if (low == high) high += 0.001;
      const double ramp = between(t, low, high);
      w = w / s * ramp + w * (1 - ramp);
    }
    if (type == "proportional") w /= std::max(option(kFactor), 1.0);
    if (type == "longrope") w /= options.list(first + (sequence_length > L ? kLong : kShort))[t];
    ladder.frequencies.push_back(w);
  }
  if (type == "yarn") {
    const auto g = [&](double m) { return s > 1 ? 0.1 * m * std::log(s) + 1 : 1; };
    const bool both = option(kMscale) != 0 && option(kAllDim) != 0;
    ladder.factor = both ? g(option(kMscale)) / g(option(kAllDim)) : g(1);
  }
  if (type == "longrope" && s > 1) ladder.factor = std::sqrt(1 + std::log(s) / std::log(L));
  if (temperature != 0 && (type == "yarn" || type == "longrope" || type == "ntk_by_parts"))
    ladder.factor = temperature;
  return ladder;
}

RopeLadder ladder_of_head(const OptionValues& options, int first, int head_dim, double partial,
                          double base, int sequence_length) {
  const int turned = static_cast<int>(head_dim * partial);
  if (kRopeTypes[int(options[first + 1])] != std::string("proportional"))
    return rope_ladder(options, first, turned, base, sequence_length);
  RopeLadder ladder = rope_ladder(options, first, head_dim, base, sequence_length);
  for (std::size_t t = 0; t < ladder.frequencies.size(); ++t)
    if (int(t) >= turned / 2) ladder.frequencies[t] = 0;
  return ladder;
}

void turn(double& a, double& b, double angle, double factor) {
  const double first = factor * (a * std::cos(angle) - b * std::sin(angle));
  b = factor * (a * std::sin(angle) + b * std::cos(angle));
  a = first;
}

void complete_rope_scaling(OptionValues& options, int first, int pairs) {
  const bool stands_alone =
      options[first + 2] == 0 && options[first + 3] == 0 && options[first] == 2048;
  if (options[first + 1] == 0 || !stands_alone) return;
  const std::string type = kRopeTypes[int(options[first + 1])];
  options.values[first] = type == "dynamic" ? 6 : 24;
  options.values[first + 2] = 4;
  options.values[first + 3] = 6;
  std::vector<double> list(pairs);
  for (int k = 0; k < 2; ++k) {
    for (int t = 0; t < pairs; ++t) list[t] = 1 + (k + 0.5) * t;
    auto made = NumberList::make(list);
    if (!made.ok()) continue;
    options.lists[k] = made.take();
    options.values[first + 12 + k] = k + 1;
  }
}

}  // namespace wf::reference
