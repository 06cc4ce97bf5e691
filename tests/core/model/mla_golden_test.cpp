// Compares multi-head latent attention with PyTorch: one layer of DeepSeek's classes in Hugging
// Face transformers (tests/golden/make_layers_mla.py), forward and backward.
#include <doctest/doctest.h>

#include <memory>
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
using testing::latent_config;

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
      SchemeChoice& choice = config.layer_types[0].schemes[0];
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
    if (key == "o_proj.weight") continue;  // not part of these functions; see the models below
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

}  // namespace
}  // namespace wf
