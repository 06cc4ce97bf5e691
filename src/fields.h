// Fields of a struct that the public API sets, listed once in a .def file: one line for each, with
// the name in C++, the public name, the default and the range. An including file defines
//
//   WF_FIELD(type, name, public_name, absent, min, max)
//
// and the file undefines it. From the lists come the members of the struct, the
// checks of their ranges, the registration for JavaScript (bindings/embind) and, by
// scripts/generate.mjs, names, defaults and limits in TypeScript.
#pragma once

#include <cfloat>
#include <span>
#include <type_traits>

#include "status.h"
#include "words.h"

// Short forms of lines.
#define WF_FLAG(name, public_name, absent) WF_FIELD(bool, name, public_name, absent, 0, 1)
#define WF_CHOICE(Type, name, public_name) \
  WF_FIELD(Type, name, public_name, Type{}, 0, ::wf::kWordsOf<Type>.size() - 1.0)

namespace wf {

// The kind of a setting's value, in this file and for the options of schemes.
#define WF_OPTION_KINDS(X) \
  X(kBoolean, "boolean")   \
  X(kInteger, "integer")   \
  X(kNumber, "number")     \
  X(kChoice, "choice")     \
  X(kList, "list")         \
  X(kText, "text")
WF_ENUM_WITH_WORDS(OptionKind, WF_OPTION_KINDS)
#undef WF_OPTION_KINDS

// The default of a size that has none; the member is 1 until it is set.
struct Required {
  constexpr operator int() const { return 1; }
};
inline constexpr Required kRequired;

// The minimum of numbers above zero, and maxima of fields without one.
inline constexpr double kAboveZero = FLT_TRUE_MIN;
inline constexpr double kNoMaxNumber = FLT_MAX;
inline constexpr double kNoMaxInteger = INT32_MAX;

struct Field {
  const char* name;  // public
  OptionKind kind;
  // Valid even if it is outside the range, which then means "off"; NaN if the field is required.
  double absent;
  double min, max;
  std::span<const char* const> words = {};  // of a choice
};

constexpr double default_of(double absent) { return absent; }
constexpr double default_of(Required) { return __builtin_nan(""); }

template <class T, class Absent>
constexpr Field field_of(const char* name, Absent absent, double min, double max) {
  if constexpr (std::is_enum_v<T>)
    return {name, OptionKind::kChoice, 0, min, max, kWordsOf<T>};
  else
    return {name,
            std::is_same_v<T, bool> ? OptionKind::kBoolean
            : std::is_integral_v<T> ? OptionKind::kInteger
                                    : OptionKind::kNumber,
            default_of(absent), min, max};
}

// Checks the values of all fields. Errors: kInvalidArgument, naming the field, its value and its
// range.
Status check_fields(std::span<const Field> fields, const double* values);

}  // namespace wf

// Expansions of a line: a member of the struct, an element of a list of Field, an element of the
// values that check_fields reads.
#define WF_FIELD_MEMBER(type, name, public_name, absent, min, max) type name = absent;
#define WF_FIELD_ENTRY(type, name, public_name, absent, min, max) \
  ::wf::field_of<type>(#public_name, absent, min, max),
#define WF_FIELD_VALUE(type, name, public_name, absent, min, max) static_cast<double>(name),
