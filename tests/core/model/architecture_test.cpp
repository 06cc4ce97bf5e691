// Architectures that differ from Llama's: place of norms, biases, activations, parallel residuals,
// multipliers, output heads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"
#include "model/decoder.h"
#include "tensor/random.h"

namespace wf {
namespace {

using testing::refusal_of;

// Sizes that are no multiples of a vector's lanes, and one key head for three query heads.
ModelConfig odd_config(const Architecture& architecture) {
  ModelConfig config = testing::tiny_config("rope");
  config.width = 13;
  config.num_heads = 3;
  config.num_kv_heads = 1;
  config.head_dim = 6;
  config.intermediate = 11;
  config.architecture = architecture;
  return config;
}

Architecture gpt2_like() {
  Architecture a;
  a.norm = NormKind::kLayer;
  a.norm_bias = a.query_bias = a.output_bias = a.feed_bias = true;
  a.gated = false;
  a.activation = Activation::kGeluTanh;
  return a;
}

Architecture with_place(Architecture a, NormPlace place) {
  a.norm_place = place;
  return a;
}

Architecture with_residual(Architecture a, Residual residual) {
  a.residual = residual;
  return a;
}

std::vector<Architecture> all_architectures() {
  Architecture scaled;
  scaled.embedding_scale = 3;
  scaled.attention_scale = 0.2f;
  scaled.residual_scale = 0.6f;
  scaled.logit_scale = 0.3f;
  scaled.output_bias = scaled.feed_bias = true;
  scaled.activation = Activation::kGelu;
  Architecture own_head = gpt2_like();
  own_head.head = Head::kOwn;
  own_head.head_bias = own_head.embedding_norm = true;
  own_head.logit_scale = 0.5f;
  Architecture bert = with_place(gpt2_like(), NormPlace::kAfter);
  bert.token_types = 2;
  bert.embedding_norm = true;
  bert.final_norm = false;
  bert.activation = Activation::kGelu;
  Architecture without_bias = gpt2_like();
  without_bias.norm_bias = false;
  without_bias.activation = Activation::kRelu;
  Architecture no_first_norm = gpt2_like();
  no_first_norm.first_norm = false;
  Architecture tied_bias = gpt2_like();
  tied_bias.head_bias = true;
  Architecture adaptive = tied_bias;
  adaptive.logit_scale = 0.7f;
  adaptive.cluster_count = 2;
  adaptive.cutoffs[0] = 5;
  adaptive.cutoffs[1] = 14;
  Architecture adaptive_own;
  adaptive_own.head = Head::kOwn;
  adaptive_own.cluster_count = 1;
  adaptive_own.cutoffs[0] = 18;
  Architecture pieces = adaptive;
  pieces.embedding_width = 9;
  pieces.cluster_divisor = 3;
  Architecture pieces_own = adaptive_own;
  pieces_own.cutoffs[0] = 8;
  pieces_own.embedding_width = 14;
  pieces_own.embedding_scale = 1.7f;
  Architecture one_piece;
  one_piece.embedding_width = 6;
  one_piece.logit_scale = 0.6f;
  Architecture experts;
  experts.experts = 5;
  experts.chosen_experts = 2;
  experts.expert_size = 7;
  Architecture shared = experts;
  shared.router = Router::kSoftmaxOfChosen;
  shared.shared_size = 10;
  shared.shared_scale = true;
  shared.residual_scale = 0.6f;
  Architecture clamped = experts;
  clamped.activation = Activation::kGeluSigmoid;
  clamped.router = Router::kSoftmaxOfChosen;
  clamped.feed_bias = clamped.router_bias = true;
  clamped.gate_limit = 0.7f;
  clamped.up_offset = 1;
  Architecture sigmoid = with_place(experts, NormPlace::kAround);
  sigmoid.router = Router::kSigmoid;
  sigmoid.router_scale = 1.7f;
  sigmoid.shared_size = 4;
  Architecture preferred = with_residual(experts, Residual::kShared);
  preferred.router = Router::kSigmoidOfChosen;
  preferred.router_preference = true;
  preferred.router_scale = 0.8f;
  Architecture scales_inputs = experts;
  scales_inputs.router = Router::kSigmoid;
  scales_inputs.router_scales_inputs = true;
  scales_inputs.shared_size = 7;
  Architecture albert = bert;
  albert.head = Head::kOwn;
  albert.input_width = 9;
  albert.layer_groups = 1;
  Architecture wide_inputs;
  wide_inputs.head = Head::kOwn;
  wide_inputs.input_width = 17;
  wide_inputs.embedding_scale = 1.7f;
  wide_inputs.layer_groups = 2;
  return {experts,
          shared,
          scales_inputs,
          albert,
          wide_inputs,
          clamped,
          sigmoid,
          preferred,
          with_place(experts, NormPlace::kAfter),
          with_place(experts, NormPlace::kOutput),
          gpt2_like(),
          no_first_norm,
          pieces,
          pieces_own,
          one_piece,
          tied_bias,
          adaptive,
          adaptive_own,
          scaled,
          own_head,
          bert,
          without_bias,
          with_place({}, NormPlace::kOutput),
          with_place({}, NormPlace::kAround),
          with_place({}, NormPlace::kAfter),
          with_residual({}, Residual::kParallel),
          with_residual(gpt2_like(), Residual::kParallel),
          with_residual(gpt2_like(), Residual::kShared)};
}

// Makes a model whose norms are near one and whose other parameters, biases included, are far from
// zero. A norm after a projection gives steep slopes if weights are small, so these are not.
Transformer rough_model(const ModelConfig& config) {
  Transformer model = testing::rough_model(config);
  Random random(7);
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    float* values = model.values() + info.offset;
    for (std::size_t j = 0; j < info.size(); ++j)
      values[j] = (info.dimensions == 1 ? values[j] : 0) + 0.35f * random.normal();
  }
  return model;
}

}  // namespace

TEST_CASE("Gradients equal finite differences in every architecture") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  std::vector<std::int32_t> types(20);
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = i % 3 == 0;
  for (const Architecture& architecture : all_architectures()) {
    TokenBatch batch;
    batch.ids = ids.data();
    batch.batch = 2;
    batch.length = 10;
    if (architecture.token_types) batch.types = types.data();
    Transformer model = rough_model(odd_config(architecture));
    testing::check_gradients(model, batch, targets, 0.002);
  }
}

TEST_CASE("Every norm of queries and keys has its gradient, and decodes") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 20;
  for (const QueryKeyNorm norm : {QueryKeyNorm::kWhole, QueryKeyNorm::kLayer,
                                  QueryKeyNorm::kLayerHeads, QueryKeyNorm::kWeightedAfter}) {
    ModelConfig config = odd_config(with_place({}, NormPlace::kOutput));
    config.layer_types[0].query_key_norm = norm;
    Transformer model = rough_model(config);
    testing::check_gradients(model, batch, targets, 0.0005);
    for (const int chunk : {1, 7, 20}) testing::check_decoding(model, ids, chunk, 5e-5f);
  }
}

TEST_CASE("The weights of a norm after the transforms work with every transform") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 20;
  for (const char* scheme : {"nope", "alibi", "xpos", "query_scale", "pope", "cope"}) {
    CAPTURE(scheme);
    ModelConfig config = odd_config({});
    config.layer_types[0] = testing::tiny_config(scheme).layer_types[0];
    config.layer_types[0].query_key_norm = QueryKeyNorm::kWeightedAfter;
    Transformer model = rough_model(config);
    testing::check_gradients(model, batch, targets, 0.0005);
    for (const int chunk : {1, 7, 20}) testing::check_decoding(model, ids, chunk, 5e-5f);
  }
}

TEST_CASE("Layers of a group have one set of weights") {
  Architecture architecture;
  architecture.layer_groups = 2;
  ModelConfig config = odd_config(architecture);
  config.num_layers = 4;
  const Transformer model = rough_model(config);
  for (const int layer : {0, 1, 2, 3}) {
    const std::string name = "model.layers." + std::to_string(layer) + ".mlp.up_proj.weight";
    CHECK((model.parameters().find(name.c_str()) != nullptr) == (layer % 2 == 0));
    CHECK(model.block(layer).up == model.block(layer - layer % 2).up);
  }
  CHECK(model.block(0).up != model.block(2).up);
  Architecture separate;
  ModelConfig other = odd_config(separate);
  other.num_layers = 4;
  const double all = Transformer::blank(other).take().parameters().parameter_count();
  const double shared = model.parameters().parameter_count();
  const double outside = 19.0 * 13 + 13;
  CHECK(2 * (shared - outside) == all - outside);
  config.architecture.layer_groups = 3;
  CHECK(refusal_of(config) == "architecture.layerGroups: 3 (expected a divisor of numLayers, 4)");
  // A layer whose tensors differ cannot share.
  config.architecture.layer_groups = 2;
  config.layer_type_count = 2;
  config.layer_types[1] = config.layer_types[0];
  config.layer_types[1].query_key_norm = QueryKeyNorm::kWeighted;
  config.layer_type_of[1] = 1;
  CHECK(Transformer::blank(config).status().code() == Code::kUnsupported);
}

TEST_CASE("A token reads the weights of its experts only") {
  Architecture architecture;
  architecture.experts = 6;
  architecture.chosen_experts = 2;
  architecture.expert_size = 7;
  Transformer model = rough_model(odd_config(architecture));
  const auto logit_of = [&] {
    Decoder decoder = Decoder::make(model, 1).take();
    const std::int32_t id = 5;
    std::vector<float> logits(19);
    REQUIRE(decoder.feed({&id, 1}, logits.data()).ok());
    return logits[0];
  };
  const float expected = logit_of();
  for (const char* part : {"gate_proj", "up_proj", "down_proj"}) {
    const std::string name = std::string("model.layers.1.mlp.experts.") + part + ".weight";
    const TensorInfo* info = model.parameters().find(name.c_str());
    REQUIRE(info);
    const std::size_t size = info->size() / 6;
    int read = 0;
    for (std::size_t expert = 0; expert < 6; ++expert) {
      float* weights = model.values() + info->offset + expert * size;
      const std::vector<float> kept(weights, weights + size);
      std::fill_n(weights, size, std::numeric_limits<float>::quiet_NaN());
      const float logit = logit_of();
      if (std::isnan(logit))
        ++read;
      else
        CHECK(logit == expected);
      std::copy(kept.begin(), kept.end(), weights);
    }
    CHECK(read == 2);
  }
}

// A model whose first layer has a convolution.
ModelConfig convolution_config(int taps, bool has_bias) {
  Architecture architecture;
  architecture.convolution_bias = has_bias;
  ModelConfig config =
      odd_config(has_bias ? with_place(architecture, NormPlace::kAround) : architecture);
  config.layer_type_count = 2;
  config.layer_types[1] = {};
  config.layer_types[1].convolution = taps;
  config.layer_type_of[0] = 1;
  return config;
}

// A model whose first layer has the gated delta rule, with two heads of values for each of keys,
// and whose second has a gate.
ModelConfig delta_config(int taps, AttentionGate gate) {
  Architecture architecture;
  architecture.delta_taps = taps;
  architecture.delta_key_heads = 2;
  architecture.delta_value_heads = 4;
  architecture.delta_key_dim = 5;
  architecture.delta_value_dim = 3;
  architecture.attention_gate = gate;
  architecture.query_bias = taps == 1;
  ModelConfig config = odd_config(architecture);
  config.layer_type_count = 2;
  config.layer_types[1] = {};
  config.layer_types[1].delta_rule = true;
  config.layer_type_of[0] = 1;
  return config;
}

// A model whose first layer has Mamba-2, with two heads of values in each group.
ModelConfig space_config(int taps, bool has_bias) {
  ModelConfig config = delta_config(taps, AttentionGate::kNone);
  config.architecture.query_bias = false;
  config.architecture.convolution_bias = has_bias;
  config.architecture.state_step_min = has_bias ? 0.5f : 0;
  config.architecture.state_step_max = has_bias ? 1.2f : 0;
  config.layer_types[1] = {};
  config.layer_types[1].state_space = true;
  return config;
}

TEST_CASE("Mixers have their gradients, also of packed texts and hidden tokens") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  std::vector<std::int32_t> segments(20);
  std::vector<std::uint8_t> visible(20, 1);
  for (std::size_t i = 0; i < 20; ++i) segments[i] = i % 10 < 4 ? 0 : 1;
  visible[2] = visible[13] = 0;
  for (const ModelConfig& config :
       {convolution_config(3, false), convolution_config(3, true),
        delta_config(3, AttentionGate::kChannels), delta_config(1, AttentionGate::kHeads),
        space_config(4, true), space_config(1, false)}) {
    Transformer model = rough_model(config);
    // Outputs without lengths of 1 are steeper.
    const double step = config.layer_types[1].state_space ? 0.0005 : 0.002;
    TokenBatch batch;
    batch.ids = ids.data();
    batch.batch = 2;
    batch.length = 10;
    testing::check_gradients(model, batch, targets, step);
    batch.segments = segments.data();
    testing::check_gradients(model, batch, targets, step);
    batch.segments = nullptr;
    batch.visible = visible.data();
    testing::check_gradients(model, batch, targets, step);
    testing::check_saving(model.config());
  }
}

TEST_CASE("A mixer reads no token of another segment") {
  const std::vector<std::int32_t> ids = testing::random_ids(3, 10, 19);
  for (const ModelConfig& config : {convolution_config(4, true),
                                    delta_config(4, AttentionGate::kNone), space_config(4, true)}) {
    const Transformer model = rough_model(config);
    std::vector<std::int32_t> segments(10);
    for (std::size_t i = 4; i < 10; ++i) segments[i] = 1;
    TokenBatch batch;
    batch.ids = ids.data();
    batch.length = 10;
    batch.segments = segments.data();
    auto activations = testing::activations_for(model, 1, 10, Purpose::kInference);
    std::vector<float> packed(190);
    REQUIRE(model.forward_logits(batch, activations, packed.data()).ok());
    const std::vector<float> alone =
        testing::full_logits(model, std::vector<std::int32_t>(ids.begin() + 4, ids.end()));
    for (std::size_t i = 0; i < alone.size(); ++i)
      CHECK(std::fabs(packed[4 * 19 + i] - alone[i]) < 5e-5f);
  }
}

TEST_CASE("Mixers decode, also after tokens were removed") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 30, 19);
  for (const ModelConfig& config :
       {convolution_config(1, false), convolution_config(3, true), convolution_config(7, false),
        delta_config(1, AttentionGate::kHeads), delta_config(4, AttentionGate::kChannels),
        delta_config(9, AttentionGate::kNone), space_config(1, false), space_config(4, true)}) {
    const Transformer model = rough_model(config);
    for (const int chunk : {1, 7, 30}) testing::check_decoding(model, ids, chunk, 5e-5f);
    Decoder decoder = Decoder::make(model, 30).take();
    std::vector<float> expected(19), logits(19);
    REQUIRE(decoder.feed(ids, expected.data()).ok());
    Decoder other = decoder.clone().take();
    for (Decoder* one : {&decoder, &other}) {
      REQUIRE(one->truncate(17).ok());
      // The delta rule's state is of all tokens, so none is left.
      const int kept = config.mixer_state(0) ? 0 : 17;
      REQUIRE(one->length() == kept);
      REQUIRE(one->feed({ids.data() + kept, std::size_t(30 - kept)}, logits.data()).ok());
      for (std::size_t i = 0; i < logits.size(); ++i)
        CHECK(std::fabs(logits[i] - expected[i]) < 5e-5f);
    }
    CHECK(decoder.prepare_to_evict().code() == Code::kUnsupported);
    const std::int32_t layer = 0;
    CHECK(decoder.prepare_to_record({&layer, 1}, false).code() == Code::kUnsupported);
  }
}

TEST_CASE("Biases that positions share with the layer's projections have their gradient") {
  ModelConfig config = odd_config(gpt2_like());
  config.layer_types[0].schemes[0] = testing::choice_of("deberta", {{"maxRelativePositions", 6}});
  Transformer model = rough_model(config);
  const std::vector<std::int32_t> ids = testing::random_ids(3, 20, 19);
  const std::vector<std::int32_t> targets = testing::random_ids(4, 20, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 20;
  testing::check_gradients(model, batch, targets, 0.002);
  for (const int chunk : {1, 7, 20}) testing::check_decoding(model, ids, chunk, 5e-5f);
}

TEST_CASE("Decoding equals one pass in every architecture") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 30, 19);
  for (const Architecture& architecture : all_architectures()) {
    const Transformer model = rough_model(odd_config(architecture));
    for (const int chunk : {1, 7, 30}) testing::check_decoding(model, ids, chunk, 5e-5f);
  }
}

TEST_CASE("Every architecture gives the same numbers with memory for inference and for training") {
  const std::vector<std::int32_t> ids = testing::random_ids(2, 12, 19);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = 12;
  std::vector<ModelConfig> configs = {convolution_config(3, true),
                                      delta_config(3, AttentionGate::kChannels)};
  for (const Architecture& architecture : all_architectures())
    configs.push_back(odd_config(architecture));
  for (const ModelConfig& config : configs) {
    const Transformer model = rough_model(config);
    const std::vector<float> expected = testing::full_logits(model, ids);
    auto activations = testing::activations_for(model, 1, 12, Purpose::kTraining);
    std::vector<float> logits(expected.size());
    REQUIRE(model.forward_logits(batch, activations, logits.data()).ok());
    for (std::size_t i = 0; i < logits.size(); ++i)
      CHECK(std::fabs(logits[i] - expected[i]) < 1e-6f);
  }
}

TEST_CASE("Every architecture saves and loads") {
  for (const Architecture& architecture : all_architectures())
    testing::check_saving(odd_config(architecture));
}

TEST_CASE("An encoder without a head has hidden states, and refuses logits, loss and generation") {
  Architecture bert = with_place(gpt2_like(), NormPlace::kAfter);
  bert.head = Head::kNone;
  ModelConfig config = odd_config(bert);
  config.is_causal = false;
  Transformer model = rough_model(config);
  auto activations = testing::activations_for(model, 1, 4, Purpose::kTraining);
  const std::int32_t ids[] = {1, 2, 3, 4};
  TokenBatch batch;
  batch.ids = ids;
  batch.length = 4;
  CHECK(model.forward(batch, activations).ok());
  float logits[4 * 19];
  CHECK(model.forward_logits(batch, activations, logits).code() == Code::kUnsupported);
  CHECK(model.loss(batch, ids, activations).status().code() == Code::kUnsupported);
  auto gradients = model.make_gradients();
  REQUIRE(gradients.ok());
  CHECK(model.loss_and_gradient(batch, ids, 1, activations, gradients.value()).status().code() ==
        Code::kUnsupported);
}

TEST_CASE("What does not fit together is refused") {
  const auto refusal = [](auto change) {
    Architecture a;
    change(a);
    return refusal_of(odd_config(a));
  };
  CHECK(refusal([](Architecture& a) { a.norm_bias = true; }) ==
        "architecture: an RMSNorm has no bias");
  CHECK(refusal([](Architecture& a) {
          a.residual = Residual::kShared;
          a.norm_place = NormPlace::kAfter;
        }).find("parallel residual") != std::string::npos);
  CHECK(refusal([](Architecture& a) {
          a.head_bias = true;
          a.head = Head::kNone;
        }).find("headBias needs an output head") != std::string::npos);
  CHECK(refusal([](Architecture& a) {
          a.logit_scale = NAN;
        }).find("architecture.logitScale: nan") != std::string::npos);
  CHECK(refusal([](Architecture& a) { a.embedding_scale = 0; }) ==
        "architecture.embeddingScale: 0 (expected a finite number above 0, up to 1e+30)");
  CHECK(refusal([](Architecture& a) { a.token_types = -1; }).find("architecture.tokenTypes: -1") !=
        std::string::npos);
  const auto refusal_of_cutoffs = [&](int first, int second, Head head) {
    return refusal([&](Architecture& a) {
      a.head = head;
      a.cluster_count = 2;
      a.cutoffs[0] = first;
      a.cutoffs[1] = second;
    });
  };
  CHECK(refusal_of_cutoffs(0, 4, Head::kOwn) == "architecture.cutoffs[0]: 0 (expected 1 to 18)");
  CHECK(refusal_of_cutoffs(4, 4, Head::kOwn) == "architecture.cutoffs[1]: 4 (expected 5 to 18)");
  CHECK(refusal_of_cutoffs(4, 19, Head::kTied) == "architecture.cutoffs[1]: 19 (expected 5 to 18)");
  CHECK(refusal_of_cutoffs(4, 5, Head::kNone).find("need an output head") != std::string::npos);
}

TEST_CASE("Tables narrower than the model have a column at least, in each cluster") {
  const auto refusal = [](int width, int divisor, bool is_crossed = false) {
    Architecture a;
    a.cluster_count = 2;
    a.cutoffs[0] = 4;
    a.cutoffs[1] = 9;
    a.embedding_width = width;
    a.cluster_divisor = divisor;
    a.cross_attention = is_crossed;
    return refusal_of(odd_config(a));
  };
  CHECK(refusal(-1, 1) == "architecture.embeddingWidth: -1 (expected an integer from 0 to 16384)");
  CHECK(refusal(9, 0) == "architecture.clusterDivisor: 0 (expected an integer from 1 to 16384)");
  CHECK(refusal(0, 2) == "architecture.clusterDivisor: 2 (expected 1 without embeddingWidth)");
  CHECK(refusal(9, 4) ==
        "architecture.clusterDivisor: 4 (expected a divisor that leaves each of 2 clusters at "
        "least one of embeddingWidth 9 columns)");
  CHECK(refusal(9, 3, true) == "architecture.embeddingWidth: not supported with crossAttention");
}

TEST_CASE("A type of token outside the table is refused") {
  Architecture a;
  a.token_types = 2;
  const Transformer model = rough_model(odd_config(a));
  auto activations = testing::activations_for(model, 1, 2, Purpose::kInference);
  const std::int32_t ids[] = {1, 2}, types[] = {0, 2};
  TokenBatch batch;
  batch.ids = ids;
  batch.length = 2;
  batch.types = types;
  CHECK(std::string(model.forward(batch, activations).message()) ==
        "types[1]: 2 (expected 0 to 1)");
}

}  // namespace wf
