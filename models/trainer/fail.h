// Handles errors of the trainer: prints the message and stops.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "status.h"

namespace trainer {

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "trainer: %s\n", why.c_str());
  std::exit(1);
}

inline void require(const wf::Status& status) {
  if (!status.ok()) fail(status.message());
}

template <class T>
T require(wf::Result<T> result) {
  require(result.status());
  return result.take();
}

}  // namespace trainer
