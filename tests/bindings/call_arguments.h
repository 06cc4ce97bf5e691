// Arrays in the block of a workspace, and every invalid way to pass one.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "calls/scheme_choice.h"
#include "calls/workspace.h"

namespace wf::testing {

// Whether a call accepts a single length, or any that fits in the block.
enum class Lengths { kFixed, kAny };

// Arrays in separate parts of the block. In native builds the sanitizer forbids access to the
// memory between them.
class CallArguments {
 public:
  explicit CallArguments(double bytes = 1 << 20);

  template <class T>
  calls::List put(const std::vector<T>& list) {
    return put(list.data(), list.size(), sizeof(T));
  }
  calls::List floats(const std::vector<float>& list) { return put(list); }
  calls::List integers(const std::vector<std::int32_t>& list) { return put(list); }
  calls::List doubles(const std::vector<double>& list) { return put(list); }
  calls::List bytes(const std::vector<std::uint8_t>& list) { return put(list); }
  // Returns `count` floats between -1 and 1, equal in every run.
  calls::List some_floats(int count);
  // Returns 0, 1, 2, …
  calls::List places(int count);
  // Returns an array for a result, filled with a value that no call writes.
  calls::List room(int count);

  // Returns every invalid variant of the valid array `right`: another length, or an address outside
  // the block, on its edge or between two elements.
  std::vector<calls::List> wrong(calls::List right, std::size_t element_size,
                                 Lengths lengths = Lengths::kFixed) const;

  calls::Workspace workspace;

 private:
  calls::List put(const void* data, std::size_t count, std::size_t element_size);

  std::uintptr_t next_;
};

template <class T = float>
T* elements(calls::List list) {
  return reinterpret_cast<T*>(list.address);
}

// Returns "code: message".
std::string said(const Status& status);
template <class T>
std::string said(const Result<T>& result) {
  return said(result.status());
}

// Returns whether an error reads `code: message`. If the message ends with "…", only its beginning
// is compared.
bool is_refused(const Status& status, const std::string& expected);
template <class T>
bool is_refused(const Result<T>& result, const std::string& expected) {
  return is_refused(result.status(), expected);
}

// Calls with every invalid variant of a list; each must be refused as an invalid argument.
template <class Call>
void refuses_wrong_lists(const CallArguments& arguments, calls::List right, Call call,
                         std::size_t element_size = sizeof(float),
                         Lengths lengths = Lengths::kFixed) {
  for (const calls::List list : arguments.wrong(right, element_size, lengths)) {
    const Status status = call(list);
    CHECK_MESSAGE(status.code() == Code::kInvalidArgument,
                  "address " << list.address << ", length " << list.length << ": " << said(status));
  }
}

// Wrong numbers that JavaScript can pass.
inline const std::vector<double> kWrongNumbers = {-1,
                                                  -1e300,
                                                  1e300,
                                                  std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity(),
                                                  std::numeric_limits<double>::quiet_NaN()};
inline const std::vector<int> kWrongSizes = {0,       -1,      INT32_MIN, INT32_MIN + 1,
                                             1 << 16, 1 << 30, INT32_MAX, INT32_MAX - 1};

// Refuses allocations beyond this many bytes for as long as it exists.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) { set_memory_limit(allocated_bytes() + bytes); }
  MemoryLimit(const MemoryLimit&) = delete;
  ~MemoryLimit() { set_memory_limit(static_cast<std::size_t>(-1)); }
};

// Returns the scheme with this id and these options.
struct OptionNumbers {
  const char* key;
  std::vector<double> numbers;
};
std::unique_ptr<calls::ChosenScheme> chosen_scheme(const char* id,
                                                   const std::vector<OptionNumbers>& options = {});
int scheme_index(const char* id);
int option_index(const char* id, const char* key);

}  // namespace wf::testing
