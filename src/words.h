// Enumerations whose values have words in the public API, listed once:
//
//   #define WF_NORM_KINDS(X) X(kRms, "rms") X(kLayer, "layer")
//   WF_ENUM_WITH_WORDS(NormKind, WF_NORM_KINDS)
//
// The bindings register the words (embind/words.h), so JavaScript never sees the numbers.
#pragma once

#include <array>
#include <cstdint>

namespace wf {

// The word of each value, in order.
template <class Enum>
inline constexpr std::array<const char*, 0> kWordsOf = {};

template <class Enum>
constexpr bool is_word(Enum value) {
  return static_cast<std::size_t>(value) < kWordsOf<Enum>.size();
}

template <class Enum>
constexpr const char* word_of(Enum value) {
  return is_word(value) ? kWordsOf<Enum>[static_cast<std::size_t>(value)] : "";
}

}  // namespace wf

#define WF_ENUMERATOR(name, word) name,
#define WF_WORD(name, word) word,
#define WF_ENUM_WITH_WORDS(Type, LIST)                    \
  enum class Type : std::uint8_t { LIST(WF_ENUMERATOR) }; \
  template <>                                             \
  inline constexpr auto kWordsOf<Type> = std::to_array<const char*>({LIST(WF_WORD)});
