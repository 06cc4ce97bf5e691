// An error in the text of a formula, and where it is.
#pragma once

#include <cstdint>
#include <string_view>

#include "status.h"

namespace wf::formula {

enum class FaultKind : std::uint8_t {
  kNone,
  kUnexpected,   // `expected` says what may be here instead
  kUnknownName,  // `suggestion` is the most similar name, or ""
  kUnavailable,  // a name of the language that has no value in this formula
  kArguments,    // another number of arguments or indices; `expected` says how many
  kTooLong,      // more than kMaxLength bytes
  kTooDeep,      // more than kMaxDepth nested parts
  kTooLarge,     // more than kMaxNodes operations, or kMaxDefinitions names after `let`
};

struct Fault {
  FaultKind kind = FaultKind::kNone;
  // Bytes [begin, end) of the text. At its end both are its length.
  int begin = 0, end = 0;
  char expected[64] = "";
  char suggestion[32] = "";
};

// The fault as an error: "bias, character 9: "abss" (expected a name; did you mean abs?)".
Status error_of(const Fault& fault, const char* slot, std::string_view text);

}  // namespace wf::formula
