// Which families of Hugging Face's config.json have a scheme.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wf {

// One family, if what its file says fits.
struct Family {
  std::string_view model_type;
  // Conditions: key=value, key=value/value, key!=value, or a key that must be there and not be
  // false; all of them, joined by &. An absent key counts as "" and as false, and fulfils every !=.
  // Beside the file's own keys there are `layer_type` and `use_rope`, of one layer, and head_dim.
  std::string_view when = "";
  // Values of options, joined by commas: option=value where the file is silent, option==value
  // always. @key is that key's value, @a/@b a ratio, @a-2 a difference, @key~word whether the word
  // is in it, and all of these nothing without the key.
  std::string_view options = "";
};

// All of them as one text, as the engine describes a scheme: model_type?when:options, separated by
// spaces.
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
