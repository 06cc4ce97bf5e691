// Formats text for messages, names and small files like printf. The C library's printf would be an
// eighth of the engine's size: it brings exact decimals of every width and a file system.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace wf {

// Writes to text[size], truncated to fit, with a terminating zero. Returns the length written.
// Supports these conversions of printf: %s %.Ns %.*s, %d %lld, %zu %llu, %g (six digits), %.0f (six
// digits from 2⁶⁴ on) and %%.
[[gnu::format(printf, 3, 4)]] std::size_t format_text(char* text, std::size_t size,
                                                      const char* format, ...);
std::size_t format_text_list(char* text, std::size_t size, const char* format, va_list arguments);

}  // namespace wf
