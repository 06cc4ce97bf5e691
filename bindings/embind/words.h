// Registers an enumeration with the words of the public API (words.h). To JavaScript a value is an
// object with its number, `{ value: 2 }`: the one form that every Emscripten 4 has.
#pragma once

#include <emscripten/bind.h>

#include "words.h"

namespace wf::binding {

template <class Enum>
void register_words(const char* name) {
  emscripten::enum_<Enum> words(name);
  int value = 0;
  for (const char* word : kWordsOf<Enum>) words.value(word, static_cast<Enum>(value++));
}

}  // namespace wf::binding
