// "a, b, c" for error messages.
#pragma once

#include <cstring>

#include "format.h"

namespace wf {

// Truncated if it does not fit.
class NameList {
 public:
  void add(const char* name, std::size_t length) {
    used_ += format_text(text_ + used_, sizeof(text_) - used_, "%s%.*s", used_ ? ", " : "",
                         static_cast<int>(length), name);
  }
  void add(const char* name) { add(name, std::strlen(name)); }
  const char* text() const { return text_; }

 private:
  char text_[220] = "";
  std::size_t used_ = 0;
};

}  // namespace wf
