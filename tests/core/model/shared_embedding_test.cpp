// Two models that share one embedding.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"

namespace wf {
namespace {

using testing::tiny_config;

constexpr WeightType kTypes[] = {WeightType::kF32, WeightType::kInt8, WeightType::kInt4,
                                 WeightType::kF16, WeightType::kBF16};
constexpr std::int32_t kIds[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
constexpr int kCount = 12;

std::shared_ptr<const Transformer> made(const ModelConfig& config, std::uint64_t seed,
                                        WeightType type) {
  return std::make_shared<const Transformer>(Transformer::make(config, seed, type).take());
}

// Returns a model with new weights, except for the embedding, which belongs to `owner`.
Transformer sharing(const ModelConfig& config, std::uint64_t seed, WeightType type,
                    std::shared_ptr<const Transformer> owner) {
  const Transformer floats = Transformer::make(config, seed).take();
  Transformer model = Transformer::blank(config, type, std::move(owner)).take();
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    const TensorInfo* from = floats.parameters().find(info.name);
    REQUIRE(from);
    const int rows = info.dimensions == 1 ? info.columns : info.rows;
    REQUIRE(model.store_rows(info, 0, rows, floats.values() + from->offset).ok());
  }
  return model;
}

std::vector<float> logits_of(const Transformer& model) {
  TransformerActivations activations =
      TransformerActivations::make(model.config(), 1, kCount, Purpose::kInference).take();
  TokenBatch batch;
  batch.ids = kIds;
  batch.length = kCount;
  std::vector<float> logits(kCount * model.config().vocab_size);
  REQUIRE(model.forward_logits(batch, activations, logits.data()).ok());
  return logits;
}

TEST_CASE("A model with another's embedding computes as if it were its own") {
  const ModelConfig config = tiny_config("rope");
  for (const WeightType type : kTypes) {
    const std::shared_ptr<const Transformer> one = made(config, 5, type);
    const Transformer shared = sharing(config, 5, type, one);
    CHECK(logits_of(shared) == logits_of(*one));
    CHECK(logits_of(sharing(config, 5, type, made(config, 6, type))) != logits_of(*one));
    // It is stored once and counted once.
    const double table = 1.0 * config.vocab_size * config.width;
    CHECK(one->parameters().parameter_count() - shared.parameters().parameter_count() == table);
    CHECK(shared.weight_bytes() < one->weight_bytes());
    CHECK_FALSE(shared.parameters().find("model.embed_tokens.weight"));
  }
}

TEST_CASE("A shared embedding outlives whoever made it, and stays under other schemes") {
  const ModelConfig config = tiny_config("rope");
  for (const WeightType type : kTypes) {
    const Transformer own = Transformer::make(config, 5, type).take();
    const Transformer shared = sharing(config, 5, type, made(config, 5, type));
    const Transformer bare = Transformer::reconfigured(tiny_config("nope"), 5, shared).take();
    CHECK(logits_of(bare) ==
          logits_of(Transformer::reconfigured(tiny_config("nope"), 5, own).take()));
  }
}

TEST_CASE("An embedding of other sizes is not shared, and whoever shares one is not trained") {
  const ModelConfig config = tiny_config("rope");
  const std::shared_ptr<const Transformer> owner = made(config, 5, WeightType::kF32);
  ModelConfig wider = config;
  wider.vocab_size += 1;
  const Status status = Transformer::blank(wider, WeightType::kF32, owner).status();
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(std::string(status.message()) ==
        "embedding: 20 × 16 (expected 19 × 16, as the shared one)");
  const Transformer shared = sharing(config, 5, WeightType::kF32, owner);
  CHECK(shared.make_gradients().status().code() == Code::kUnsupported);
}

}  // namespace
}  // namespace wf
