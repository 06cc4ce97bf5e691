// Loops over the registered schemes for the contract tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "schemes/registry.h"

namespace wf::contract {

// Returns whether hooks have an effect after the token vectors are computed.
inline bool act_in_attention(std::uint32_t hooks) {
  return hooks & (kHookTransform | kHookDistanceStrip | kHookBias | kHookOutput | kHookScale);
}

template <class Body>
void for_each_scheme(Body body) {
  for (const SchemeEntry* entry : scheme_entries()) {
    const std::string scheme = entry->description->id;
    CAPTURE(scheme);
    body(*entry);
  }
}

// Returns the defaults and variants that each change one option: every choice, both booleans, or
// values near the ends of its range that differ from the default and are not degenerate.
inline std::vector<OptionValues> option_variants(const SchemeDescription& description) {
  std::vector<OptionValues> variants = {default_options(description)};
  for (std::size_t i = 0; i < description.options.size(); ++i) {
    const Option& option = description.options[i];
    OptionValues changed = default_options(description);
    switch (option.kind) {
      case OptionKind::kBoolean:
        changed.values[i] = 1 - option.default_value;
        variants.push_back(changed);
        break;
      case OptionKind::kChoice:
        for (std::size_t c = 0; c < option.choices.size(); ++c) {
          changed.values[i] = static_cast<double>(c);
          variants.push_back(changed);
        }
        break;
      case OptionKind::kInteger:
        changed.values[i] = std::max(option.minimum, std::floor(option.default_value / 2));
        variants.push_back(changed);
        break;
      case OptionKind::kNumber:
        changed.values[i] = std::max(option.minimum, option.default_value / 2);
        variants.push_back(changed);
        break;
      case OptionKind::kText:
      case OptionKind::kList:  // must fit another option: the twins add variants of their own
        break;
    }
  }
  return variants;
}

template <class Body>
void for_each_variant(const SchemeEntry& entry, Body body) {
  int variant = 0;
  for (const OptionValues& options : option_variants(*entry.description)) {
    CAPTURE(variant);
    for (const bool is_causal : {true, false}) {
      if (!is_causal && !entry.description->claims.bidirectional) continue;
      CAPTURE(is_causal);
      body(options, is_causal);
    }
    ++variant;
  }
}

}  // namespace wf::contract
