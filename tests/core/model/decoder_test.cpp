#include <doctest/doctest.h>

#include <cmath>

#include "attention/recorder.h"
#include "core/model/tiny_model.h"
#include "model/decoder.h"
#include "model/sampling.h"

namespace wf {
namespace {

constexpr float kTolerance = 2e-5f;  // rounding: sizes of a matrix product change the order of sums

Transformer rough_model(const char* scheme) {
  Transformer model = testing::tiny_model(scheme, 3);
  testing::roughen(model);
  return model;
}

std::vector<float> full_logits(const Transformer& model, const std::vector<std::int32_t>& ids) {
  auto activations = TransformerActivations::make(model.config(), 1, static_cast<int>(ids.size()),
                                                  Purpose::kInference);
  REQUIRE(activations.ok());
  std::vector<float> logits(ids.size() * 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  REQUIRE(model.forward_logits(batch, activations.value(), logits.data()).ok());
  return logits;
}

void check_row(const float* ours, const std::vector<float>& all, int row) {
  for (int v = 0; v < 19; ++v)
    CHECK(std::fabs(ours[v] - all[static_cast<std::size_t>(row * 19 + v)]) < kTolerance);
}

std::vector<std::int32_t> generated(const Transformer& model, const SamplingOptions& options) {
  auto decoder = Decoder::make(model, 40);
  auto sampler = Sampler::make(options, 19);
  REQUIRE(decoder.ok());
  REQUIRE(sampler.ok());
  std::vector<std::int32_t> ids = {4};
  float logits[19];
  for (int i = 0; i < 30; ++i) {
    REQUIRE(decoder.value().feed({&ids.back(), 1}, logits).ok());
    ids.push_back(sampler.value().pick(logits));
  }
  return ids;
}

}  // namespace

TEST_CASE("Decoding in any chunking gives the logits of one full pass") {
  for (const SchemeEntry* entry : scheme_entries()) {
    if (!entry->description->claims.decodes) continue;
    CAPTURE(std::string(entry->description->id));
    const Transformer model = rough_model(entry->description->id);
    const std::vector<std::int32_t> ids = testing::random_ids(11, 90, 19);
    const std::vector<float> expected = full_logits(model, ids);
    for (const int chunk : {1, 7, 64, 65, 90}) {
      CAPTURE(chunk);
      auto decoder = Decoder::make(model, 90);
      REQUIRE(decoder.ok());
      float logits[19];
      for (int begin = 0; begin < 90; begin += chunk) {
        const int count = std::min(chunk, 90 - begin);
        REQUIRE(decoder.value().feed({ids.data() + begin, std::size_t(count)}, logits).ok());
        check_row(logits, expected, begin + count - 1);
      }
      CHECK(decoder.value().length() == 90);
    }
  }
}

TEST_CASE("After truncation decoding goes on as if the rest had never been") {
  const Transformer model = rough_model("rope");
  const std::vector<std::int32_t> ids = testing::random_ids(12, 20, 19);
  const std::vector<std::int32_t> other = testing::random_ids(13, 20, 19);
  const std::vector<float> expected = full_logits(model, ids);
  auto decoder = Decoder::make(model, 20);
  REQUIRE(decoder.ok());
  float logits[19];
  REQUIRE(decoder.value().feed({ids.data(), 8}, nullptr).ok());
  REQUIRE(decoder.value().feed({other.data(), 12}, nullptr).ok());
  REQUIRE(decoder.value().truncate(8).ok());
  REQUIRE(decoder.value().feed({ids.data() + 8, 12}, logits).ok());
  check_row(logits, expected, 19);
}

TEST_CASE("With more memory, and in a copy, decoding goes on from the same text") {
  for (const SchemeEntry* entry : scheme_entries()) {
    if (!entry->description->claims.decodes) continue;
    CAPTURE(std::string(entry->description->id));
    const Transformer model = rough_model(entry->description->id);
    const std::vector<std::int32_t> ids = testing::random_ids(15, 20, 19);
    const std::vector<float> expected = full_logits(model, ids);
    auto decoder = Decoder::make(model, 8);
    REQUIRE(decoder.ok());
    float logits[19];
    REQUIRE(decoder.value().feed({ids.data(), 8}, nullptr).ok());
    auto copy = decoder.value().clone();
    REQUIRE(copy.ok());
    for (Decoder* each : {&decoder.value(), &copy.value()}) {
      REQUIRE(each->reserve(20).ok());
      CHECK(each->capacity() == 20);
      REQUIRE(each->reserve(5).ok());
      CHECK(each->length() == 8);
      REQUIRE(each->feed({ids.data() + 8, 12}, logits).ok());
      check_row(logits, expected, 19);
    }
  }
}

TEST_CASE("Decoding refuses what does not fit and stays as it was") {
  const Transformer model = rough_model("alibi");
  const std::vector<std::int32_t> ids = testing::random_ids(14, 10, 19);
  const std::vector<float> expected = full_logits(model, ids);
  auto decoder = Decoder::make(model, 10);
  REQUIRE(decoder.ok());
  float logits[19];
  REQUIRE(decoder.value().feed({ids.data(), 6}, logits).ok());
  CHECK(std::string(decoder.value().feed({ids.data(), 5}, logits).message()) ==
        "ids: 5 more tokens after 6 (expected at most 10 in total, the capacity)");
  const std::int32_t unknown[] = {3, 19};
  CHECK(std::string(decoder.value().feed(unknown, logits).message()) ==
        "ids[1]: 19 (expected 0 to 18)");
  CHECK(!decoder.value().feed({}, logits).ok());
  CHECK(!decoder.value().truncate(7).ok());
  CHECK(decoder.value().length() == 6);
  REQUIRE(decoder.value().feed({ids.data() + 6, 4}, logits).ok());
  check_row(logits, expected, 9);
}

TEST_CASE("Decoding past a scheme's table is refused and stays as it was") {
  ModelConfig config = testing::tiny_config("learned");
  SchemeChoice& learned = config.layer_types[0].schemes[0];
  REQUIRE(set_option(*learned.entry->description, learned.options, "maxPositions", 8).ok());
  auto model = Transformer::make(config, 1);
  REQUIRE(model.ok());
  auto decoder = Decoder::make(model.value(), 20);
  REQUIRE(decoder.ok());
  const std::vector<std::int32_t> ids = testing::random_ids(14, 9, 19);
  REQUIRE(decoder.value().feed({ids.data(), 7}, nullptr).ok());
  float logits[19];
  CHECK(decoder.value().feed({ids.data() + 7, 2}, logits).code() == Code::kInvalidArgument);
  CHECK(decoder.value().length() == 7);
  REQUIRE(decoder.value().feed({ids.data() + 7, 1}, logits).ok());
  check_row(logits, full_logits(model.value(), {ids.begin(), ids.begin() + 8}), 7);
}

TEST_CASE("A bidirectional model does not generate, and no capacity is no decoder") {
  const Transformer encoder = testing::tiny_model("nope", 1, false);
  CHECK(Decoder::make(encoder, 8).status().code() == Code::kUnsupported);
  CHECK(Decoder::make(testing::tiny_model("nope"), 0).status().code() == Code::kInvalidArgument);
}

TEST_CASE("Decoding allocates nothing after the first token") {
  const Transformer model = rough_model("rope");
  auto decoder = Decoder::make(model, 32);
  REQUIRE(decoder.ok());
  const std::vector<std::int32_t> ids = testing::random_ids(15, 32, 19);
  float logits[19];
  REQUIRE(decoder.value().feed({ids.data(), 20}, logits).ok());
  REQUIRE(decoder.value().feed({ids.data() + 20, 1}, logits).ok());
  const std::size_t before = allocation_count();
  for (std::size_t i = 21; i < 32; ++i)
    REQUIRE(decoder.value().feed({ids.data() + i, 1}, logits).ok());
  CHECK(allocation_count() == before);
}

TEST_CASE("Rows recorded while decoding are those of a whole pass; recording allocates nothing") {
  for (const char* scheme : {"rope", "alibi", "shaw"}) {
    const Transformer model = rough_model(scheme);
    const ModelConfig& config = model.config();
    constexpr int kLength = 24;
    const std::vector<std::int32_t> ids = testing::random_ids(15, kLength, 19);
    const std::int32_t heads[] = {1, 3}, layers[] = {1};
    const std::uint32_t kinds = kRecordWeights | kRecordLogits | kRecordTerms;
    const LayerSchemes schemes = model.layer_schemes(1);
    const auto recorder = [&](int queries) {
      auto made = Recorder::make(kinds, {.heads = heads, .rows = {}, .columns = {}}, schemes,
                                 config.num_heads, config.head_dim, queries, kLength);
      REQUIRE(made.ok());
      return made.take();
    };
    Recorder whole = recorder(kLength), row = recorder(1);
    Recorder* const all[] = {nullptr, &whole};
    Recorder* const rows[] = {nullptr, &row};
    auto activations = TransformerActivations::make(config, 1, kLength, Purpose::kInference);
    TokenBatch batch;
    batch.ids = ids.data();
    batch.length = kLength;
    REQUIRE(model.forward(batch, activations.value(), all).ok());

    auto decoder = Decoder::make(model, kLength);
    REQUIRE(decoder.ok());
    REQUIRE(decoder.value().feed({ids.data(), 3}, nullptr).ok());
    REQUIRE(decoder.value().prepare_to_record(layers, true).ok());
    CHECK(decoder.value().length() == (schemes.any(kHookTransform) ? 0 : 3));
    REQUIRE(decoder.value().truncate(0).ok());
    REQUIRE(decoder.value().feed({ids.data(), 9}, nullptr).ok());
    // A copy keeps what recorders need.
    auto copy = decoder.value().clone();
    REQUIRE(copy.ok());
    REQUIRE(copy.value().prepare_to_record(layers, true).ok());
    CHECK(copy.value().length() == 9);
    std::size_t before = 0;
    for (int t = 9; t < kLength; ++t) {
      REQUIRE(copy.value().feed({ids.data() + t, 1}, nullptr, rows).ok());
      if (t == 9) before = allocation_count();
      CHECK(row.columns() == t + 1);
      const auto check = [&](const Buffer<float>& ours, const Buffer<float>& expected) {
        for (int h = 0; h < 2; ++h)
          for (int j = 0; j <= t; ++j)
            CHECK(std::fabs(ours[h * (t + 1) + j] -
                            expected[static_cast<std::size_t>((h * kLength + t) * kLength + j)]) <
                  kTolerance);
      };
      check(row.weights(), whole.weights());
      check(row.logits(), whole.logits());
      for (int i = 0; i < row.term_count(); ++i) check(row.term(i), whole.term(i));
    }
    // Strips and tables of biases grow with the text.
    if (schemes.any(kHookTransform)) CHECK(allocation_count() == before);
    CHECK(copy.value().feed({ids.data(), 2}, nullptr, rows).code() == Code::kInvalidArgument);
  }
  ModelConfig latent = testing::tiny_config("mla");
  latent.num_kv_heads = latent.num_heads;
  const Transformer model = testing::rough_model(latent);
  auto decoder = Decoder::make(model, 8);
  REQUIRE(decoder.ok());
  const std::int32_t layer = 0;
  CHECK(decoder.value().prepare_to_record({&layer, 1}, false).code() == Code::kUnsupported);
}

TEST_CASE("A decoder has no room for logits, which its caller brings") {
  const auto bytes_with_vocabulary = [](int vocabulary) {
    ModelConfig config = testing::tiny_config("rope");
    config.vocab_size = vocabulary;
    auto model = Transformer::blank(config);
    REQUIRE(model.ok());
    const std::size_t before = allocated_bytes();
    const auto decoder = Decoder::make(model.value(), 32);
    REQUIRE(decoder.ok());
    return allocated_bytes() - before;
  };
  CHECK(bytes_with_vocabulary(5000) == bytes_with_vocabulary(19));
}

TEST_CASE("Generation repeats with its seed and differs with another") {
  const Transformer model = testing::tiny_model("rope", 3);
  SamplingOptions options;
  options.seed = 5;
  const auto first = generated(model, options);
  CHECK(first == generated(model, options));
  options.seed = 6;
  CHECK(first != generated(model, options));
  options.temperature = 0;
  const auto greedy = generated(model, options);
  options.seed = 7;
  CHECK(greedy == generated(model, options));
}

}  // namespace wf
