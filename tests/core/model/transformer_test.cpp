// Cases that the golden files do not cover: several schemes in a layer, segments, padding, many
// rows, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"

namespace wf {
namespace {

using testing::activations_for;
using testing::check_gradients;

Transformer stacked_model() {
  ModelConfig config = testing::tiny_config("rope");
  config.layer_types[0].add(testing::tiny_config("alibi").layer_types[0].schemes[0]);
  auto model = Transformer::make(config, 5);
  REQUIRE(model.ok());
  return model.take();
}

}  // namespace

TEST_CASE("Gradients equal finite differences with stacked schemes, segments and padding") {
  Transformer model = stacked_model();
  testing::roughen(model);
  const std::vector<std::int32_t> ids = testing::random_ids(1, 18, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(2, 18, 19);
  const std::int32_t segments[18] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::int32_t lengths[2] = {9, 6};
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = 2;
  batch.length = 9;
  batch.segments = segments;
  batch.lengths = lengths;
  check_gradients(model, batch, targets);
}

TEST_CASE("Gradients equal finite differences without a causal mask") {
  Transformer model = testing::tiny_model("alibi", 4, false);
  testing::roughen(model);
  const std::vector<std::int32_t> ids = testing::random_ids(3, 10, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 10, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 10;
  check_gradients(model, batch, targets);
}

TEST_CASE("Gradients equal finite differences where token vectors are added to and then scaled") {
  ModelConfig config = testing::tiny_config("learned");
  config.layer_types[0].add(testing::tiny_config("sinusoidal").layer_types[0].schemes[0]);
  SchemeChoice& scaled = config.layer_types[0].schemes[1];
  REQUIRE(set_option(*scaled.entry->description, scaled.options, "embeddingScale", 1).ok());
  auto made = Transformer::make(config, 5);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  Transformer model = made.take();
  testing::roughen(model);
  const std::vector<std::int32_t> ids = testing::random_ids(1, 12, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(2, 12, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = 2;
  batch.length = 6;
  check_gradients(model, batch, targets);
}

TEST_CASE("A sequence's logits do not depend on its neighbours in the batch or on padding") {
  for (const SchemeEntry* entry : scheme_entries()) {
    CAPTURE(std::string(entry->description->id));
    Transformer model = testing::tiny_model(entry->description->id);
    testing::roughen(model);
    const std::vector<std::int32_t> ids = testing::random_ids(6, 24, 19);
    auto activations = activations_for(model, 3, 8, Purpose::kInference);
    std::vector<float> together(24 * 19), alone(8 * 19);
    const std::int32_t lengths[3] = {8, 5, 8};
    TokenBatch batch;
    batch.ids = ids.data();
    batch.batch = 3;
    batch.length = 8;
    batch.lengths = lengths;
    REQUIRE(model.forward_logits(batch, activations, together.data()).ok());
    std::vector<float> last(3 * 19);
    REQUIRE(model.forward_last_logits(batch, activations, last.data()).ok());
    for (int b = 0; b < 3; ++b) {
      TokenBatch one;
      one.ids = ids.data() + 8 * b;
      one.length = lengths[b];
      REQUIRE(model.forward_logits(one, activations, alone.data()).ok());
      for (int i = 0; i < lengths[b] * 19; ++i)
        CHECK(std::fabs(together[static_cast<std::size_t>(b * 8 * 19 + i)] -
                        alone[static_cast<std::size_t>(i)]) < 1e-5f);
      for (int v = 0; v < 19; ++v)
        CHECK(std::fabs(last[static_cast<std::size_t>(b * 19 + v)] -
                        alone[static_cast<std::size_t>((lengths[b] - 1) * 19 + v)]) < 1e-5f);
    }
  }
}

TEST_CASE("Loss over more rows than the head holds at once equals the loss from all logits") {
  const Transformer model = testing::tiny_model("rope");
  const int batch_size = 3, length = 100;  // 300 rows, chunks of 128
  const std::vector<std::int32_t> ids = testing::random_ids(8, batch_size * length, 19);
  std::vector<std::int32_t> targets = testing::random_ids(9, batch_size * length, 19);
  targets[5] = targets[128] = targets[299] = -1;
  auto activations = activations_for(model, batch_size, length, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = batch_size;
  batch.length = length;
  std::vector<float> logits(targets.size() * 19);
  REQUIRE(model.forward_logits(batch, activations, logits.data()).ok());
  double expected = 0;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    if (targets[row] < 0) continue;
    double sum = 0;
    for (int v = 0; v < 19; ++v) sum += std::exp(static_cast<double>(logits[row * 19 + v]));
    expected += std::log(sum) - static_cast<double>(logits[row * 19 + targets[row]]);
  }
  auto loss = model.loss(batch, targets.data(), activations);
  REQUIRE(loss.ok());
  CHECK(loss.value().counted == 297);
  CHECK(loss.value().nats == doctest::Approx(expected).epsilon(1e-6));
  CHECK(activations.row_losses()[128] == 0);
}

TEST_CASE("Gradients are added to what is there") {
  const Transformer model = testing::tiny_model("rope");
  const std::vector<std::int32_t> ids = testing::random_ids(1, 6, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 6;
  auto activations = activations_for(model, 1, 6);
  auto once = model.make_gradients(), twice = model.make_gradients();
  REQUIRE(once.ok());
  REQUIRE(twice.ok());
  REQUIRE(model.loss_and_gradient(batch, ids.data(), 1, activations, once.value()).ok());
  for (int i = 0; i < 2; ++i)
    REQUIRE(model.loss_and_gradient(batch, ids.data(), 1, activations, twice.value()).ok());
  for (std::size_t i = 0; i < once.value().size(); ++i)
    CHECK(std::fabs(twice.value().values()[i] - 2 * once.value().values()[i]) < 1e-5f);
}

TEST_CASE("A batch that does not fit or holds unknown ids is refused") {
  const Transformer model = testing::tiny_model("nope");
  auto activations = activations_for(model, 2, 4, Purpose::kInference);
  std::vector<std::int32_t> ids = testing::random_ids(1, 8, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 5;
  CHECK(std::string(model.forward(batch, activations).message()) ==
        "batch: 1 sequences of 5 tokens (expected 1 to 2 of 1 to 4)");
  batch.length = 4;
  batch.batch = 3;
  CHECK(!model.forward(batch, activations).ok());
  batch.batch = 2;
  ids[7] = 19;
  CHECK(std::string(model.forward(batch, activations).message()) ==
        "ids[7]: 19 (expected 0 to 18)");
  ids[7] = -1;
  CHECK(!model.forward(batch, activations).ok());
  ids[7] = 0;
  std::vector<std::int32_t> targets(8, 0);
  targets[3] = 19;
  CHECK(std::string(model.loss(batch, targets.data(), activations).status().message()) ==
        "targets[3]: 19 (expected -1 to 18)");
  const std::int32_t lengths[2] = {4, 5};
  batch.lengths = lengths;
  CHECK(std::string(model.forward(batch, activations).message()) ==
        "lengths[1]: 5 (expected 1 to 4)");
  batch.lengths = nullptr;
  targets[3] = 0;
  auto gradients = model.make_gradients();
  REQUIRE(gradients.ok());
  CHECK(model.loss_and_gradient(batch, targets.data(), 1, activations, gradients.value())
            .status()
            .code() == Code::kInvalidArgument);
  CHECK(!TransformerActivations::make(model.config(), 0, 4, Purpose::kInference).ok());
  CHECK(!TransformerActivations::make(model.config(), 1 << 16, 1 << 16, Purpose::kInference).ok());
}

TEST_CASE("A forward pass allocates nothing the second time") {
  const Transformer model = testing::tiny_model("rope");
  const std::vector<std::int32_t> ids = testing::random_ids(1, 16, 19);
  auto activations = activations_for(model, 2, 8, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = 2;
  batch.length = 8;
  REQUIRE(model.forward(batch, activations).ok());
  const std::size_t before = allocation_count();
  REQUIRE(model.forward(batch, activations).ok());
  CHECK(allocation_count() == before);
}

TEST_CASE("A position past a scheme's table is refused, in forward and in training") {
  ModelConfig config = testing::tiny_config("learned");
  SchemeChoice& learned = config.layer_types[0].schemes[0];
  REQUIRE(set_option(*learned.entry->description, learned.options, "maxPositions", 8).ok());
  auto made = Transformer::make(config, 1);
  REQUIRE(made.ok());
  const Transformer model = made.take();
  auto activations = activations_for(model, 1, 9);
  const std::vector<std::int32_t> ids = testing::random_ids(1, 9, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 8;
  CHECK(model.forward(batch, activations).ok());
  batch.length = 9;
  const Status status = model.forward(batch, activations);
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(std::string(status.message()) ==
        "positions[8]: 8 (expected 0 to 7, since maxPositions is 8)");
  auto gradients = model.make_gradients();
  REQUIRE(gradients.ok());
  CHECK(!model.loss_and_gradient(batch, ids.data(), 1, activations, gradients.value()).ok());
  // Nine tokens whose positions restart after the fifth fit the table.
  const std::int32_t restarted[9] = {0, 1, 2, 3, 4, 0, 1, 2, 3};
  batch.positions = {restarted, 9, 1};
  CHECK(model.forward(batch, activations).ok());
}

}  // namespace wf
