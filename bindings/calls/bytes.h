// The bytes of a file written by a call, kept until they are read.
#pragma once

#include "calls/workspace.h"

namespace wf::calls {

class Bytes {
 public:
  explicit Bytes(Buffer<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  List list() const {
    return {reinterpret_cast<std::uintptr_t>(bytes_.data()), static_cast<int>(bytes_.size())};
  }

 private:
  Buffer<std::uint8_t> bytes_;
};

}  // namespace wf::calls
