// Models with latent projections (multi-head latent attention): the layer of DeepSeek-V3's class,
// gradients, the absorbed form behind the cache, and what the cache holds.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "contract/attention_case.h"
#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"
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
using testing::refusal_of;
using testing::rough_model;
using testing::Settings;

ModelConfig latent_config(const Settings& settings = {}) {
  ModelConfig config = testing::tiny_config("mla");
  config.stacks[0].schemes[0] = choice_of("mla", settings);
  return config;
}

// ---- One layer of Hugging Face's class, from hidden states to output and back.

struct GoldenLayer {
  explicit GoldenLayer(const std::string& name)
      : path("layers/" + name + ".json"), file(reference::golden(path)) {
    const json& c = file["config"];
    const auto number = [&](const char* key) {
      return c[key].is_null() ? 0 : c[key].get<double>();
    };
    config = latent_config({{"ropeHeadDim", number("qk_rope_head_dim")},
                            {"nopeHeadDim", number("qk_nope_head_dim")},
                            {"kvLoraRank", number("kv_lora_rank")},
                            {"qLoraRank", number("q_lora_rank")},
                            {"vHeadDim", number("v_head_dim")},
                            {"interleaved", c.value("rope_interleave", true)},
                            {"ropeTheta", c["rope_parameters"]["rope_theta"].get<double>()}});
    const json& rope = c["rope_parameters"];
    if (rope["rope_type"] != "default") {
      SchemeChoice& choice = config.stacks[0].schemes[0];
      const auto set = [&](const char* key, double value, const char* name = nullptr) {
        REQUIRE(set_option(*choice.entry->description, choice.options, key, value, name).ok());
      };
      set("ropeScaling.ropeType", 0, rope["rope_type"].get<std::string>().c_str());
      set("ropeScaling.factor", rope["factor"]);
      set("ropeScaling.originalMaxPositionEmbeddings", rope["original_max_position_embeddings"]);
      set("ropeScaling.mscale", rope["mscale"]);
      set("ropeScaling.mscaleAllDim", rope["mscale_all_dim"]);
    }
    config.num_layers = 1;
    config.width = c["hidden_size"];
    config.num_heads = config.num_kv_heads = c["num_attention_heads"];
    config.head_dim = c["qk_rope_head_dim"].get<int>() + c["qk_nope_head_dim"].get<int>();
    config.norm_epsilon = 1e-6f;
    auto made = Transformer::make(config, 1);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    model = std::make_unique<Transformer>(made.take());
    for (const auto& [key, value] : file["parameters"].items()) {
      const TensorInfo* info =
          model->parameters().find(("model.layers.0.self_attn." + key).c_str());
      REQUIRE_MESSAGE(info, key);
      const std::vector<float> values = floats(value);
      REQUIRE(values.size() == info->size());
      std::copy(values.begin(), values.end(), model->values() + info->offset);
    }
  }

  double within(const char* quantity) const { return reference::golden_tolerance(path, quantity); }
  BlockTensors<const float> weights() const {
    return model->parameters().block(static_cast<const float*>(model->values()), 0);
  }

  std::string path;
  json file;
  ModelConfig config;
  std::unique_ptr<Transformer> model;
};

void check_layer(const std::string& name) {
  CAPTURE(name);
  GoldenLayer layer(name);
  const json& c = layer.file["cases"][0];
  const ModelConfig& config = layer.config;
  const int n = reference::shape(c["hiddenStates"])[0], e = config.width, heads = config.num_heads;
  const int d = config.head_dim, value = config.projections(0).value_dim,
            content = config.projections(0).content;
  auto activations = testing::activations_for(*layer.model, 1, n);
  const BlockActivations& block = activations.block(0);
  const BackwardSpace& space = activations.backward();
  const std::vector<float> hidden = floats(c["hiddenStates"]);
  std::copy(hidden.begin(), hidden.end(), block.attention_in);
  MatmulScratch& matmul = activations.scratch().matmul;
  latent_projections(config, 0, layer.weights(), n, block, matmul);

  const auto positions = c["positions"].get<std::vector<std::int32_t>>();
  AttentionInput input;
  input.q = tokens_outermost(static_cast<const float*>(block.q), heads, n, d);
  input.k = tokens_outermost(static_cast<const float*>(block.k), heads, n, d);
  const Heads values = {block.v + content,        heads, n, value, content + value,
                        heads * (content + value)};
  input.v = values;
  input.query_positions = input.key_positions = {positions.data(), n, 1};
  const auto rows_of = [&](const ConstHeads& x) {
    std::vector<float> flat;
    for (int h = 0; h < x.heads; ++h)
      for (int t = 0; t < n; ++t)
        flat.insert(flat.end(), x.head(h).row(t), x.head(h).row(t) + x.columns);
    return flat;
  };
  CHECK(largest_difference(rows_of(input.q), floats(c["q"])) < layer.within("q"));
  CHECK(largest_difference(rows_of(input.k), floats(c["k"])) < layer.within("q"));
  CHECK(largest_difference(rows_of(input.v), floats(c["v"])) < layer.within("q"));

  auto gradients = layer.model->make_gradients();
  REQUIRE(gradients.ok());
  gradients.value().clear();
  const LayerSchemes schemes = layer.model->layer_schemes(0, &gradients.value());
  const auto attended = [&](float* x) { return tokens_outermost(x, heads, n, value); };
  REQUIRE(attention_forward(config.attention(0), schemes, input, attended(block.attended),
                            activations.attention(0, 0), activations.scratch())
              .ok());
  const std::vector<float> context(block.attended, block.attended + n * heads * value);
  const auto output = reference::product(context, layer.weights().output, heads * value, e, true);
  CHECK(largest_difference(output, floats(c["output"])) < layer.within("output"));

  const std::vector<float> d_context =
      reference::product(floats(c["d_output"]), layer.weights().output, e, heads * value, false);
  std::copy(d_context.begin(), d_context.end(), space.attended);
  std::fill_n(space.q, n * heads * d, 0.0f);
  std::fill_n(space.k, n * heads * d, 0.0f);
  std::fill_n(space.v, n * heads * (content + value), 0.0f);
  Heads d_values = values;
  d_values.data = space.v + content;
  REQUIRE(attention_backward(config.attention(0), schemes, input, attended(block.attended),
                             attended(space.attended), activations.attention(0, 0),
                             activations.scratch(), tokens_outermost(space.q, heads, n, d),
                             tokens_outermost(space.k, heads, n, d), d_values)
              .ok());
  latent_projections_backward(config, 0, layer.weights(),
                              layer.model->parameters().block(gradients.value().values(), 0), n,
                              block, space, matmul);
  CHECK(largest_difference({space.normed, space.normed + n * e},
                           floats(c["gradients"]["hiddenStates"])) < layer.within("gradients"));
  for (const auto& [key, expected] : c["gradients"]["parameters"].items()) {
    if (key == "o_proj.weight") continue;  // the block's own: the models' gradients below
    CAPTURE(key);
    const TensorInfo* info =
        layer.model->parameters().find(("model.layers.0.self_attn." + key).c_str());
    REQUIRE(info);
    const float* got = gradients.value().values() + info->offset;
    CHECK(largest_difference({got, got + info->size()}, floats(expected)) <
          layer.within("gradients"));
  }
}

TEST_CASE(
    "a layer of DeepSeek-V3's class comes out the same, from hidden states to output and back") {
  for (const char* name :
       {"mla_plain", "mla_half_split", "mla_v2", "mla_yarn", "mla_yarn_mscale", "mla_v2_yarn"})
    check_layer(name);
}

TEST_CASE("the absorbed form of a layer gives what the naive form gives") {
  GoldenLayer layer("mla_plain");
  const json& c = layer.file["cases"][0];
  const ModelConfig& config = layer.config;
  const std::vector<float> hidden = floats(c["hiddenStates"]);
  const auto positions = c["positions"].get<std::vector<std::int32_t>>();
  const int n = static_cast<int>(positions.size()), value = config.projections(0).value_dim;
  auto activations = testing::activations_for(*layer.model, 1, n, Purpose::kDecoding);
  const BlockActivations& block = activations.block(0);
  std::copy(hidden.begin(), hidden.end(), block.attention_in);
  absorbed_projections(config, 0, layer.weights(), n, block, activations.scratch().matmul);
  const AttentionConfig attention = config.decoding_attention(0);
  auto cache = KvCache::make(attention, n, CachedValues::kInKeys);
  REQUIRE(cache.ok());
  const ConstHeads key =
      tokens_outermost(static_cast<const float*>(block.latent), 1, n, attention.head_dim);
  REQUIRE(attention_decode(
              attention, layer.model->layer_schemes(0), cache.value(),
              tokens_outermost(static_cast<const float*>(block.absorbed), config.num_heads, n,
                               attention.head_dim),
              key, ConstHeads{key.data, 1, n, attention.value_dim, key.head_stride, key.row_stride},
              {positions.data(), n, 1},
              tokens_outermost(block.context, config.num_heads, n, attention.value_dim),
              activations.attention(0, 0), activations.scratch())
              .ok());
  expand_context(config, 0, layer.weights(), n, block, activations.scratch().matmul);
  const std::vector<float> context(block.attended, block.attended + n * config.num_heads * value);
  const auto output = reference::product(context, layer.weights().output, config.num_heads * value,
                                         config.width, true);
  CHECK(largest_difference(output, floats(c["output"])) < layer.within("output"));
}

// ---- Whole models.

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
    config.stacks[0].add(choice_of(id));
    CHECK(config.absorbs(0) == absorbs);
    const Transformer model = rough_model(config);
    testing::check_decoding(model, testing::random_ids(5, 12, 19), 5, 1e-4f);
  }
}

TEST_CASE(
    "latent and dense layers stand in one model, and a scheme of both fits the values of each") {
  ModelConfig config = latent_config(kQueryCompressed);
  config.stacks[0].add(choice_of("shaw"));
  config.stack_count = 2;
  config.stacks[1].add(choice_of("rope"));
  config.stacks[1].add(choice_of("shaw"));
  config.num_layers = 3;
  config.stack_of[1] = 1;
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

// ---- What the cache holds.

int cached_floats(const ModelConfig& config) {
  auto cache = KvCache::make(config.decoding_attention(0), 1,
                             config.absorbs(0) ? CachedValues::kInKeys : CachedValues::kOwn);
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
  // V2-Lite: the same vector, 16 heads.
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

// ---- What is refused.

TEST_CASE("sizes and companions that latent projections cannot have are refused by name") {
  CHECK(refusal_of(latent_config({{"nopeHeadDim", 7}})) ==
        "head_dim is 4; allowed: 9, the content (7) and the slice (2) of a key");
  ModelConfig twice = latent_config();
  twice.stacks[0].add(choice_of("mla", {{"ropeTheta", 50}}));
  CHECK(refusal_of(twice) == "2 schemes of a layer make its projections; allowed: one");
  ModelConfig normed = latent_config();
  normed.stacks[0].query_key_norm = QueryKeyNorm::kPlain;
  CHECK(refusal_of(normed).find("query_key_norm: ") == 0);
  ModelConfig shared = latent_config();
  shared.stacks[0].add(choice_of("deberta", {{"shareProjections", 1}}));
  CHECK(refusal_of(shared).find("scheme deberta shares its layer's key projection") == 0);
}

}  // namespace
}  // namespace wf
