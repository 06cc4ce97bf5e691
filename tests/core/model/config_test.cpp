#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "core/model/tiny_model.h"

namespace wf {
namespace {

std::string refusal(const ModelConfig& config) {
  const Status status = config.validate();
  CHECK(!status.ok());
  auto made = Transformer::make(config, 0);
  CHECK(!made.ok());
  return std::string(word_of(status.code())) + ": " + status.message();
}

template <class Change>
std::string refusal_after(Change change) {
  ModelConfig config = testing::tiny_config("nope");
  change(config);
  return refusal(config);
}

}  // namespace

TEST_CASE("A bad size is refused by its name, its value and what is expected") {
  using C = ModelConfig;
  CHECK(refusal_after([](C& c) { c.vocab_size = 0; }) ==
        "invalid_argument: vocabSize: 0 (expected an integer from 1 to 1048576)");
  CHECK(refusal_after([](C& c) { c.width = -4; }) ==
        "invalid_argument: hiddenSize: -4 (expected an integer from 1 to 16384)");
  CHECK(refusal_after([](C& c) { c.num_layers = 257; }) ==
        "invalid_argument: numLayers: 257 (expected an integer from 1 to 256)");
  CHECK(refusal_after([](C& c) { c.num_heads = 0; }) ==
        "invalid_argument: numHeads: 0 (expected an integer from 1 to 256)");
  CHECK(refusal_after([](C& c) { c.num_kv_heads = 0; }) ==
        "invalid_argument: numKvHeads: 0 (expected an integer from 1 to 256)");
  CHECK(refusal_after([](C& c) { c.num_kv_heads = 3; }) ==
        "invalid_argument: numKvHeads: 3 (expected a divisor of numHeads, 4)");
  CHECK(refusal_after([](C& c) { c.head_dim = 1025; }) ==
        "invalid_argument: headDim: 1025 (expected an integer from 1 to 1024)");
  CHECK(refusal_after([](C& c) { c.intermediate = 0; }) ==
        "invalid_argument: intermediateSize: 0 (expected an integer from 1 to 65536)");
  for (const float bad : {0.0f, -1e-5f, 2.0f, std::nanf("")}) {
    CHECK(refusal_after([&](C& c) { c.norm_epsilon = bad; }).find("rmsNormEps: ") !=
          std::string::npos);
  }
  CHECK(refusal_after([](C& c) { c.initializer_range = 0; }) ==
        "invalid_argument: initializerRange: 0 (expected a finite number above 0, up to 1)");
  CHECK(refusal_after([](C& c) { c.layer_types[0].scheme_count = 5; }) ==
        "invalid_argument: scheme: 5 schemes (expected 0 to 4)");
  CHECK(refusal_after([](C& c) { c.layer_types[0].schemes[0].entry = nullptr; }) ==
        "invalid_argument: scheme[0]: no scheme");
}

TEST_CASE("A head_dim that the scheme cannot use is refused when the model is made") {
  ModelConfig config = testing::tiny_config("rope");
  config.head_dim = 5;
  auto made = Transformer::make(config, 0);
  REQUIRE(!made.ok());
  CHECK(made.status().code() == Code::kInvalidArgument);
}

TEST_CASE("A model that memory cannot hold is a typed error") {
  ModelConfig config = testing::tiny_config("nope");
  config.vocab_size = 1 << 20;
  config.width = 1 << 14;
  config.num_layers = 256;
  set_memory_limit(std::size_t{1} << 30);
  auto made = Transformer::make(config, 0);
  set_memory_limit(static_cast<std::size_t>(-1));
  REQUIRE(!made.ok());
  CHECK(made.status().code() == Code::kOutOfMemory);
}

TEST_CASE("Tensors are named as Hugging Face's Llama names them and fill the values end to end") {
  const Transformer model = testing::tiny_model("rope");
  const ParameterTable& table = model.parameters();
  std::size_t next = 0;
  for (int i = 0; i < table.count(); ++i) {
    CHECK(table.tensor(i).offset == next);
    next += table.tensor(i).size();
  }
  CHECK(next == table.total());
  const TensorInfo* gate = table.find("model.layers.1.mlp.gate_proj.weight");
  REQUIRE(gate);
  CHECK(gate->rows == 24);
  CHECK(gate->columns == 16);
  CHECK(gate->decays);
  const TensorInfo* norm = table.find("model.layers.0.post_attention_layernorm.weight");
  REQUIRE(norm);
  CHECK(norm->dimensions == 1);
  CHECK(!norm->decays);
  CHECK(model.values()[norm->offset] == 1);
  CHECK(table.find("lm_head.weight") == nullptr);
}

TEST_CASE("Initial values depend on the seed and on nothing of the scheme") {
  const Transformer a = testing::tiny_model("rope", 7), b = testing::tiny_model("rope", 7);
  const Transformer c = testing::tiny_model("rope", 8), d = testing::tiny_model("nope", 7);
  const std::size_t bytes = a.parameters().total() * sizeof(float);
  CHECK(std::memcmp(a.values(), b.values(), bytes) == 0);
  CHECK(std::memcmp(a.values(), c.values(), bytes) != 0);
  REQUIRE(d.parameters().total() == a.parameters().total());
  CHECK(std::memcmp(a.values(), d.values(), bytes) == 0);
}

TEST_CASE("Initial weights have deviation 0.02, into the residual stream 0.02/sqrt(2 layers)") {
  ModelConfig config = testing::tiny_config("nope");
  config.width = 128;
  config.intermediate = 256;
  auto model = Transformer::make(config, 3);
  REQUIRE(model.ok());
  const auto deviation = [&](const char* name) {
    const TensorInfo* info = model.value().parameters().find(name);
    REQUIRE(info);
    double squares = 0;
    for (std::size_t i = 0; i < info->size(); ++i) {
      const double x = model.value().values()[info->offset + i];
      squares += x * x;
    }
    return std::sqrt(squares / static_cast<double>(info->size()));
  };
  // 32768 draws: the sampled deviation is within 1.2 % at three sigma.
  CHECK(deviation("model.layers.0.mlp.up_proj.weight") == doctest::Approx(0.02).epsilon(0.02));
  CHECK(deviation("model.layers.0.mlp.down_proj.weight") == doctest::Approx(0.01).epsilon(0.02));
}

}  // namespace wf
