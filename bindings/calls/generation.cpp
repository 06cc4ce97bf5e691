#include "calls/generation.h"

#include <algorithm>

namespace wf::calls {
namespace {

// Floats of one token in the larger part of a layer's cache, for the layer where it is largest: a
// latent layer has one head, which is wider than the model's.
double widest_cached(const ModelConfig& config) {
  double widest = 1;
  for (int layer = 0; layer < config.num_layers; ++layer) {
    const AttentionConfig cached = config.decoding_attention(layer);
    const int channels = std::max(cached.head_dim, cached.value_channels());
    widest = std::max(widest, 1.0 * cached.num_kv_heads * channels);
  }
  return widest;
}

}  // namespace

Result<std::unique_ptr<Generation>> Generation::make(const Workspace& workspace, const Model& model,
                                                     List prompt,
                                                     const GenerationSettings& settings,
                                                     const Memory* memory) {
  Reader reader(workspace);
  const auto ids = reader.array<const std::int32_t>("prompt", prompt, {1.0 * prompt.length});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(check_range("maxTokens", settings.max_tokens, 1, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("temperature", settings.temperature, 0, 100));
  WF_RETURN_IF_ERROR(check_range("topP", settings.top_p, 0, 1));
  SamplingOptions options;
  options.temperature = static_cast<float>(settings.temperature);
  options.top_k = settings.top_k;
  options.top_p = static_cast<float>(settings.top_p);
  WF_ASSIGN_OR_RETURN(options.seed, seed_of(settings.seed));

  const ModelConfig& config = model.transformer()->config();
  const Result<std::size_t> cached =
      count_of({widest_cached(config), 1.0 * prompt.length + settings.max_tokens});
  if (!cached.ok()) return cached.status();
  auto generation = std::make_unique<Generation>();
  WF_RETURN_IF_ERROR(generation->prompt_.reserve(prompt.length));
  std::copy_n(ids, prompt.length, generation->prompt_.begin());
  generation->transformer_ = model.transformer();
  if (memory) generation->memory_ = memory->shared();
  WF_ASSIGN_OR_RETURN(generation->decoder_,
                      Decoder::make(*generation->transformer_, prompt.length + settings.max_tokens,
                                    settings.is_exact ? Arithmetic::kExact : Arithmetic::kQuick,
                                    generation->memory_.get()));
  WF_ASSIGN_OR_RETURN(generation->sampler_, Sampler::make(options, config.vocab_size));
  WF_RETURN_IF_ERROR(generation->logits_.reserve(config.vocab_size));
  return generation;
}

Result<NextToken> Generation::next() {
  const std::span<const std::int32_t> ids = decoder_.length() > 0
                                                ? std::span<const std::int32_t>(&last_, 1)
                                                : std::span<const std::int32_t>(prompt_);
  WF_RETURN_IF_ERROR(decoder_.feed(ids, logits_.data()));
  last_ = sampler_.pick(logits_.data());
  return NextToken{.id = last_};
}

}  // namespace wf::calls
