// Parses the subset of JSON used in safetensors headers, byte by byte, never past the end.
#pragma once

#include <cstdint>
#include <string_view>

namespace wf {

// Every method returns false if the text does not match; position() is then the position of the
// error.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  std::size_t position() const { return at_; }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  // Consumes this punctuation mark.
  bool expect(char mark) {
    if (!peek(mark)) return false;
    ++at_;
    return true;
  }
  bool peek(char mark) {
    skip_space();
    return at_ < text_.size() && text_[at_] == mark;
  }

  // Consumes a string; returns the raw text between the quotes, with valid escapes left in place.
  bool string(std::string_view& raw) {
    if (!expect('"')) return false;
    const std::size_t start = at_;
    for (; at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        raw = text_.substr(start, at_ - start);
        ++at_;
        return true;
      }
      if (c < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  // Consumes a whole number from 0 to 2⁵³, without sign, fraction, exponent or leading zeros.
  bool natural(std::uint64_t& value) {
    skip_space();
    const std::size_t start = at_;
    value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (std::uint64_t{1} << 53)) return false;
    }
    const std::size_t digits = at_ - start;
    return digits > 0 && (digits == 1 || text_[start] != '0');
  }

 private:
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  // Expects at_ on the backslash; moves it to the last character of the escape.
  bool escape() {
    if (++at_ >= text_.size()) return false;
    if (std::string_view("\"\\/bfnrt").find(text_[at_]) != std::string_view::npos) return true;
    if (text_[at_] != 'u' || text_.size() - at_ <= 4) return false;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[++at_];
      const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!hex) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace wf
