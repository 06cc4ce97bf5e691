// Models with latent projections (multi-head latent attention): gradients, decoding with the
// absorbed form, and the contents of the cache. mla_golden_test.cpp compares the layer with
// PyTorch.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "contract/attention_case.h"
#include "core/model/latent_config.h"
#include "core/model/model_checks.h"
#include "kernels/matmul.h"
#include "model/latent_projection.h"
#include "reference/golden.h"
#include "reference/product.h"

namespace wf {
namespace {

using contract::largest_difference;
using nlohmann::json;
using reference::floats;

using testing::choice_of;
using testing::latent_config;
using testing::refusal_of;
using testing::rough_model;
using testing::Settings;

TokenBatch batch_of(const std::vector<std::int32_t>& ids, int batch) {
  TokenBatch tokens;
  tokens.ids = ids.data();
  tokens.batch = batch;
  tokens.length = static_cast<int>(ids.size()) / batch;
  return tokens;
}

const Settings kQueryCompressed = {{"qLoraRank", 6}, {"kvLoraRank", 5}, {"vHeadDim", 3}};

TEST_CASE("gradients of latent projections equal the slopes of the loss") {
  for (const Settings& settings : {Settings{}, kQueryCompressed}) {
    Transformer model = rough_model(latent_config(settings));
    const auto ids = testing::random_ids(1, 16, 19), targets = testing::random_ids(2, 16, 19);
    testing::check_gradients(model, batch_of(ids, 2), targets);
  }
}

TEST_CASE("reading through the compressed cache, in any chunking, gives what one pass gives") {
  for (const Settings& settings : {Settings{}, kQueryCompressed}) {
    const Transformer model = rough_model(latent_config(settings));
    REQUIRE(model.config().absorbs(0));
    for (const int chunk : {1, 3, 20})
      testing::check_decoding(model, testing::random_ids(4, 20, 19), chunk, 1e-4f);
  }
}

TEST_CASE(
    "beside a bias of distance the absorbed form stays; beside a scheme that looks into keys it "
    "does not") {
  for (const auto& [id, absorbs] :
       {std::pair{"alibi", true}, {"shaw", false}, {"cope", false}, {"rope", false}}) {
    const std::string beside = id;
    CAPTURE(beside);
    ModelConfig config = latent_config();
    config.layer_types[0].add(choice_of(id));
    CHECK(config.absorbs(0) == absorbs);
    const Transformer model = rough_model(config);
    testing::check_decoding(model, testing::random_ids(5, 12, 19), 5, 1e-4f);
  }
}

TEST_CASE(
    "latent and dense layers stand in one model, and a scheme of both fits the values of each") {
  ModelConfig config = latent_config(kQueryCompressed);
  config.layer_types[0].add(choice_of("shaw"));
  config.layer_type_count = 2;
  config.layer_types[1].add(choice_of("rope"));
  config.layer_types[1].add(choice_of("shaw"));
  config.num_layers = 3;
  config.layer_type_of[1] = 1;
  Transformer model = rough_model(config);
  CHECK(model.parameters().find("model.layers.0.self_attn.kv_b_proj.weight"));
  CHECK(!model.parameters().find("model.layers.0.self_attn.k_proj.weight"));
  CHECK(model.parameters().find("model.layers.1.self_attn.k_proj.weight"));
  testing::check_decoding(model, testing::random_ids(6, 12, 19), 5, 1e-4f);
  const auto ids = testing::random_ids(1, 8, 19), targets = testing::random_ids(2, 8, 19);
  testing::check_gradients(model, batch_of(ids, 1), targets);
}

TEST_CASE("saved weights have Hugging Face's names and come back") {
  const Transformer model = rough_model(latent_config(kQueryCompressed));
  for (const char* part : {"q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_proj_with_mqa",
                           "kv_a_layernorm", "kv_b_proj", "o_proj"})
    CHECK(model.parameters().find(
        ("model.layers.1.self_attn." + std::string(part) + ".weight").c_str()));
  testing::check_saving(latent_config(kQueryCompressed));
}

// ---- Contents of the cache

int cached_floats(const ModelConfig& config) {
  auto cache = KvCache::make(config.decoding_attention(0), 1,
                             config.absorbs(0) ? CachedValues::kInKeys : CachedValues::kSeparate);
  REQUIRE(cache.ok());
  return cache.value().floats_a_token();
}

TEST_CASE(
    "a token of DeepSeek-V2 leaves 576 numbers in a layer's cache, where all heads' keys and "
    "values are 32768") {
  ModelConfig v2 = latent_config(
      {{"ropeHeadDim", 64}, {"kvLoraRank", 512}, {"qLoraRank", 1536}, {"vHeadDim", 128}});
  v2.width = 5120;
  v2.num_heads = v2.num_kv_heads = 128;
  v2.head_dim = 192;
  CHECK(cached_floats(v2) == 512 + 64);
  ModelConfig dense = testing::tiny_config("rope");
  dense.num_heads = dense.num_kv_heads = 128;
  dense.head_dim = 128;
  CHECK(cached_floats(dense) == 2 * 128 * 128);
  CHECK(32768.0 / 576 == doctest::Approx(56.9).epsilon(0.001));
  // V2-Lite: the cached vector is as long, for 16 heads.
  dense.num_heads = dense.num_kv_heads = 16;
  CHECK(cached_floats(dense) / 576.0 == doctest::Approx(7.1).epsilon(0.002));
}

TEST_CASE("values that lie in the keys are kept once, and follow truncation and copies") {
  const AttentionConfig config = {.num_heads = 2, .num_kv_heads = 1, .head_dim = 6, .value_dim = 4};
  auto made = KvCache::make(config, 5, CachedValues::kInKeys);
  REQUIRE(made.ok());
  KvCache& cache = made.value();
  CHECK(cache.floats_a_token() == 6);
  const std::vector<float> keys = contract::random_values(18, 1);
  const std::vector<std::int32_t> positions = {3, 4, 5};
  const ConstHeads k = tokens_outermost(keys.data(), 1, 3, 6);
  REQUIRE(
      cache.append(k, {keys.data(), 1, 3, 4, k.head_stride, k.row_stride}, {positions.data(), 3, 1})
          .ok());
  REQUIRE(cache.truncate(2).ok());
  const auto copy = cache.clone();
  REQUIRE(copy.ok());
  for (const KvCache* one : {static_cast<const KvCache*>(&cache), &copy.value()}) {
    CHECK(one->floats_a_token() == 6);
    CHECK(one->values().columns == 4);
    for (int t = 0; t < 2; ++t)
      CHECK(std::memcmp(one->values().head(0).row(t), keys.data() + 6 * t, 4 * sizeof(float)) == 0);
  }
  const auto too_wide = KvCache::make(
      {.num_heads = 2, .num_kv_heads = 1, .head_dim = 6, .value_dim = 7}, 5, CachedValues::kInKeys);
  CHECK(too_wide.status().code() == Code::kInvalidArgument);
}

// ---- Refusals

TEST_CASE("sizes and companions that latent projections cannot have are refused by name") {
  CHECK(refusal_of(latent_config({{"nopeHeadDim", 7}})) ==
        "headDim: 4 (expected 9, the content (7) and the slice (2) of a key)");
  ModelConfig twice = latent_config();
  twice.layer_types[0].add(choice_of("mla", {{"ropeTheta", 50}}));
  CHECK(refusal_of(twice) ==
        "scheme: 2 schemes that make a layer's projections (expected at most one)");
  ModelConfig normed = latent_config();
  normed.layer_types[0].query_key_norm = QueryKeyNorm::kPlain;
  CHECK(refusal_of(normed).find("queryKeyNorm: ") == 0);
  ModelConfig shared = latent_config();
  shared.layer_types[0].add(choice_of("deberta", {{"shareProjections", 1}}));
  CHECK(refusal_of(shared).find("scheme deberta shares its layer's key projection") == 0);
}

}  // namespace
}  // namespace wf
