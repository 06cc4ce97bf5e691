// What the libraries would link for messages that nobody can see: printf with all it stands on.
// Symbols of the program come before those of archives.
#include <cstdarg>
#include <cstdlib>
#include <string>  // declares the first

#include "format.h"

// The C++ library's last word; JavaScript sees a trap.
void std::__libcpp_verbose_abort(const char*, ...) noexcept { std::abort(); }

// Embind's, in the name of a type that it has no name for; clang writes siprintf where no number
// with a fraction is printed. The buffer has 80 characters.
extern "C" int siprintf(char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::size_t length = wf::format_text_list(text, 80, format, arguments);
  va_end(arguments);
  return static_cast<int>(length);
}
