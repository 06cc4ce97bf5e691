// A forward pass in steps gives what one without steps gives, and what attention records.
#include "model/forward_pass.h"

#include <doctest/doctest.h>

#include <cmath>

#include "attention/recorder.h"
#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"

namespace wf {
namespace {

// More tokens than the rows of a step, and than a block of query rows.
constexpr int kTokens = 1100;

// Measures of all heads of all layers, from a pass with or without steps, and the final states.
struct Outcome {
  std::vector<float> states, measures;
  int steps = 0;
};

Outcome outcome_of(const Transformer& model, bool is_stepped) {
  const ModelConfig& config = model.config();
  const auto ids = testing::random_ids(3, kTokens, config.vocab_size);
  auto activations = testing::activations_for(model, 1, kTokens, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = kTokens;
  std::vector<Recorder> recorders;
  std::vector<Recorder*> addresses;
  recorders.reserve(config.num_layers);
  for (int layer = 0; layer < config.num_layers; ++layer) {
    auto made = Recorder::make(0, {}, model.layer_schemes(layer), config.num_heads, config.head_dim,
                               kTokens, kTokens);
    REQUIRE(made.ok());
    recorders.push_back(made.take());
    REQUIRE(recorders.back().measure(ids).ok());
    addresses.push_back(config.attends(layer) ? &recorders.back() : nullptr);
  }
  Outcome outcome;
  if (is_stepped) {
    auto made = ForwardPass::begin(model, batch, activations, addresses);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    for (ForwardPass& pass = *made.value(); !pass.is_done(); ++outcome.steps)
      REQUIRE(pass.step().ok());
  } else {
    REQUIRE(model.forward(batch, activations, addresses).ok());
  }
  const float* states = activations.final_in();
  outcome.states.assign(states, states + std::size_t(kTokens) * config.width);
  for (const Recorder* recorder : addresses) {
    if (!recorder) continue;
    const HeadMeasures& measures = *recorder->measures();
    for (const Buffer<float>* part :
         {&measures.values(), &measures.curves(), &measures.all_pair_shares()})
      outcome.measures.insert(outcome.measures.end(), part->begin(), part->end());
  }
  return outcome;
}

void check_equal(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::fabs(a[i] - b[i]) > 1e-4 * std::max(1.0f, std::fabs(a[i]))) {
      FAIL_CHECK("number " << i << ": " << a[i] << " and " << b[i]);
      return;
    }
  }
}

}  // namespace

TEST_CASE("a pass in steps gives the states and measures of one without") {
  for (const char* scheme : {"rope", "alibi", "t5", "mla", "learned"})
    for (const bool is_causal : {true, false}) {
      CAPTURE(scheme);
      CAPTURE(is_causal);
      ModelConfig config = testing::tiny_config(scheme, is_causal);
      if (std::string(scheme) == "learned")
        config.layer_types[0].schemes[0] = testing::choice_of("learned", {{"maxPositions", 1200}});
      const Transformer model = testing::rough_model(config);
      const Outcome whole = outcome_of(model, false), stepped = outcome_of(model, true);
      CHECK(stepped.steps > 2 * (kTokens / 48));
      check_equal(whole.states, stepped.states);
      check_equal(whole.measures, stepped.measures);
    }
}

TEST_CASE("blocks of other forms are divided alike") {
  for (const Residual residual : {Residual::kSerial, Residual::kParallel, Residual::kShared})
    for (const bool gated : {true, false}) {
      ModelConfig config = testing::tiny_config("rope");
      config.architecture.residual = residual;
      config.architecture.gated = gated;
      config.layer_types[0].query_key_norm = QueryKeyNorm::kWeighted;
      const Transformer model = testing::rough_model(config);
      check_equal(outcome_of(model, false).states, outcome_of(model, true).states);
    }
}

TEST_CASE("layers with mixers are divided alike, and so are gates") {
  for (const bool has_delta_rule : {true, false}) {
    ModelConfig config = testing::tiny_config("rope");
    config.architecture.attention_gate = AttentionGate::kChannels;
    config.architecture.delta_taps = config.architecture.delta_key_heads = 2;
    config.architecture.delta_value_heads = 4;
    config.architecture.delta_key_dim = 5;
    config.architecture.delta_value_dim = 3;
    config.layer_type_count = 2;
    config.layer_types[1] = {};
    config.layer_types[1].delta_rule = has_delta_rule;
    config.layer_types[1].convolution = has_delta_rule ? 0 : 3;
    config.layer_type_of[0] = 1;
    const Transformer model = testing::rough_model(config);
    const Outcome whole = outcome_of(model, false), stepped = outcome_of(model, true);
    check_equal(whole.states, stepped.states);
    check_equal(whole.measures, stepped.measures);
  }
}

TEST_CASE("a pass in steps refuses several texts and wrong ids") {
  const Transformer model = testing::tiny_model("rope");
  auto activations = testing::activations_for(model, 2, 4, Purpose::kInference);
  const std::int32_t ids[] = {1, 2, 3, 4, 5, 6, 7, 19};
  TokenBatch batch;
  batch.ids = ids;
  batch.batch = 2;
  batch.length = 4;
  CHECK(ForwardPass::begin(model, batch, activations, {}).status().code() == Code::kUnsupported);
  batch.batch = 1;
  batch.ids = ids + 4;
  CHECK(ForwardPass::begin(model, batch, activations, {}).status().code() ==
        Code::kInvalidArgument);
}

}  // namespace wf
