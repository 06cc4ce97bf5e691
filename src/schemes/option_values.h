// The values of a scheme's options.
#pragma once

#include "schemes/number_list.h"

namespace wf {

constexpr int kMaxOptions = 32;
constexpr int kMaxLists = 10;

// Parallel to SchemeDescription::options. A flag is 0 or 1, a choice the index of its word, a list
// its index in `lists` + 1, or 0 if it is empty.
struct OptionValues {
  double values[kMaxOptions] = {};
  NumberList lists[kMaxLists];

  double operator[](int index) const { return values[index]; }
  std::span<const double> list(int index) const {
    return values[index] > 0 ? lists[static_cast<int>(values[index]) - 1].numbers()
                             : std::span<const double>();
  }
  bool operator==(const OptionValues&) const = default;
};

}  // namespace wf
