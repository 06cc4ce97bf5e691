#include "status.h"

#include <atomic>

#include "format.h"

namespace wf {

Status Status::error(Code code, const char* format, ...) {
  static Error ring[kMessagesKept];
  static std::atomic<unsigned> made{0};
  Error& error = ring[made++ % kMessagesKept];
  error.code = code;
  va_list arguments;
  va_start(arguments, format);
  format_text_list(error.message, sizeof(error.message), format, arguments);
  va_end(arguments);
  Status status;
  status.error_ = &error;
  return status;
}

}  // namespace wf
