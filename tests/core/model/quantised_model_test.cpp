#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"
#include "model/checkpoint.h"
#include "model/decoder.h"
#include "schemes/registry.h"

namespace wf {
namespace {

using testing::tiny_config;

constexpr WeightType kTypes[] = {WeightType::kInt8, WeightType::kInt4, WeightType::kF16,
                                 WeightType::kBF16};
constexpr std::int32_t kIds[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
constexpr int kCount = 20;

// Sizes that end within a block of 32 and within a group of four rows, and weights so far from zero
// that attention is far from uniform.
ModelConfig config_of(const char* scheme) {
  ModelConfig config = tiny_config(scheme);
  config.width = 40;
  config.head_dim = 8;
  config.intermediate = 70;
  config.initializer_range = 0.3f;
  return config;
}

Transformer made(const ModelConfig& config, WeightType type) {
  return Transformer::make(config, 5, type).take();
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

std::vector<float> decoded(const Transformer& model, Arithmetic arithmetic, int prompt) {
  Decoder decoder = Decoder::make(model, kCount, arithmetic).take();
  std::vector<float> logits(model.config().vocab_size);
  REQUIRE(decoder.feed({kIds, static_cast<std::size_t>(prompt)}, logits.data()).ok());
  for (int i = prompt; i < kCount; ++i) REQUIRE(decoder.feed({kIds + i, 1}, logits.data()).ok());
  return logits;
}

double largest_difference(const float* a, const float* b, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = std::abs(double(a[i]) - b[i]);
    most = difference <= most ? most : difference;
  }
  return most;
}

// Returns the float model with the dequantised weights of a quantised model.
Transformer dequantised(const Transformer& quantised) {
  Transformer model = made(quantised.config(), WeightType::kF32);
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    const TensorInfo& stored = quantised.parameters().tensor(i);
    REQUIRE(std::string(info.name) == stored.name);
    if (stored.type == WeightType::kF32) continue;
    float* values = model.values() + info.offset;
    Buffer<std::uint8_t> bytes =
        Buffer<std::uint8_t>::make(quantised_bytes(stored.type, info.rows, info.columns)).take();
    const QuantisedMatrix matrix = {bytes.data(), stored.type, info.rows, info.columns};
    REQUIRE(quantise_rows(values, 0, info.rows, matrix, bytes.data()));
    dequantise_rows(matrix, 0, info.rows, values);
  }
  return model;
}

TEST_CASE("A quantised model computes exactly what its weights stand for, with every scheme") {
  for (const SchemeEntry* entry : scheme_entries()) {
    CAPTURE(std::string(entry->description->id));
    const ModelConfig config = config_of(entry->description->id);
    for (const WeightType type : kTypes) {
      const Transformer model = made(config, type);
      const Transformer twin = dequantised(model);
      const std::vector<float> ours = logits_of(model), theirs = logits_of(twin);
      CHECK(largest_difference(ours.data(), theirs.data(), ours.size()) < 2e-4);
      CHECK(model.parameters().parameter_count() == twin.parameters().total());
      CHECK(model.weight_bytes() < twin.weight_bytes());
    }
  }
}

TEST_CASE("A head of its own, biases and other blocks are quantised too") {
  ModelConfig config = config_of("alibi");
  config.architecture.head = Head::kOwn;
  config.architecture.head_bias = true;
  config.architecture.query_bias = true;
  config.architecture.feed_bias = true;
  config.architecture.gated = false;
  config.architecture.activation = Activation::kGelu;
  config.architecture.residual = Residual::kParallel;
  for (const WeightType type : kTypes) {
    const Transformer model = made(config, type), twin = dequantised(model);
    const std::vector<float> ours = logits_of(model), theirs = logits_of(twin);
    CHECK(largest_difference(ours.data(), theirs.data(), ours.size()) < 2e-4);
  }
}

TEST_CASE("Every expert is quantised as a matrix of its own") {
  ModelConfig config = config_of("rope");
  config.architecture.experts = 5;
  config.architecture.chosen_experts = 2;
  config.architecture.expert_size = 37;
  config.architecture.shared_size = 21;
  for (const WeightType type : kTypes) {
    const Transformer model = made(config, type), twin = dequantised(model);
    const std::vector<float> ours = logits_of(model), theirs = logits_of(twin);
    CHECK(largest_difference(ours.data(), theirs.data(), ours.size()) < 2e-4);
    const float* last = ours.data() + (kCount - 1) * config.vocab_size;
    const std::vector<float> exact = decoded(model, Arithmetic::kExact, 1);
    CHECK(largest_difference(exact.data(), last, exact.size()) < 2e-4);
  }
}

TEST_CASE("Decoding exactly equals the full pass, and quickly is near it") {
  for (const char* scheme : {"rope", "nope", "mla"})
    for (const WeightType type : kTypes) {
      CAPTURE(std::string(scheme));
      const ModelConfig config = config_of(scheme);
      const Transformer model = made(config, type);
      const int vocabulary = config.vocab_size;
      const std::vector<float> full = logits_of(model);
      const float* last = full.data() + (kCount - 1) * vocabulary;
      for (const int prompt : {1, 7, kCount}) {
        const std::vector<float> exact = decoded(model, Arithmetic::kExact, prompt);
        CHECK(largest_difference(exact.data(), last, exact.size()) < 2e-4);
        const std::vector<float> quick = decoded(model, Arithmetic::kQuick, prompt);
        const double difference = largest_difference(quick.data(), last, quick.size());
        if (is_integer(type))
          CHECK(difference > 0);
        else
          CHECK(quick == exact);
        CHECK(difference < 0.5);  // of logits of size 5
      }
      // The rows that are multiplied together do not change the quantisation of a single row.
      const std::vector<float> a = decoded(model, Arithmetic::kQuick, 1);
      const std::vector<float> b = decoded(model, Arithmetic::kQuick, kCount);
      CHECK(largest_difference(a.data(), b.data(), a.size()) < 0.1);
    }
}

TEST_CASE("The loss of quick products is that of quick decoding") {
  for (const WeightType type : kTypes) {
    const Transformer model = made(config_of("rope"), type);
    TransformerActivations activations =
        TransformerActivations::make(model.config(), 1, kCount - 1, Purpose::kInference).take();
    TokenBatch batch;
    batch.ids = kIds;
    batch.length = kCount - 1;
    const double exact = model.loss(batch, kIds + 1, activations).take().mean();
    REQUIRE(model.use(Arithmetic::kQuick, activations).ok());
    const double quick = model.loss(batch, kIds + 1, activations).take().mean();
    CHECK((quick != exact) == is_integer(type));

    Decoder decoder = Decoder::make(model, kCount, Arithmetic::kQuick).take();
    std::vector<float> logits(model.config().vocab_size);
    double sum = 0;
    for (int i = 0; i + 1 < kCount; ++i) {
      REQUIRE(decoder.feed({kIds + i, 1}, logits.data()).ok());
      double partition = 0;
      for (const float logit : logits) partition += std::exp(double(logit));
      sum += std::log(partition) - logits[kIds[i + 1]];
    }
    // A difference in an activation's last bit may change the byte to which it is rounded.
    CHECK(std::abs(sum / (kCount - 1) - quick) < 0.01);
  }
}

TEST_CASE("A model of floats has one arithmetic") {
  const Transformer model = made(config_of("rope"), WeightType::kF32);
  const std::vector<float> exact = decoded(model, Arithmetic::kExact, 7);
  const std::vector<float> quick = decoded(model, Arithmetic::kQuick, 7);
  CHECK(std::memcmp(exact.data(), quick.data(), exact.size() * sizeof(float)) == 0);
}

TEST_CASE(
    "A file of floats loads into a quantised model as if it had been loaded as floats first") {
  const ModelConfig config = config_of("rope");
  const Transformer floats = made(config, WeightType::kF32);
  const auto loaded = [&](const Buffer<std::uint8_t>& bytes, WeightType type) {
    Transformer model = Transformer::blank(config, type).take();
    REQUIRE(load_model({bytes.data(), bytes.size()}, model).ok());
    return model;
  };
  const Buffer<std::uint8_t> whole = save_model(floats, Dtype::kF32).take();
  const Buffer<std::uint8_t> halves = save_model(floats, Dtype::kF16).take();
  const Buffer<std::uint8_t> widened =
      save_model(loaded(halves, WeightType::kF32), Dtype::kF32).take();
  for (const WeightType type : kTypes) {
    CHECK(logits_of(loaded(whole, type)) == logits_of(made(config, type)));
    CHECK(logits_of(loaded(halves, type)) == logits_of(loaded(widened, type)));
    const bool is_of_halves = type == WeightType::kF16;
    const bool is_equal = logits_of(loaded(halves, type)) == logits_of(made(config, type));
    CHECK(is_equal == is_of_halves);
  }
}

TEST_CASE("A number that 16 bits would make infinite is refused, and what holds it is named") {
  const ModelConfig config = config_of("rope");
  Transformer floats = made(config, WeightType::kF32);
  const TensorInfo* info = floats.parameters().find("model.layers.1.mlp.up_proj.weight");
  floats.values()[info->offset + 100] = -65520;
  const Buffer<std::uint8_t> bytes = save_model(floats, Dtype::kF32).take();
  Transformer halves = Transformer::blank(config, WeightType::kF16).take();
  const Status status = load_model({bytes.data(), bytes.size()}, halves);
  CHECK(status.code() == Code::kDtypeOverflow);
  for (const char* part : {info->name, "dtype: \"f16\"", "\"bf16\" or \"f32\""})
    CHECK(std::string(status.message()).find(part) != std::string::npos);
  Transformer bfloats = Transformer::blank(config, WeightType::kBF16).take();
  CHECK(load_model({bytes.data(), bytes.size()}, bfloats).ok());
}

TEST_CASE("What is not finite is not quantised, and the tensor is named") {
  const ModelConfig config = config_of("rope");
  Transformer floats = made(config, WeightType::kF32);
  const TensorInfo* info = floats.parameters().find("model.layers.1.mlp.up_proj.weight");
  floats.values()[info->offset + 100] = std::numeric_limits<float>::infinity();
  const Buffer<std::uint8_t> bytes = save_model(floats, Dtype::kF32).take();
  Transformer model = Transformer::blank(config, WeightType::kInt8).take();
  const Status status = load_model({bytes.data(), bytes.size()}, model, {}, true);
  CHECK(status.code() == Code::kMalformedFile);
  CHECK(std::string(status.message()).find(info->name) != std::string::npos);
}

TEST_CASE("What needs floats refuses a quantised model and says so") {
  Transformer model = made(config_of("rope"), WeightType::kInt4);
  const std::string dtype = "dtype: \"int4\"";
  const auto is_refused = [&](const Status& status) {
    return status.code() == Code::kUnsupported &&
           std::string(status.message()).find(dtype) != std::string::npos;
  };
  CHECK(is_refused(save_model(model, Dtype::kF32).status()));
  CHECK(is_refused(model.make_gradients().status()));
}

TEST_CASE("Another scheme in a quantised model takes its weights as they are") {
  for (const WeightType type : kTypes) {
    const Transformer rope = made(config_of("rope"), type);
    const Transformer nope = Transformer::reconfigured(config_of("nope"), 5, rope).take();
    CHECK(nope.weight_type() == type);
    const std::vector<float> reconfigured = logits_of(nope);
    const std::vector<float> own = logits_of(made(config_of("nope"), type));
    CHECK(std::memcmp(reconfigured.data(), own.data(), own.size() * sizeof(float)) == 0);
    // DeBERTa's scheme reads the layer's query and key projections.
    const Status status = Transformer::reconfigured(config_of("deberta"), 5, rope).status();
    CHECK(status.code() == Code::kUnsupported);
    CHECK(std::string(status.message()).find("f32") != std::string::npos);
  }
}

}  // namespace
}  // namespace wf
