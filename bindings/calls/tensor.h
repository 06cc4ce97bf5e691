// Numbers kept in the engine, so that calls neither copy nor check them again.
#pragma once

#include <memory>

#include "calls/reader.h"

namespace wf::calls {

class Tensor {
 public:
  // Copies numbers, which must be finite or -infinity. The tensor must not outlive the workspace.
  // Errors: kInvalidArgument for NaN and infinity; kOutOfMemory.
  static Result<std::unique_ptr<Tensor>> make(Workspace& workspace, List numbers);
  explicit Tensor(Workspace& workspace) : workspace_(workspace) {}
  Tensor(const Tensor&) = delete;
  ~Tensor() { workspace_.remove_tensor(numbers_.data()); }

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(numbers_.data()); }
  int length() const { return static_cast<int>(numbers_.size()); }
  // Whether it contains -infinity, as a mask may.
  bool hides() const { return hides_; }

 private:
  Workspace& workspace_;
  Buffer<float> numbers_;
  bool hides_ = false;
};

}  // namespace wf::calls
