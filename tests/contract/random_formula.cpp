#include "random_formula.h"

#include <algorithm>
#include <cmath>

namespace wf::contract {
namespace {

using Point = FormulaPoint;

RandomFormula number(Random& random) {
  const int quarters = static_cast<int>(random.below(13)) - 6;
  return {"(" + std::to_string(quarters) + " / 4)", [=](const Point&) { return quarters / 4.; }};
}

RandomFormula parameter(Random& random) {
  switch (random.below(3)) {
    case 0:
      return {"a[h]", [](const Point& at) { return (*at.parameters)[0][int(at.head)]; }};
    case 1:
      return {"b", [](const Point& at) { return (*at.parameters)[1][0]; }};
    default:
      return {"t[h, min(abs(i), 7)]", [](const Point& at) {
                return (*at.parameters)[2][8 * int(at.head) + int(std::min(std::abs(at.i), 7.))];
              }};
  }
}

RandomFormula leaf(Random& random, FormulaSlot slot) {
  const std::uint32_t chosen = random.below(8);
  if (chosen < 2) return parameter(random);
  if (chosen == 2) return number(random);
  const bool is_bias = slot == FormulaSlot::kBias || slot == FormulaSlot::kContentBias;
  if (chosen == 3) return {"(i / 8)", [](const Point& at) { return at.i / 8; }};
  if (chosen == 4) return {"h", [](const Point& at) { return at.head; }};
  if (slot == FormulaSlot::kAngle) return {"(k / 2)", [](const Point& at) { return at.pair / 2; }};
  if (!is_bias) return {"(c / 4)", [](const Point& at) { return at.channel / 4; }};
  if (chosen == 5) return {"(j / 8)", [](const Point& at) { return at.j / 8; }};
  if (slot == FormulaSlot::kContentBias && chosen == 6)
    return {"s", [](const Point& at) { return at.logit; }};
  if (random.below(2))
    return {"(bucket(r, 8, 16) / 4)", [](const Point& at) {
              // Exact up to 4; then log2(distance / 4) / log2(16 / 4) of the other four.
              const double d = std::max(at.i - at.j, 0.);
              const double late = 4 + std::floor(std::log2(d / 4) / 2 * 4 + 1e-9);
              return (d < 4 ? d : std::min(7., late)) / 4;
            }};
  return {"(r / 8)", [](const Point& at) { return (at.j - at.i) / 8; }};
}

}  // namespace

RandomFormula random_formula(Random& random, FormulaSlot slot, int depth) {
  if (depth == 0) return leaf(random, slot);
  const RandomFormula x = random_formula(random, slot, depth - 1);
  const auto unary = [&](const char* before, auto value) {
    return RandomFormula{before + x.text + ")",
                         [=](const Point& at) { return value(x.value(at)); }};
  };
  switch (random.below(12)) {
    case 0:
      return unary("sin(", [](double v) { return std::sin(v); });
    case 1:
      return unary("cos(", [](double v) { return std::cos(v); });
    case 2:
      return unary("tanh(", [](double v) { return std::tanh(v); });
    case 3:
      return unary("sigmoid(", [](double v) { return 1 / (1 + std::exp(-v)); });
    case 4:
      return unary("-(", [](double v) { return -v; });
    default:
      break;
  }
  const RandomFormula y = random_formula(random, slot, depth - 1);
  const auto binary = [&](const char* before, const char* between, const char* after, auto value) {
    return RandomFormula{before + x.text + between + y.text + after,
                         [=](const Point& at) { return value(x.value(at), y.value(at)); }};
  };
  switch (random.below(6)) {
    case 0:
      return binary("(", " + ", ")", [](double v, double w) { return v + w; });
    case 1:
      return binary("(", " - ", ")", [](double v, double w) { return v - w; });
    case 2:
      return binary("(tanh(", ") * ", ")", [](double v, double w) { return std::tanh(v) * w; });
    case 3:
      return binary("(", " / (2 + (", ")^2))", [](double v, double w) { return v / (2 + w * w); });
    case 4: {
      // A branch within a branch.
      const RandomFormula z = leaf(random, slot);
      return {"(i % 3 < 1 ? " + x.text + " : i % 2 == 0 ? " + y.text + " : " + z.text + ")",
              [=](const Point& at) {
                const double third = at.i - 3 * std::floor(at.i / 3);
                const double half = at.i - 2 * std::floor(at.i / 2);
                return third < 1 ? x.value(at) : half == 0 ? y.value(at) : z.value(at);
              }};
    }
    default:
      return binary("(log1p((", ")^2) * ", ")",
                    [](double v, double w) { return std::log(1 + v * v) * w; });
  }
}

std::string mutated(Random& random, std::string text) {
  constexpr std::string_view kBytes =
      "()[]?:;,.+-*/%^<>=!&| 0129eEijrhkcns_\n\t\"\\\x01\x80\xff\xe4";
  for (int change = static_cast<int>(1 + random.below(4)); change > 0; --change) {
    const auto at = [&] {
      return text.empty() ? 0 : random.below(static_cast<std::uint32_t>(text.size()));
    };
    const char byte = kBytes[random.below(static_cast<std::uint32_t>(kBytes.size()))];
    switch (random.below(5)) {
      case 0:
        text.insert(text.begin() + at(), byte);
        break;
      case 1:
        if (!text.empty()) text[at()] = byte;
        break;
      case 2:
        if (!text.empty()) text.erase(text.begin() + at());
        break;
      case 3:
        text += text.substr(at(), 12);
        break;
      default:
        if (!text.empty()) std::swap(text[at()], text[at()]);
    }
  }
  return text;
}

}  // namespace wf::contract
