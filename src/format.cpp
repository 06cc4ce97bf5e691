#include "format.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace wf {
namespace {

constexpr int kDigits = 6;  // of %g

class Writer {
 public:
  Writer(char* text, std::size_t size)
      : text_(text), capacity_(size ? size - 1 : 0), has_end_(size > 0) {}

  std::size_t finish() {
    if (has_end_) text_[used_] = '\0';
    return used_;
  }

  void add(char c) {
    if (used_ < capacity_) text_[used_++] = c;
  }
  void add(const char* text, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(text[i]);
  }
  void add(std::uint64_t number) {
    char digits[20];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + number % 10);
    while (number /= 10);
    while (count) add(digits[--count]);
  }
  void add(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    if (number < 0) add('-');
    add(number < 0 ? 0 - bits : bits);
  }

  // %g: six digits without trailing zeros; with an exponent below 1e-4 and from 1e6 on.
  void add_short(double number) {
    if (!add_sign(number)) return;
    int exponent = 0;
    std::uint64_t digits = 0;
    if (number > 0) {
      exponent = kDigits - 1;
      for (; number >= 1e6; ++exponent) number /= 10;
      for (; number < 1e5; --exponent) number *= 10;
      digits = static_cast<std::uint64_t>(std::rint(number));
      if (digits == 1000000) digits = 100000, ++exponent;
    }
    int count = digits ? kDigits : 1;
    for (; count > 1 && digits % 10 == 0; --count) digits /= 10;
    if (exponent >= -4 && exponent < kDigits) return add_decimal(digits, count, exponent);
    add_decimal(digits, count, 0);
    add('e');
    add(exponent < 0 ? '-' : '+');
    const int size = std::abs(exponent);
    if (size < 10) add('0');
    add(static_cast<std::uint64_t>(size));
  }

  // %.0f
  void add_whole(double number) {
    if (!(std::abs(number) < 0x1p64)) return add_short(number);
    add_sign(number);
    add(static_cast<std::uint64_t>(std::rint(number)));
  }

 private:
  // Writes a minus sign and makes the number positive; writes "nan" or "inf" and returns false.
  bool add_sign(double& number) {
    if (std::signbit(number)) add('-');
    number = std::abs(number);
    if (std::isfinite(number)) return true;
    add(std::isnan(number) ? "nan" : "inf", 3);
    return false;
  }

  // Writes `count` digits; the first is worth 10^exponent.
  void add_decimal(std::uint64_t digits, int count, int exponent) {
    if (exponent < 0) add("0.0000", static_cast<std::size_t>(1 - exponent));
    char text[kDigits];
    for (int i = count; i-- > 0; digits /= 10) text[i] = static_cast<char>('0' + digits % 10);
    for (int i = 0; i < count || i <= exponent; ++i) {
      if (i == exponent + 1 && i > 0) add('.');
      add(i < count ? text[i] : '0');
    }
  }

  char* text_;
  std::size_t capacity_;
  bool has_end_;
  std::size_t used_ = 0;
};

}  // namespace

std::size_t format_text_list(char* text, std::size_t size, const char* format, va_list arguments) {
  Writer writer(text, size);
  for (; *format; ++format) {
    if (*format != '%') {
      writer.add(*format);
      continue;
    }
    ++format;
    int precision = -1;
    if (*format == '.') {
      precision = 0;
      if (*++format == '*') {
        precision = va_arg(arguments, int);
        ++format;
      }
      for (; *format >= '0' && *format <= '9'; ++format) precision = 10 * precision + *format - '0';
    }
    int width = 0;  // number of 'l's; z is as wide as a pointer
    for (; *format == 'l' || *format == 'z'; ++format) width += *format == 'l' ? 1 : 4;
    switch (*format) {
      case 's': {
        const char* word = va_arg(arguments, const char*);
        std::size_t length = 0;  // memory past the precision must not be read
        while (length != static_cast<std::size_t>(precision) && word[length]) ++length;
        writer.add(word, length);
        break;
      }
      case 'd':
        writer.add(width == 2 ? std::int64_t{va_arg(arguments, long long)}
                              : std::int64_t{va_arg(arguments, int)});
        break;
      case 'u':
        writer.add(width == 2   ? std::uint64_t{va_arg(arguments, unsigned long long)}
                   : width == 4 ? std::uint64_t{va_arg(arguments, std::size_t)}
                                : std::uint64_t{va_arg(arguments, unsigned)});
        break;
      case 'g':
        writer.add_short(va_arg(arguments, double));
        break;
      case 'f':
        writer.add_whole(va_arg(arguments, double));
        break;
      default:
        writer.add(*format);
    }
    if (!*format) break;
  }
  return writer.finish();
}

std::size_t format_text(char* text, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::size_t length = format_text_list(text, size, format, arguments);
  va_end(arguments);
  return length;
}

}  // namespace wf
