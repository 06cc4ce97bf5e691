// A text that grows by one token a call.
#pragma once

#include "calls/model.h"
#include "model/decoder.h"
#include "model/sampling.h"

namespace wf::calls {

struct GenerationSettings {
  int max_tokens;      // that may follow the prompt
  double temperature;  // 0: always the most probable token
  int top_k;           // 0: all
  double top_p;        // above 0, up to 1
  double seed;
  bool is_exact = false;  // of quantised weights: activations are not rounded
};

struct NextToken {
  Code code = Code::kOk;
  int id = 0;
};

class Generation {
 public:
  // `prompt`: ids, at least one. Model and memory (null: none) are kept alive. Errors:
  // kInvalidArgument, kUnsupported for a model that does not decode, kOutOfMemory.
  static Result<std::unique_ptr<Generation>> make(const Workspace& workspace, const Model& model,
                                                  List prompt, const GenerationSettings& settings,
                                                  const Memory* memory = nullptr);

  // Errors: kInvalidArgument when the text is full.
  Result<NextToken> next();

 private:
  std::shared_ptr<Transformer> transformer_;
  std::shared_ptr<const CrossMemory> memory_;
  Decoder decoder_;
  Sampler sampler_;
  Buffer<std::int32_t> prompt_;
  Buffer<float> logits_;
  std::int32_t last_ = 0;
};

}  // namespace wf::calls
