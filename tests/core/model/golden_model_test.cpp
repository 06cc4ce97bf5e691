// Compares whole models with PyTorch: logits, loss, every gradient, every attention map.
#include <doctest/doctest.h>

#include <cmath>

#include "attention/recorder.h"
#include "core/model/tiny_model.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

const char* const kFiles[] = {"model_rope.json",   "model_alibi.json",   "model_nope.json",
                              "encoder_nope.json", "model_smollm3.json", "model_qwen3.json",
                              "model_sinks.json",  "model_softcap.json"};

double farthest(const float* ours, const std::vector<float>& theirs) {
  double farthest = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double distance =
        std::fabs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i]));
    if (!(distance <= farthest)) farthest = distance;  // NaN counts as farthest
  }
  return farthest;
}

TransformerActivations activations_for(const Transformer& model, int batch, int length,
                                       Purpose purpose) {
  auto made = TransformerActivations::make(model.config(), batch, length, purpose);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

}  // namespace

TEST_CASE("A whole model's logits equal PyTorch's, with memory for inference and for training") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    const auto file = reference::golden(name);
    const Transformer model = testing::golden_model(file);
    const testing::GoldenBatch batch = testing::golden_batch(file);
    for (const Purpose purpose : {Purpose::kInference, Purpose::kTraining}) {
      auto activations = activations_for(model, batch.batch, batch.length, purpose);
      std::vector<float> logits(batch.ids.size() * 19);
      REQUIRE(model.forward_logits(batch.tokens(), activations, logits.data()).ok());
      reference::check_golden(name, "logits",
                              farthest(logits.data(), reference::floats(file["logits"])));
    }
  }
}

TEST_CASE("A whole model's loss and every gradient equal PyTorch's") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    const auto file = reference::golden(name);
    const Transformer model = testing::golden_model(file);
    const testing::GoldenBatch batch = testing::golden_batch(file);
    auto activations = activations_for(model, batch.batch, batch.length, Purpose::kTraining);
    auto gradients = model.make_gradients();
    REQUIRE(gradients.ok());
    auto loss = model.loss_and_gradient(batch.tokens(), batch.targets.data(),
                                        1.0f / static_cast<float>(batch.counted), activations,
                                        gradients.value());
    REQUIRE_MESSAGE(loss.ok(), loss.status().message());
    CHECK(loss.value().counted == batch.counted);
    reference::check_golden(name, "loss",
                            std::fabs(loss.value().mean() - file["loss"].get<double>()));
    for (const auto& [tensor, expected] : file["gradients"].items()) {
      CAPTURE(tensor);
      const TensorInfo* info = model.parameters().find(tensor.c_str());
      REQUIRE(info);
      reference::check_golden(
          name, "gradients",
          farthest(gradients.value().values() + info->offset, reference::floats(expected)));
    }
  }
}

TEST_CASE("A whole model's attention maps equal PyTorch's") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    const auto file = reference::golden(name);
    const Transformer model = testing::golden_model(file);
    const testing::GoldenBatch batch = testing::golden_batch(file);
    const std::vector<float> expected = reference::floats(file["attention"]);
    const int t = batch.length, layers = model.config().num_layers;
    const int per_sequence = model.config().num_heads * t * t;
    auto activations = activations_for(model, 1, t, Purpose::kInference);
    for (int b = 0; b < batch.batch; ++b) {
      std::vector<Recorder> recorders;
      std::vector<Recorder*> pointers;
      for (int layer = 0; layer < layers; ++layer) {
        auto recorder = Recorder::make(kRecordWeights, {}, model.layer_schemes(layer),
                                       model.config().num_heads, model.config().head_dim, t, t);
        REQUIRE(recorder.ok());
        recorders.push_back(recorder.take());
      }
      for (Recorder& recorder : recorders) pointers.push_back(&recorder);
      TokenBatch tokens;
      tokens.ids = batch.ids.data() + b * t;
      tokens.length = t;
      REQUIRE(model.forward(tokens, activations, pointers).ok());
      for (int layer = 0; layer < layers; ++layer) {
        const float* theirs = expected.data() + (layer * batch.batch + b) * per_sequence;
        reference::check_golden(
            name, "attention",
            farthest(recorders[static_cast<std::size_t>(layer)].weights().data(),
                     {theirs, theirs + per_sequence}));
      }
    }
  }
}

}  // namespace wf
