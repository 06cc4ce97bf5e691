// Compiles the text of a formula.
//
//   formula    = { "let" name "=" expression ";" } expression
//   expression = or [ "?" expression ":" expression ]
//   or         = and { "||" and }
//   and        = comparison { "&&" comparison }
//   comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
//   sum        = product { ( "+" | "-" ) product }
//   product    = sign { ( "*" | "/" | "%" ) sign }
//   sign       = ( "-" | "+" | "!" ) sign | power
//   power      = primary [ "^" sign ]
//   primary    = number | name | name "(" expressions ")" | name "[" expressions "]"
//              | "(" expression ")"
#pragma once

#include "formula/fault.h"
#include "formula/program.h"

namespace wf::formula {

// Errors: kInvalidArgument, of which `fault` has the place and the kind and whose message begins
// with `slot`; kOutOfMemory, with the fault kNone.
Result<Program> compile(const char* slot, std::string_view text, const Scope& scope, Fault& fault);

}  // namespace wf::formula
