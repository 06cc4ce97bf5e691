// Rules for the families of Hugging Face's config.json: which of them use a scheme.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wf {

// One family; applies if the config meets the conditions.
struct Family {
  std::string_view model_type;
  // Conditions, all required, joined by &: key=value, key=value/value, key!=value, or a key that
  // must be present and not false. A missing key counts as "" and as false, and satisfies every !=.
  // Besides the config's keys there are `layer_type` and `use_rope` (of one layer) and head_dim.
  std::string_view when = "";
  // Option values, joined by commas: option=value as a default, option==value always. @key is the
  // value of that key, @a/@b a ratio, @a-2 a difference, @key~word whether the word is in it; these
  // have no effect if the key is missing.
  std::string_view options = "";
};

// All families as one text, for the engine's description of a scheme: model_type?when:options,
// separated by spaces.
template <const auto& families>
struct FamilyRules {
  static constexpr std::size_t length() {
    std::size_t sum = 0;
    for (const Family& family : families)
      sum += family.model_type.size() + family.when.size() + family.options.size() + 3;
    return sum;
  }
  static constexpr std::array<char, length()> make() {
    std::array<char, length()> text = {};
    std::size_t used = 0;
    const auto add = [&](char before, std::string_view part) {
      if (part.empty()) return;
      if (used) text[used++] = before;
      for (char c : part) text[used++] = c;
    };
    for (const Family& family : families) {
      add(' ', family.model_type);
      add('?', family.when);
      add(':', family.options);
    }
    return text;
  }
  static constexpr std::array<char, length()> text = make();
};
template <const auto& families>
inline constexpr const char* rules_of = FamilyRules<families>::text.data();

}  // namespace wf
