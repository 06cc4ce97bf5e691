// Splits a formula's text into numbers, names and symbols.
#pragma once

#include <cstdint>
#include <string_view>

namespace wf::formula {

enum class TokenKind : std::uint8_t { kEnd, kNumber, kName, kSymbol, kUnknown };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int begin = 0, end = 0;  // bytes of the text
  double number = 0;

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

// The token that begins at byte `at` or after the white space there. A byte that begins no token is
// kUnknown, with all bytes of its character.
Token next_token(std::string_view text, int at);

}  // namespace wf::formula
