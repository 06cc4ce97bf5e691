#include "status.h"

#include "format.h"

namespace wf {

const char* code_name(Code code) {
  switch (code) {
    case Code::kOk: return "ok";
    case Code::kInvalidArgument: return "invalid_argument";
    case Code::kUnknownOption: return "unknown_option";
    case Code::kUnknownScheme: return "unknown_scheme";
    case Code::kUnsupported: return "unsupported";
    case Code::kOutOfMemory: return "out_of_memory";
    case Code::kMalformedFile: return "malformed_file";
    case Code::kInternal: return "internal";
  }
  return "internal";
}

Status Status::error(Code code, const char* format, ...) {
  Status status;
  status.code_ = code;
  va_list arguments;
  va_start(arguments, format);
  format_text_list(status.message_, sizeof(status.message_), format, arguments);
  va_end(arguments);
  return status;
}

}  // namespace wf
