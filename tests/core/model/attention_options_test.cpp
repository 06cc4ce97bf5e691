// Options of a model's attention besides schemes: normalised queries and keys, softcaps, sinks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "contract/attention_case.h"
#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"

namespace wf {
namespace {

using contract::largest_difference;
using testing::refusal_of;
using testing::rough_model;

ModelConfig config_with(QueryKeyNorm norm, bool sinks, float softcap, float final_softcap) {
  ModelConfig config = testing::tiny_config("rope");
  config.layer_types[0].query_key_norm = norm;
  config.sinks = sinks;
  config.softcap = softcap;
  config.final_softcap = final_softcap;
  return config;
}

// Only one of two layers has norms and sinks.
ModelConfig mixed_norms() {
  ModelConfig config = config_with(QueryKeyNorm::kWeighted, true, 3, 6);
  config.layer_types[1] = testing::tiny_config("alibi").layer_types[0];
  config.layer_type_count = 2;
  config.layer_type_of[1] = 1;
  return config;
}

std::vector<ModelConfig> all_configs() {
  return {config_with(QueryKeyNorm::kWeighted, false, 0, 0),
          config_with(QueryKeyNorm::kPlain, false, 0, 0),
          config_with(QueryKeyNorm::kNone, true, 0, 0),
          config_with(QueryKeyNorm::kNone, false, 2, 5), mixed_norms()};
}

void multiply(Transformer& model, const char* name, float factor) {
  const TensorInfo* info = model.parameters().find(name);
  REQUIRE(info);
  for (std::size_t i = 0; i < info->size(); ++i) model.values()[info->offset + i] *= factor;
}

}  // namespace

TEST_CASE("Gradients equal finite differences with normalised queries, softcaps and sinks") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = 2;
  batch.length = 10;
  for (const ModelConfig& config : all_configs()) {
    Transformer model = rough_model(config);
    testing::check_gradients(model, batch, targets);
  }
}

TEST_CASE("Decoding equals one pass with normalised queries, softcaps and sinks") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 30, 19);
  for (const ModelConfig& config : all_configs()) {
    const Transformer model = rough_model(config);
    for (const int chunk : {1, 7, 30}) testing::check_decoding(model, ids, chunk, 5e-5f);
  }
}

TEST_CASE("Memory for inference and for training give the same numbers, bit by bit") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 12, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 12;
  for (const ModelConfig& config : all_configs()) {
    const Transformer model = rough_model(config);
    auto activations = testing::activations_for(model, 1, 12, Purpose::kTraining);
    std::vector<float> logits(12 * 19);
    REQUIRE(model.forward_logits(batch, activations, logits.data()).ok());
    const std::vector<float> inferred = testing::full_logits(model, ids);
    CHECK(std::memcmp(logits.data(), inferred.data(), logits.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("Normalised queries and keys do not feel the size of their projections") {
  const std::vector<std::int32_t> ids = testing::random_ids(5, 12, 19);
  for (const QueryKeyNorm norm : {QueryKeyNorm::kWeighted, QueryKeyNorm::kPlain}) {
    Transformer model = rough_model(config_with(norm, false, 0, 0));
    multiply(model, "model.layers.0.self_attn.q_proj.weight", 10);  // so that epsilon is negligible
    const std::vector<float> before = testing::full_logits(model, ids);
    multiply(model, "model.layers.0.self_attn.q_proj.weight", 30);
    CHECK(largest_difference(before, testing::full_logits(model, ids)) < 1e-4);
  }
  Transformer model = rough_model(config_with(QueryKeyNorm::kNone, false, 0, 0));
  const std::vector<float> before = testing::full_logits(model, ids);
  multiply(model, "model.layers.0.self_attn.q_proj.weight", 30);
  CHECK(largest_difference(before, testing::full_logits(model, ids)) > 0.01);
}

TEST_CASE("A norm without weights is the learned one before it has learned") {
  const std::vector<std::int32_t> ids = testing::random_ids(5, 12, 19);
  CHECK(largest_difference(
            testing::full_logits(rough_model(config_with(QueryKeyNorm::kPlain, false, 0, 0)), ids),
            testing::full_logits(rough_model(config_with(QueryKeyNorm::kWeighted, false, 0, 0)),
                                 ids)) == 0);
}

TEST_CASE("Sinks far below every logit change nothing, and far above take all weight") {
  const std::vector<std::int32_t> ids = testing::random_ids(6, 12, 19);
  Transformer model = rough_model(config_with(QueryKeyNorm::kNone, true, 0, 0));
  const Transformer without = rough_model(config_with(QueryKeyNorm::kNone, false, 0, 0));
  const auto set_sinks = [&](float value) {
    for (const char* name : {"model.layers.0.self_attn.sinks", "model.layers.1.self_attn.sinks"}) {
      const TensorInfo* info = model.parameters().find(name);
      REQUIRE(info);
      CHECK(info->columns == 4);
      std::fill_n(model.values() + info->offset, info->size(), value);
    }
  };
  set_sinks(-200);
  CHECK(largest_difference(testing::full_logits(model, ids), testing::full_logits(without, ids)) <
        1e-6);
  set_sinks(200);
  Transformer silent = rough_model(config_with(QueryKeyNorm::kNone, false, 0, 0));
  multiply(silent, "model.layers.0.self_attn.o_proj.weight", 0);
  multiply(silent, "model.layers.1.self_attn.o_proj.weight", 0);
  CHECK(largest_difference(testing::full_logits(model, ids), testing::full_logits(silent, ids)) <
        1e-6);
}

TEST_CASE("Scores of the vocabulary stay within their softcap") {
  Transformer model = rough_model(config_with(QueryKeyNorm::kNone, false, 0, 5));
  multiply(model, "model.norm.weight", 100);
  float most = 0;
  for (const float logit : testing::full_logits(model, testing::random_ids(6, 12, 19)))
    most = std::max(most, std::fabs(logit));
  CHECK(most <= 5);
  CHECK(most > 4.9f);
}

TEST_CASE("Norms of queries and keys and sinks are saved under Hugging Face's names") {
  const Transformer model = rough_model(mixed_norms(), 1);
  for (const char* name :
       {"model.layers.0.self_attn.q_norm.weight", "model.layers.0.self_attn.k_norm.weight",
        "model.layers.0.self_attn.sinks", "model.layers.1.self_attn.sinks"})
    CHECK(model.parameters().find(name));
  CHECK(!model.parameters().find("model.layers.1.self_attn.q_norm.weight"));
  testing::check_saving(mixed_norms());
}

TEST_CASE("A softcap below zero is refused by its name") {
  CHECK(refusal_of(config_with(QueryKeyNorm::kNone, false, -1, 0)) ==
        "softcap: -1 (expected a finite number from 0 to 1e+09)");
  CHECK(refusal_of(config_with(QueryKeyNorm::kNone, false, 0, -2)) ==
        "finalSoftcap: -2 (expected a finite number from 0 to 1e+09)");
}

}  // namespace wf
