// Models whose layers differ in schemes, windows and chunks.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "attention/recorder.h"
#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"
#include "training/tasks/registry.h"
#include "training/trainer.h"

namespace wf {
namespace {

using testing::choice_of;
using testing::refusal_of;
using testing::rough_model;

ModelConfig layered_config(std::initializer_list<LayerType> layer_types,
                           std::initializer_list<std::uint8_t> layer_type_of) {
  ModelConfig config = testing::tiny_config("nope");
  config.layer_type_count = 0;
  for (const LayerType& layer_type : layer_types)
    config.layer_types[config.layer_type_count++] = layer_type;
  config.num_layers = 0;
  for (const std::uint8_t layer_type : layer_type_of)
    config.layer_type_of[config.num_layers++] = layer_type;
  return config;
}

LayerType layer_type_of(const SchemeChoice& choice, int window = 0, int chunk = 0) {
  LayerType layer_type;
  layer_type.add(choice);
  layer_type.sliding_window = window;
  layer_type.chunk_size = chunk;
  return layer_type;
}

// Three layers with RoPE in chunks, then one with NoPE, without chunks and with a temperature for
// far queries, as in Llama 4. SmolLM3 is like it, without chunks and temperature.
ModelConfig nope_every_fourth() {
  return layered_config(
      {layer_type_of(choice_of("rope"), 0, 5),
       layer_type_of(choice_of("nope", {{"temperatureScale", 0.5}, {"temperatureFloor", 3}}))},
      {0, 0, 0, 1});
}

// A small base with a window and a large base without one, as in Gemma 3.
ModelConfig two_bases() {
  return layered_config({layer_type_of(choice_of("rope", {{"ropeTheta", 100}}), 4),
                         layer_type_of(choice_of("rope", {{"ropeTheta", 1e6}}))},
                        {0, 0, 1});
}

// Layer types whose schemes train different numbers of tensors.
ModelConfig uneven() {
  LayerType both = layer_type_of(choice_of("shaw"));
  both.add(choice_of("t5"));
  return layered_config({both, layer_type_of(choice_of("t5", {{"numBuckets", 8}}), 3),
                         layer_type_of(choice_of("kerple"))},
                        {2, 0, 1});
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::vector<std::string> names_with(const Transformer& model, const char* part) {
  std::vector<std::string> names;
  for (int i = 0; i < model.parameters().count(); ++i) {
    const std::string name = model.parameters().tensor(i).name;
    if (name.find(part) != std::string::npos) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("Layers of one content give the same numbers as the short form, bit by bit") {
  const ModelConfig parted =
      layered_config({layer_type_of(choice_of("rope")), layer_type_of(choice_of("rope"))}, {0, 1});
  const std::vector<std::int32_t> ids = testing::random_ids(1, 12, 19);
  CHECK(same(testing::full_logits(rough_model(parted), ids),
             testing::full_logits(rough_model(testing::tiny_config("rope")), ids)));
}

TEST_CASE("Decoding equals one pass where layers differ in scheme, window and chunk") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 30, 19);
  for (const ModelConfig& config : {nope_every_fourth(), two_bases(), uneven()}) {
    const Transformer model = rough_model(config);
    for (const int chunk : {1, 7, 30}) testing::check_decoding(model, ids, chunk, 5e-5f);
  }
}

TEST_CASE("Gradients equal finite differences where layers differ in scheme, window and chunk") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 24, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 24, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.batch = 2;
  batch.length = 12;
  for (const ModelConfig& config : {nope_every_fourth(), two_bases(), uneven()}) {
    Transformer model = rough_model(config);
    testing::check_gradients(model, batch, targets);
  }
}

TEST_CASE("A window and a chunk hide keys in their own layers only") {
  ModelConfig config = two_bases();
  config.layer_types[1].sliding_window = 0;
  config.layer_types[0].chunk_size = 8;
  const Transformer model = rough_model(config);
  const std::vector<std::int32_t> ids = testing::random_ids(5, 12, 19);
  TransformerActivations activations = testing::activations_for(model, 1, 12, Purpose::kInference);
  Recorder recorders[3];
  Recorder* pointers[3];
  for (int layer = 0; layer < 3; ++layer) {
    auto made = Recorder::make(kRecordWeights, {}, model.layer_schemes(layer), 4, 4, 12, 12);
    REQUIRE(made.ok());
    recorders[layer] = made.take();
    pointers[layer] = &recorders[layer];
  }
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 12;
  REQUIRE(model.forward(batch, activations, pointers).ok());
  for (int layer = 0; layer < 3; ++layer)
    for (int query = 0; query < 12; ++query)
      for (int key = 0; key < 12; ++key) {
        const bool near = query - key < 4 && query / 8 == key / 8;
        const bool sees = key <= query && (layer == 2 || near);
        CHECK((recorders[layer].weights()[static_cast<std::size_t>(query * 12 + key)] > 0) == sees);
      }
}

TEST_CASE("A scheme in several stacks is one scheme: tables of the model exist once") {
  const Transformer model = rough_model(layered_config(
      {layer_type_of(choice_of("t5"), 4), layer_type_of(choice_of("t5"))}, {0, 1, 0}));
  CHECK(model.schemes().size() == 1);
  CHECK(names_with(model, "position") ==
        std::vector<std::string>{"model.position.t5.relative_attention_bias"});
}

TEST_CASE("A scheme with two settings has a table for each, told apart by a number") {
  const Transformer model = rough_model(uneven());
  CHECK(model.schemes().size() == 4);
  CHECK(names_with(model, "position.t5") ==
        std::vector<std::string>{"model.position.t5.relative_attention_bias",
                                 "model.position.t5.1.relative_attention_bias"});
  CHECK(names_with(model, "layers.0.self_attn.position.kerple").size() == 2);
  CHECK(names_with(model, "layers.1.self_attn.position").size() ==
        names_with(model, "layers.1.self_attn.position.shaw").size());
  CHECK(names_with(model, "layers.2.self_attn.position").empty());
}

TEST_CASE("Token vectors are added to once, whatever number of stacks names the scheme") {
  const std::vector<std::int32_t> ids = testing::random_ids(6, 10, 19);
  const ModelConfig twice = layered_config(
      {layer_type_of(choice_of("sinusoidal")), layer_type_of(choice_of("sinusoidal"), 100)},
      {0, 1});
  CHECK(same(testing::full_logits(rough_model(twice), ids),
             testing::full_logits(rough_model(testing::tiny_config("sinusoidal")), ids)));
}

TEST_CASE("A model of several stacks is saved and comes back bit by bit") {
  for (const ModelConfig& config : {nope_every_fourth(), uneven()}) testing::check_saving(config);
}

TEST_CASE("A model of several stacks learns to copy") {
  ModelConfig config = nope_every_fourth();
  config.layer_types[0].chunk_size = 0;
  config.vocab_size = 12;
  config.width = 32;
  config.head_dim = 8;
  config.initializer_range = 0.2f;
  auto made = Transformer::make(config, 1);
  REQUIRE(made.ok());
  Transformer model = made.take();
  auto task = make_task("copy", {12, {}});
  REQUIRE(task.ok());
  TrainerConfig plan;
  plan.length = 11;
  plan.schedule = {5e-3f, 5e-4f, 20, 150};
  auto trainer = Trainer::make(model, *task.value(), plan);
  REQUIRE(trainer.ok());
  double first = 0, last = 0;
  for (int step = 0; step < 150; ++step) {
    auto report = trainer.value().step();
    REQUIRE(report.ok());
    (step ? last : first) = report.value().loss;
  }
  CHECK(last < 0.25 * first);
}

TEST_CASE("Stacks that no layer has, and layers of unknown stacks, are refused") {
  ModelConfig config = two_bases();
  config.layer_type_of[2] = 2;
  CHECK(refusal_of(config) == "layerTypes[2]: 2 (expected 0 to 1)");
  config.layer_type_of[2] = 0;
  CHECK(refusal_of(config) == "layerTypes: no layer has type 1 of 2");
  config = two_bases();
  config.layer_type_count = 9;
  CHECK(refusal_of(config) == "layers: 9 layer types (expected 1 to 8)");
  config = two_bases();
  config.layer_types[1].sliding_window = -1;
  CHECK(refusal_of(config) == "slidingWindow: -1 (expected an integer from 1)");
  config = two_bases();
  config.layer_types[1].chunk_size = -2;
  CHECK(refusal_of(config) == "chunkSize: -2 (expected an integer from 1)");
  config = two_bases();
  config.layer_types[0].add(config.layer_types[0].schemes[0]);
  CHECK(refusal_of(config) == "scheme[1] repeats scheme[0], rope");
}

}  // namespace wf
