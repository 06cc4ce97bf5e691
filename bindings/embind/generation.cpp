#include "model/decoder.h"
#include "model/sampling.h"

#include "model.h"

namespace wf::binding {
namespace {

struct GenerationArguments {
  val prompt = val::undefined();  // Int32Array, at least one id
  int max_tokens = 0;
  float temperature = 1;
  int top_k = 0;
  float top_p = 1;
  double seed = 0;
};

// A text that grows by one token a call.
class GenerationHandle {
 public:
  GenerationHandle(std::shared_ptr<const Transformer> model, Decoder decoder, Sampler sampler,
                   Buffer<std::int32_t> prompt, Buffer<float> logits)
      : model_(std::move(model)),
        decoder_(std::move(decoder)),
        sampler_(std::move(sampler)),
        prompt_(std::move(prompt)),
        logits_(std::move(logits)) {}

  static Result<std::unique_ptr<GenerationHandle>> make(const ModelHandle& model,
                                                        GenerationArguments arguments);

  // The next token's id.
  Result<val> next() {
    const bool begun = decoder_.length() > 0;
    WF_RETURN_IF_ERROR(decoder_.feed(begun ? std::span<const std::int32_t>(&last_, 1)
                                           : std::span<const std::int32_t>(prompt_),
                                     logits_.data()));
    last_ = sampler_.pick(logits_.data());
    return val(last_);
  }

 private:
  std::shared_ptr<const Transformer> model_;
  Decoder decoder_;
  Sampler sampler_;
  Buffer<std::int32_t> prompt_;
  Buffer<float> logits_;
  std::int32_t last_ = 0;
};

Result<std::unique_ptr<GenerationHandle>> GenerationHandle::make(const ModelHandle& handle,
                                                                 GenerationArguments arguments) {
  const std::shared_ptr<const Transformer> model = handle.model();
  const ModelConfig& config = model->config();
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> prompt, integers_from(arguments.prompt));
  const Result<std::size_t> cached =
      count_of({1.0 * config.key_width(), 1.0 * prompt.size() + arguments.max_tokens});
  if (!cached.ok()) return cached.status();
  const int capacity = static_cast<int>(prompt.size()) + arguments.max_tokens;
  WF_ASSIGN_OR_RETURN(Decoder decoder, Decoder::make(*model, capacity));
  const SamplingOptions options = {.temperature = arguments.temperature,
                                   .top_k = arguments.top_k,
                                   .top_p = arguments.top_p,
                                   .seed = static_cast<std::uint64_t>(arguments.seed)};
  WF_ASSIGN_OR_RETURN(Sampler sampler, Sampler::make(options, config.vocab_size));
  WF_ASSIGN_OR_RETURN(Buffer<float> logits, Buffer<float>::make(config.vocab_size));
  return new_handle<GenerationHandle>(model, std::move(decoder), std::move(sampler),
                                      std::move(prompt), std::move(logits));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(generation) {
  using namespace wf::binding;
  using emscripten::return_value_policy::take_ownership;
  emscripten::value_object<GenerationArguments>("GenerationArguments")
      .field("prompt", &GenerationArguments::prompt)
      .field("maxTokens", &GenerationArguments::max_tokens)
      .field("temperature", &GenerationArguments::temperature)
      .field("topK", &GenerationArguments::top_k)
      .field("topP", &GenerationArguments::top_p)
      .field("seed", &GenerationArguments::seed);
  emscripten::class_<GenerationHandle>("Generation")
      .class_function("make", guarded<&GenerationHandle::make>, take_ownership())
      .function("next", guarded<&GenerationHandle::next>);
}
