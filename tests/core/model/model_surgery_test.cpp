// Surgery on whole models: ablations in each layer, and layers with other schemes.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"

namespace wf {
namespace {

using testing::activations_for;
using testing::choice_of;

constexpr int kTokens = 12;

std::vector<float> logits_of(const Transformer& model, std::span<const Surgery> surgeries = {}) {
  const std::vector<std::int32_t> ids = testing::random_ids(7, kTokens, 19);
  auto activations = activations_for(model, 1, kTokens, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = kTokens;
  REQUIRE(model.forward(batch, activations, {}, surgeries).ok());
  std::vector<float> logits(kTokens * 19);
  model.head(activations, 0, kTokens, logits.data());
  return logits;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double one = std::fabs(double(a[i]) - b[i]);
    most = one <= most ? most : one;
  }
  return most;
}

// Returns a surgery that ablates the term of this slot in all heads of a layer.
Surgery without(const Transformer& model, int layer, int slot) {
  const ModelConfig& config = model.config();
  const int stride = kMaxTerms + config.head_dim / 2;
  std::vector<std::uint8_t> ablations(config.num_heads * stride, 0);
  for (int h = 0; h < config.num_heads; ++h)
    ablations[h * stride + slot] = std::uint8_t(Ablation::kRemoved);
  auto made =
      Surgery::make(ablations, model.layer_schemes(layer), config.num_heads, config.head_dim);
  REQUIRE(made.ok());
  return made.take();
}

Result<Transformer> reconfigured(const Transformer& original, const ModelConfig& config,
                                 std::uint64_t seed = 9) {
  return Transformer::reconfigured(config, seed, original);
}

const float* tensor(const Transformer& model, const char* name) {
  const TensorInfo* info = model.parameters().find(name);
  REQUIRE_MESSAGE(info, name);
  return model.values() + info->offset;
}

}  // namespace

TEST_CASE("A rotary model without the rotation's term is the same model with no scheme") {
  const Transformer rope = testing::rough_model(testing::tiny_config("rope"));
  auto bare = reconfigured(rope, testing::tiny_config("nope"));
  REQUIRE(bare.ok());
  const Surgery all[2] = {without(rope, 0, 1), without(rope, 1, 1)};
  const std::vector<float> ablated = logits_of(rope, all);
  CHECK(difference(ablated, logits_of(bare.value())) < 2e-4);
  CHECK(difference(ablated, logits_of(rope)) > 0.05);

  // Ablating one layer alone equals a model with two layer types.
  ModelConfig config = rope.config();
  config.layer_type_count = 2;
  config.layer_types[1] = testing::tiny_config("nope").layer_types[0];
  config.layer_type_of[1] = 1;
  auto half = reconfigured(rope, config);
  REQUIRE(half.ok());
  const Surgery second[2] = {Surgery(), without(rope, 1, 1)};
  CHECK(difference(logits_of(rope, second), logits_of(half.value())) < 2e-4);
}

TEST_CASE("Loss with ablations is that of logits with ablations") {
  const Transformer model = testing::rough_model(testing::tiny_config("alibi"));
  const Surgery all[2] = {without(model, 0, 2), without(model, 1, 0)};
  const std::vector<float> logits = logits_of(model, all);
  std::vector<std::int32_t> ids = testing::random_ids(7, kTokens, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(8, kTokens, 19);
  auto activations = activations_for(model, 1, kTokens, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = kTokens;
  const auto sum = model.loss(batch, targets.data(), activations, all);
  REQUIRE(sum.ok());
  double nats = 0;
  for (int t = 0; t < kTokens; ++t) {
    double total = 0;
    for (int v = 0; v < 19; ++v) total += std::exp(double(logits[t * 19 + v]));
    nats += std::log(total) - logits[t * 19 + targets[t]];
  }
  CHECK(std::fabs(sum.value().nats - nats) < 1e-3);
}

TEST_CASE("A reconfigured model has the original's weights under every name that both have") {
  const Transformer rope = testing::rough_model(testing::tiny_config("rope"));
  ModelConfig config = testing::tiny_config("rope");
  config.layer_types[0].schemes[0] = choice_of("rope", {{"ropeTheta", 50}});
  auto made = Transformer::make(config, 1);
  REQUIRE(made.ok());
  Transformer loaded = made.take();
  std::memcpy(loaded.values(), rope.values(), rope.parameters().total() * sizeof(float));
  auto new_base = reconfigured(rope, config);
  REQUIRE(new_base.ok());
  CHECK(logits_of(loaded) == logits_of(new_base.value()));

  // T5's buckets are kept in a layer with another setting, where the tensor's name has a number.
  const Transformer t5 = testing::rough_model(testing::tiny_config("t5"));
  ModelConfig other = t5.config();
  other.layer_type_count = 2;
  other.layer_types[1].add(choice_of("t5", {{"maxDistance", 40}}));
  other.layer_type_of[1] = 1;
  auto settings = reconfigured(t5, other);
  REQUIRE_MESSAGE(settings.ok(), settings.status().message());
  int compared = 0;
  for (int i = 0; i < t5.parameters().count(); ++i) {
    const TensorInfo& info = t5.parameters().tensor(i);
    if (!is_of_scheme(info)) continue;
    std::string second = info.name;
    second.insert(second.find(".t5.") + 3, ".1");
    for (const std::string& name : {std::string(info.name), second}) {
      CHECK(std::memcmp(tensor(settings.value(), name.c_str()), t5.values() + info.offset,
                        info.size() * sizeof(float)) == 0);
      ++compared;
    }
  }
  CHECK(compared == 2);

  // Parameters that the original lacks start as in a new model with this seed.
  ModelConfig shaw = testing::tiny_config("shaw");
  auto untrained = Transformer::make(shaw, 9);
  auto regrown = reconfigured(rope, shaw);
  REQUIRE(regrown.ok());
  for (int i = 0; i < untrained.value().parameters().count(); ++i) {
    const TensorInfo& info = untrained.value().parameters().tensor(i);
    const float* expected =
        is_of_scheme(info) ? untrained.value().values() + info.offset : tensor(rope, info.name);
    CHECK(std::memcmp(tensor(regrown.value(), info.name), expected, info.size() * sizeof(float)) ==
          0);
  }
}

TEST_CASE("A reconfigured model whose projections would begin anew is refused") {
  ModelConfig latent = testing::tiny_config("mla");
  latent.num_kv_heads = latent.num_heads;
  ModelConfig dense = testing::tiny_config("rope");
  dense.num_kv_heads = dense.num_heads;
  const Transformer mla = testing::rough_model(latent), rope = testing::rough_model(dense);
  for (const auto& result : {reconfigured(rope, latent), reconfigured(mla, dense)}) {
    REQUIRE(!result.ok());
    CHECK(result.status().code() == Code::kUnsupported);
  }
  CHECK(std::string(reconfigured(mla, dense).status().message()) ==
        "scheme: the new schemes need model.layers.0.self_attn.k_proj.weight, which the model has "
        "not trained");
  latent.layer_types[0].schemes[0] = choice_of("mla", {{"ropeTheta", 100}});
  CHECK(reconfigured(mla, latent).ok());
  latent.layer_types[0].schemes[0] = choice_of("mla", {{"kvLoraRank", 3}});
  CHECK(reconfigured(mla, latent).status().code() == Code::kUnsupported);
}

}  // namespace wf
