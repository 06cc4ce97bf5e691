// Compares ten training steps of a whole model with PyTorch's AdamW.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/model/tiny_model.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "training/trainer.h"

namespace wf {
namespace {

// A task that returns the same batch every time.
class OneBatch final : public Task {
 public:
  explicit OneBatch(const testing::GoldenBatch& batch) : batch_(batch) {}
  void fill(Random&, int, int, std::int32_t* ids, std::int32_t* targets) const override {
    std::copy(batch_.ids.begin(), batch_.ids.end(), ids);
    std::copy(batch_.targets.begin(), batch_.targets.end(), targets);
  }

 private:
  const testing::GoldenBatch& batch_;
};

}  // namespace

TEST_CASE("Ten training steps follow PyTorch's, in one slice or two") {
  const char* name = "training_losses.json";
  const auto expected = reference::golden(name);
  const auto file = reference::golden(expected["model"]);
  const testing::GoldenBatch batch = testing::golden_batch(file);
  const OneBatch task(batch);
  for (const int slices : {1, 2}) {
    CAPTURE(slices);
    Transformer model = testing::golden_model(file);
    TrainerConfig config;
    config.batch = batch.batch;
    config.length = batch.length;
    config.slices = slices;
    const float rate = expected["learningRate"];
    config.schedule = {rate, rate, 0, 1};
    config.weight_decay = expected["weightDecay"];
    config.clip = expected["clipNorm"];
    config.epsilon = expected["eps"];
    auto trainer = Trainer::make(model, task, config);
    REQUIRE_MESSAGE(trainer.ok(), trainer.status().message());
    for (std::size_t s = 0; s < expected["losses"].size(); ++s) {
      auto report = trainer.value().step();
      REQUIRE(report.ok());
      reference::check_golden(name, "losses",
                              std::fabs(report.value().loss - expected["losses"][s].get<double>()));
      reference::check_golden(
          name, "gradientNorms",
          std::fabs(report.value().gradient_norm - expected["gradientNorms"][s].get<double>()));
    }
    const std::vector<float> norm = reference::floats(expected["finalNormWeight"]);
    const float* ours = model.parameters().of_model(model.values(), ModelTensor::kFinalNorm);
    for (std::size_t i = 0; i < norm.size(); ++i)
      reference::check_golden(name, "finalNormWeight", std::fabs(ours[i] - norm[i]));
  }
}

}  // namespace wf
