// Decoders that attend to a second sequence: decoding equals one full pass, and refusals.
// tests/package/families.test.mjs compares the numbers with Transformers.
#include "model/cross_attention.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/model/tiny_model.h"
#include "model/decoder.h"
#include "tensor/random.h"

namespace wf {
namespace {

constexpr int kVocabulary = 19, kText = 13;

ModelConfig decoder_config(NormPlace place) {
  ModelConfig config = testing::tiny_config("t5");
  config.width = 13;
  config.num_heads = 3;
  config.num_kv_heads = 1;
  config.head_dim = 6;
  config.intermediate = 11;
  Architecture& a = config.architecture;
  a.norm = NormKind::kLayer;
  a.norm_place = place;
  a.norm_bias = a.query_bias = a.output_bias = a.cross_attention = true;
  return config;
}

std::vector<float> states_of(int rows, int width, std::uint64_t seed = 5) {
  std::vector<float> states(static_cast<std::size_t>(rows) * width);
  Random random(seed);
  for (float& x : states) x = random.normal();
  return states;
}

CrossMemory memory_of(const Transformer& model, const std::vector<float>& states) {
  const int width = model.config().width;
  auto made = CrossMemory::make(
      model, {states.data(), static_cast<int>(states.size()) / width, width, width});
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

TokenBatch text_of(const std::vector<std::int32_t>& ids, const CrossMemory* memory) {
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  batch.memory = memory;
  return batch;
}

std::vector<float> logits_of(const Transformer& model, const std::vector<std::int32_t>& ids,
                             const CrossMemory& memory) {
  auto activations = TransformerActivations::make(model.config(), 1, static_cast<int>(ids.size()),
                                                  Purpose::kInference);
  REQUIRE(activations.ok());
  std::vector<float> logits(ids.size() * kVocabulary);
  const Status status =
      model.forward_logits(text_of(ids, &memory), activations.value(), logits.data());
  REQUIRE_MESSAGE(status.ok(), status.message());
  return logits;
}

Code code_of(const Transformer& model, const TokenBatch& batch) {
  auto activations =
      TransformerActivations::make(model.config(), batch.batch, batch.length, Purpose::kInference);
  REQUIRE(activations.ok());
  return model.forward(batch, activations.value()).code();
}

}  // namespace

TEST_CASE("A decoder that reads another sequence writes step by step what one pass gives") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, kText, kVocabulary);
  for (const NormPlace place : {NormPlace::kBefore, NormPlace::kAfter}) {
    const Transformer model = testing::rough_model(decoder_config(place));
    const CrossMemory memory = memory_of(model, states_of(7, 13));
    const std::vector<float> whole = logits_of(model, ids, memory);
    for (const int chunk : {1, 5, kText}) {
      auto decoder = Decoder::make(model, kText, Arithmetic::kExact, &memory);
      REQUIRE(decoder.ok());
      std::vector<float> logits(kVocabulary);
      for (int done = 0; done < kText; done += chunk) {
        const int count = std::min(chunk, kText - done);
        REQUIRE(decoder.value()
                    .feed({ids.data() + done, static_cast<std::size_t>(count)}, logits.data())
                    .ok());
        const float* expected = whole.data() + (done + count - 1) * kVocabulary;
        for (int i = 0; i < kVocabulary; ++i)
          CHECK(logits[i] == doctest::Approx(expected[i]).epsilon(1e-4));
      }
    }
    const std::vector<float> other = logits_of(model, ids, memory_of(model, states_of(7, 13, 6)));
    CHECK(!std::equal(whole.begin(), whole.end(), other.begin()));
  }
}

TEST_CASE("The order of what is read does not matter, since its positions say nothing") {
  const Transformer model = testing::rough_model(decoder_config(NormPlace::kBefore));
  const std::vector<std::int32_t> ids = testing::random_ids(2, kText, kVocabulary);
  std::vector<float> states = states_of(4, 13);
  const std::vector<float> before = logits_of(model, ids, memory_of(model, states));
  std::rotate(states.begin(), states.begin() + 13, states.end());
  const std::vector<float> after = logits_of(model, ids, memory_of(model, states));
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK(after[i] == doctest::Approx(before[i]).epsilon(1e-4));
}

TEST_CASE("A memory is refused where it does not belong, and missed where it does") {
  const ModelConfig config = decoder_config(NormPlace::kBefore);
  const Transformer model = testing::rough_model(config);
  const Transformer plain = testing::tiny_model("t5");
  const std::vector<float> states = states_of(3, 13);
  CHECK(CrossMemory::make(plain, {states.data(), 3, 13, 13}).status().code() == Code::kUnsupported);
  CHECK(CrossMemory::make(model, {states.data(), 0, 13, 13}).status().code() ==
        Code::kInvalidArgument);
  CHECK(CrossMemory::make(model, {states.data(), 3, 12, 12}).status().code() ==
        Code::kInvalidArgument);
  const CrossMemory memory = memory_of(model, states);
  const std::vector<std::int32_t> ids = testing::random_ids(2, 4, kVocabulary);
  CHECK(code_of(model, text_of(ids, &memory)) == Code::kOk);
  CHECK(code_of(model, text_of(ids, nullptr)) == Code::kUnsupported);
  CHECK(code_of(plain, text_of(ids, &memory)) == Code::kUnsupported);
  CHECK(Decoder::make(model, 4).status().code() == Code::kUnsupported);
  CHECK(Decoder::make(plain, 4, Arithmetic::kExact, &memory).status().code() == Code::kUnsupported);
  TokenBatch two = text_of(ids, &memory);
  two.batch = 2;
  two.length = 2;
  CHECK(code_of(model, two) == Code::kInvalidArgument);
  ModelConfig deeper = config;
  deeper.num_layers = 3;
  CHECK(code_of(testing::rough_model(deeper), text_of(ids, &memory)) == Code::kUnsupported);
  CHECK(model.make_gradients().status().code() == Code::kUnsupported);
}

TEST_CASE("Cross-attention has one norm, before it or after the sum") {
  for (const NormPlace place : {NormPlace::kOutput, NormPlace::kAround})
    CHECK(testing::refusal_of(decoder_config(place)).starts_with("architecture: cross-attention"));
  ModelConfig parallel = decoder_config(NormPlace::kBefore);
  parallel.architecture.residual = Residual::kParallel;
  CHECK(testing::refusal_of(parallel).starts_with("architecture: cross-attention"));
}

}  // namespace wf
