// Padding anywhere in a text: it is hidden from all other tokens. tests/package/padding.test.mjs
// compares whole families with Transformers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"

namespace wf {
namespace {

using testing::activations_for;

constexpr int kVocabulary = 19, kText = 9;
const std::uint8_t kVisible[kText] = {0, 1, 1, 0, 0, 1, 1, 0, 1};

TokenBatch text_of(const std::vector<std::int32_t>& ids) {
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  return batch;
}

std::vector<float> logits_of(const Transformer& model, const TokenBatch& batch) {
  auto activations = activations_for(model, 1, batch.length, Purpose::kInference);
  std::vector<float> logits(static_cast<std::size_t>(batch.length) * kVocabulary);
  const Status status = model.forward_logits(batch, activations, logits.data());
  REQUIRE_MESSAGE(status.ok(), status.message());
  return logits;
}

}  // namespace

TEST_CASE("Tokens that matter are as in the text without padding, at their positions") {
  for (const bool is_causal : {false, true}) {
    for (const SchemeEntry* entry : scheme_entries()) {
      const SchemeDescription& description = *entry->description;
      const bool decodes_only = is_causal ? false : !description.claims.bidirectional;
      if (decodes_only || description.position_axes != 1) continue;
      CAPTURE(std::string(description.id));
      Transformer model = testing::tiny_model(description.id, 1, is_causal);
      testing::roughen(model);
      const std::vector<std::int32_t> padded = testing::random_ids(6, kText, kVocabulary);
      std::vector<std::int32_t> ids, places;
      for (int t = 0; t < kText; ++t) {
        if (!kVisible[t]) continue;
        ids.push_back(padded[t]);
        places.push_back(t);
      }
      TokenBatch alone = text_of(ids), masked = text_of(padded);
      alone.positions = {places.data(), alone.length, 1};
      masked.visible = kVisible;
      const std::vector<float> expected = logits_of(model, alone), found = logits_of(model, masked);
      for (int i = 0; i < alone.length * kVocabulary; ++i) {
        const int row = places[i / kVocabulary], column = i % kVocabulary;
        CHECK(std::fabs(found[row * kVocabulary + column] - expected[i]) < 2e-5f);
      }
    }
  }
}

TEST_CASE("Token vectors may count positions otherwise than attention, and learn so") {
  ModelConfig config = testing::tiny_config("learned");
  config.layer_types[0].add(testing::tiny_config("rope").layer_types[0].schemes[0]);
  Transformer model = testing::rough_model(config);
  const std::vector<std::int32_t> ids = testing::random_ids(6, kText, kVocabulary);
  const std::int32_t counted[kText] = {0, 0, 1, 0, 0, 2, 3, 0, 4};
  TokenBatch batch = text_of(ids), both = batch;
  batch.embedding_positions = {counted, kText, 1};
  both.positions = {counted, kText, 1};
  const std::vector<float> apart = logits_of(model, batch);
  CHECK(!std::equal(apart.begin(), apart.end(), logits_of(model, both).begin()));
  CHECK(!std::equal(apart.begin(), apart.end(), logits_of(model, text_of(ids)).begin()));
  batch.visible = kVisible;
  testing::check_gradients(model, batch, testing::random_ids(2, kText, kVocabulary));

  batch.embedding_positions.count = kText - 1;
  auto activations = activations_for(model, 1, kText, Purpose::kInference);
  CHECK(model.forward(batch, activations).code() == Code::kInvalidArgument);
}

}  // namespace wf
