#include "status.h"

#include <atomic>

#include "format.h"

namespace wf {

const char* code_name(Code code) {
  switch (code) {
    case Code::kOk:
      return "ok";
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kUnknownOption:
      return "unknown_option";
    case Code::kUnknownScheme:
      return "unknown_scheme";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kDtypeOverflow:
      return "dtype_overflow";
    case Code::kOutOfMemory:
      return "out_of_memory";
    case Code::kMalformedFile:
      return "malformed_file";
    case Code::kInternal:
      return "internal";
  }
  return "internal";
}

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
