// The recorders of the layers of a model.
#pragma once

#include <memory>

#include "calls/memory.h"
#include "calls/record.h"
#include "model/transformer.h"

namespace wf::calls {

// The other inputs of a run, or null; and what to record of cross-attention.
struct Beside {
  const Memory* memory = nullptr;
  RecordRequest record;
};

class Recorders {
 public:
  // For a text of `length` tokens. `layers`: those to record; empty means all. Errors:
  // kInvalidArgument, kUnsupported, kOutOfMemory; likewise below.
  Status make(const Workspace& workspace, const Transformer& transformer,
              const RecordRequest& record, const Beside& beside,
              std::span<const std::int32_t> layers, int length);
  // Also measures heads over these tokens.
  Status measure(std::span<const std::int32_t> ids);
  void clear() {
    count_ = 0;
    list_.reset();
  }

  int count() const { return count_; }
  // Of each layer, or null; then those of cross-attention.
  std::span<Recorder* const> of_layers() const { return {of_layer_.data(), of_layer_.size()}; }
  // Takes a record; null if there is none or it was taken already.
  std::unique_ptr<Record> take(int slot);

 private:
  std::unique_ptr<Recorder[]> list_;
  int count_ = 0;
  Buffer<Recorder*> of_layer_;
};

}  // namespace wf::calls
