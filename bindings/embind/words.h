// Registers an enumeration with the words of the public API (words.h): as strings, or as an object
// with a number for each word.
#pragma once

#include <emscripten/bind.h>

#include "words.h"

namespace wf::binding {

template <class Enum>
void register_words(const char* name, emscripten::enum_value_type type) {
  emscripten::enum_<Enum> words(name, type);
  int value = 0;
  for (const char* word : kWordsOf<Enum>) words.value(word, static_cast<Enum>(value++));
}

template <class Enum>
void register_words(const char* name) {
  register_words<Enum>(name, emscripten::enum_value_type::string);
}

template <class Enum>
void register_numbers(const char* name) {
  register_words<Enum>(name, emscripten::enum_value_type::number);
}

}  // namespace wf::binding
