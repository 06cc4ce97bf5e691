// The error type. Nothing under src/ throws or aborts: functions that can fail return a Status or a
// Result, and a message about a value is made by WF_UNEXPECTED.
#pragma once

#include <cstdarg>
#include <optional>
#include <utility>

#include "words.h"

namespace wf {

// With the words that users see.
#define WF_CODES(X)                       \
  X(kOk, "ok")                            \
  X(kInvalidArgument, "invalid_argument") \
  X(kUnknownOption, "unknown_option")     \
  X(kUnknownScheme, "unknown_scheme")     \
  X(kUnsupported, "unsupported")          \
  X(kDtypeOverflow, "dtype_overflow")     \
  X(kOutOfMemory, "out_of_memory")        \
  X(kMalformedFile, "malformed_file")     \
  X(kInternal, "internal")
WF_ENUM_WITH_WORDS(Code, WF_CODES)
#undef WF_CODES

// One pointer in size, since almost every function returns one. Messages are stored in a ring that
// all threads share: each is valid until kMessagesKept more errors have been created.
constexpr unsigned kMessagesKept = 64;

class [[nodiscard]] Status {
 public:
  Status() = default;

  // printf-style; a message too long for the ring is truncated.
  [[gnu::cold, gnu::format(printf, 2, 3)]] static Status error(Code code, const char* format, ...);

  bool ok() const { return !error_; }
  Code code() const { return error_ ? error_->code : Code::kOk; }
  const char* message() const { return error_ ? error_->message : ""; }

 private:
  struct Error {
    Code code;
    char message[296];
  };
  const Error* error_ = nullptr;
};

// A value, or the Status of a failure.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(status) {}

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  T&& take() { return std::move(*value_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace wf

// The only form of a message about a value: "numKvHeads: 3 (expected a divisor of numHeads, 8)".
// Name, value and expected values are literals with conversions, whose arguments follow in order.
// Names are those of the package's API, or of the file.
#define WF_UNEXPECTED_AS(code, name, value, expected, ...) \
  ::wf::Status::error(code, name ": " value " (expected " expected ")" __VA_OPT__(, ) __VA_ARGS__)
#define WF_UNEXPECTED(...) WF_UNEXPECTED_AS(::wf::Code::kInvalidArgument, __VA_ARGS__)

// Returns from the function with the Status of a failed expression.
#define WF_RETURN_IF_ERROR(expression)       \
  do {                                       \
    ::wf::Status wf_status_ = (expression);  \
    if (!wf_status_.ok()) return wf_status_; \
  } while (false)

#define WF_JOIN_INNER(a, b) a##b
#define WF_JOIN(a, b) WF_JOIN_INNER(a, b)

// Moves the value of a Result to `target`, or returns its Status from the function.
#define WF_ASSIGN_OR_RETURN(target, expression)                                           \
  auto WF_JOIN(wf_result_, __LINE__) = (expression);                                      \
  if (!WF_JOIN(wf_result_, __LINE__).ok()) return WF_JOIN(wf_result_, __LINE__).status(); \
  target = WF_JOIN(wf_result_, __LINE__).take()
