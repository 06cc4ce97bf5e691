// Text for messages, names and small files, as printf writes it. The C library's printf would be an
// eighth of what the engine weighs: it brings exact decimals of every width and a file system.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace wf {

// Writes text[size], cut where it does not fit, and a zero behind it. Returns the length written.
// Of printf's conversions: %s %.Ns %.*s, %d %lld, %zu %llu, %g (six digits), %.0f (six digits from
// 2⁶⁴ on) and %%.
[[gnu::format(printf, 3, 4)]] std::size_t format_text(char* text, std::size_t size,
                                                      const char* format, ...);
std::size_t format_text_list(char* text, std::size_t size, const char* format, va_list arguments);

}  // namespace wf
