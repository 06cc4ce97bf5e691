#include "formula/token.h"

#include <algorithm>
#include <cmath>

namespace wf::formula {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Scanner {
 public:
  Scanner(std::string_view text, int at) : text_(text), at_(at) {}

  Token scan() {
    while (is_space(peek())) ++at_;
    Token token{.begin = at_, .end = at_};
    if (at_ >= static_cast<int>(text_.size())) return token;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      token.kind = TokenKind::kNumber;
      token.number = number();
    } else if (is_letter(peek())) {
      token.kind = TokenKind::kName;
      name();
    } else {
      token.kind = symbol() ? TokenKind::kSymbol : TokenKind::kUnknown;
    }
    token.end = at_;
    return token;
  }

 private:
  char peek(int ahead = 0) const {
    return at_ + ahead < static_cast<int>(text_.size()) ? text_[at_ + ahead] : '\0';
  }

  // A name may have one part after a point: "i.x".
  void name() {
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    if (peek() == '.' && is_letter(peek(1)))
      for (++at_; is_letter(peek()) || is_digit(peek());) ++at_;
  }

  // Exact if the digits fit in 53 bits and the power of ten in 22; otherwise within 2⁻⁵¹.
  double number() {
    double digits = 0;
    int exponent = 0;
    for (; is_digit(peek()); ++at_) digits = digits * 10 + (peek() - '0');
    if (peek() == '.')
      for (++at_; is_digit(peek()); ++at_, --exponent) digits = digits * 10 + (peek() - '0');
    const int sign_length = peek(1) == '-' || peek(1) == '+';
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign_length))) {
      const bool is_negative = peek(1) == '-';
      int written = 0;
      for (at_ += 1 + sign_length; is_digit(peek()); ++at_)
        written = std::min(written * 10 + (peek() - '0'), 9999);
      exponent += is_negative ? -written : written;
    }
    // A division is exact where a product with a negative power would be rounded twice.
    return exponent < 0 ? digits / std::pow(10.0, -exponent) : digits * std::pow(10.0, exponent);
  }

  bool symbol() {
    for (const std::string_view pair : {"<=", ">=", "==", "!=", "&&", "||"})
      if (text_.substr(at_, 2) == pair) return at_ += 2, true;
    const bool is_known = std::string_view("+-*/%^<>!?:()[],;=").find(peek()) != text_.npos;
    ++at_;
    while (!is_known && (peek() & 0xc0) == 0x80) ++at_;
    return is_known;
  }

  std::string_view text_;
  int at_;
};

}  // namespace

Token next_token(std::string_view text, int at) { return Scanner(text, at).scan(); }

}  // namespace wf::formula
