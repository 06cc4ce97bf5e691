// The names that a formula may use.
#pragma once

#include <string_view>

#include "formula/program.h"

namespace wf::formula {

struct VariableName {
  std::string_view name;
  Variable variable;
};
struct SizeName {
  std::string_view name;
  Size size;
};
struct ConstantName {
  std::string_view name;
  double value;
};

std::span<const VariableName> variable_names();
std::span<const SizeName> size_names();
std::span<const ConstantName> constant_names();  // pi, inf, true, false

// Whether a name is one of the language, so that no parameter and no definition may have it.
bool is_reserved(std::string_view name);

// Finds the name that was probably meant: the one with the fewest changed characters, if these are
// few.
class Suggestion {
 public:
  explicit Suggestion(std::string_view written) : written_(written) {}
  void consider(std::string_view name);
  // "" if no name is similar.
  std::string_view best() const { return best_; }

 private:
  std::string_view written_, best_;
  int distance_ = 3;  // one more than the most changes of a suggestion
};

}  // namespace wf::formula
