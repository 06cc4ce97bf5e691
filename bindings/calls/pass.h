// A run over one text in steps, which measures heads.
#pragma once

#include <memory>

#include "calls/model.h"
#include "model/forward_pass.h"

namespace wf::calls {

// The result of a step: the layers that are done.
struct PassStep {
  Code code = Code::kOk;
  int layers = 0;
};

class Pass {
 public:
  // Measures the heads of `request` in these layers (int32; empty means all). Keeps the weights of
  // the model alive, and frees the results of its last run, so that activations of both are never
  // in memory together. Errors: kInvalidArgument, kUnsupported for a model with cross-attention,
  // kOutOfMemory.
  static Result<std::unique_ptr<Pass>> make(const Workspace& workspace, Model& model,
                                            const Sequence& text, List layers,
                                            const RecordRequest& request);

  // Does work of about 50 ms at most, for all but the largest models. Errors: kInvalidArgument,
  // kOutOfMemory; the pass then goes no further.
  Result<PassStep> step();
  int record_count() const { return recorders_.count(); }
  // Takes the measures of a layer after the last step; null if there are none or they were taken.
  std::unique_ptr<Record> take_record(int slot);

 private:
  std::shared_ptr<Transformer> transformer_;
  TransformerActivations activations_;
  Buffer<std::int32_t> positions_;
  Buffer<std::uint8_t> visible_;
  Recorders recorders_;
  std::unique_ptr<ForwardPass> forward_;
};

}  // namespace wf::calls
