// The keys and values that a decoder reads of an encoder's states.
#pragma once

#include <memory>

#include "calls/reader.h"
#include "model/cross_attention.h"
#include "model/transformer.h"

namespace wf::calls {

class Memory {
 public:
  explicit Memory(CrossMemory memory)
      : memory_(std::make_shared<const CrossMemory>(std::move(memory))) {}

  // Projects the states of S tokens (floats [S,E]). `visible`: bytes [S], 0 for hidden states, or
  // empty. Errors: kUnsupported for a model without cross-attention, kInvalidArgument,
  // kOutOfMemory.
  static Result<std::unique_ptr<Memory>> make(const Workspace& workspace, const Transformer& model,
                                              List states, int rows, List visible = {});

  // Shared with generations, which keep it alive.
  const std::shared_ptr<const CrossMemory>& shared() const { return memory_; }

 private:
  std::shared_ptr<const CrossMemory> memory_;
};

}  // namespace wf::calls
