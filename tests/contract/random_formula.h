// Random formulas, each with a second implementation: a tree of functions in double precision.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tensor/random.h"

namespace wf::contract {

// The values of a formula's names, and of the parameters of kFormulaParameters.
struct FormulaPoint {
  double i = 0, j = 0, head = 0, pair = 0, channel = 0, logit = 0;
  const std::vector<std::vector<double>>* parameters = nullptr;
};

// Declared as kFormulaParameters says, for two heads: a[2], b, t[2, 8].
inline constexpr const char* kFormulaParameters = "a[H] = h + 1; b = 0.5; t[H, 8] = h";

struct RandomFormula {
  std::string text;
  std::function<double(const FormulaPoint&)> value;
};

// The slots, which have different names.
enum class FormulaSlot { kBias, kContentBias, kAngle, kQueryScale };

// A formula that is smooth in parameters and logits and of moderate size, so that finite
// differences are accurate.
RandomFormula random_formula(Random& random, FormulaSlot slot, int depth);

// The text with a few characters changed, removed, exchanged or repeated.
std::string mutated(Random& random, std::string text);

}  // namespace wf::contract
