// A text that grows by one token with each call.
#pragma once

#include "calls/model.h"
#include "model/decoder.h"
#include "model/sampling.h"

namespace wf::calls {

struct GenerationSettings {
  int max_tokens;  // maximum tokens after the prompt
  double temperature;  // 0: always the most probable token
  int top_k;           // 0: all
  double top_p;        // above 0, up to 1
  double seed;
  bool is_exact = false;  // do not round activations in products with quantised weights
};

struct NextToken {
  Code code = Code::kOk;
  int id = 0;
};

class Generation {
 public:
  // `prompt`: ids, at least one. Keeps the model and the memory (null: none) alive. Errors:
  // kInvalidArgument, kUnsupported for a model that does not decode, kOutOfMemory.
  static Result<std::unique_ptr<Generation>> make(const Workspace& workspace, const Model& model,
                                                  List prompt, const GenerationSettings& settings,
                                                  const Memory* memory = nullptr);

  // Errors: kInvalidArgument if the text is full.
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
