#include "model/decoder.h"
#include "model/sampling.h"

#include "model.h"

namespace wf::binding {
namespace {

// A text that grows by one token a call.
class GenerationHandle : public Object {
 public:
  Kept<ModelHandle> model;
  Decoder decoder;
  Sampler sampler;
  Buffer<std::int32_t> prompt;
  Buffer<float> logits;
  std::int32_t last = 0;
};

// The model; ids, at least one; how many tokens may follow; temperature, topK, topP, seed.
Status make(GenerationHandle& handle, Arguments& arguments) {
  ModelHandle& model = arguments.object<ModelHandle>();
  const ModelConfig& config = model.model.config();
  const std::span<const std::int32_t> prompt = arguments.integers();
  const int most = arguments.integer();
  SamplingOptions options;
  options.temperature = static_cast<float>(arguments.number());
  options.top_k = arguments.integer();
  options.top_p = static_cast<float>(arguments.number());
  options.seed = arguments.seed();

  const Result<std::size_t> cached =
      count_of({1.0 * config.key_width(), 1.0 * prompt.size() + most});
  if (!cached.ok()) return cached.status();
  WF_RETURN_IF_ERROR(handle.prompt.reserve(prompt.size()));
  std::copy(prompt.begin(), prompt.end(), handle.prompt.begin());
  handle.model = Kept<ModelHandle>(model);
  WF_ASSIGN_OR_RETURN(handle.decoder,
                      Decoder::make(model.model, static_cast<int>(prompt.size()) + most));
  WF_ASSIGN_OR_RETURN(handle.sampler, Sampler::make(options, config.vocab_size));
  return handle.logits.reserve(config.vocab_size);
}

// The next token's id.
Status next(GenerationHandle& handle, Arguments&, Answer& answer) {
  const bool begun = handle.decoder.length() > 0;
  WF_RETURN_IF_ERROR(handle.decoder.feed(begun ? std::span<const std::int32_t>(&handle.last, 1)
                                               : std::span<const std::int32_t>(handle.prompt),
                                         handle.logits.data()));
  handle.last = handle.sampler.pick(handle.logits.data());
  answer.add(handle.last);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(generation) {
  using namespace wf::binding;
  bind<&make>("makeGeneration");
  bind<&next>("next");
}
