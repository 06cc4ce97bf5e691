// The native side of tests/reference/fifty_losses.json, which the package's tests read too:
// training in a page and in native code gives equal losses. After a change that is meant to change
// the losses:
//   WF_WRITE_LOSSES=1 core_tests -tc="*fifty steps*"
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/model/tiny_model.h"
#include "training/tasks/registry.h"
#include "training/trainer.h"

namespace wf {
namespace {

const std::string kPath = std::string(WF_SOURCE_DIR) + "/tests/reference/fifty_losses.json";

ModelConfig config_of(const nlohmann::json& sizes, const std::string& scheme) {
  ModelConfig config = testing::tiny_config(scheme.c_str());
  config.vocab_size = sizes["vocabSize"];
  config.width = sizes["hiddenSize"];
  config.num_layers = sizes["numLayers"];
  config.num_heads = config.num_kv_heads = sizes["numHeads"];
  config.head_dim = config.width / config.num_heads;
  config.intermediate = sizes["intermediateSize"];
  config.initializer_range = sizes["initializerRange"];
  config.norm_epsilon = 1e-5f;
  return config;
}

TrainerConfig plan_of(const nlohmann::json& file) {
  TrainerConfig plan;
  plan.batch = file["batchSize"];
  plan.length = file["length"];
  plan.seed = file["seed"];
  const float rate = file["learningRate"];
  plan.schedule = {rate, rate / 10, file["warmupSteps"], file["totalSteps"]};
  return plan;
}

}  // namespace

TEST_CASE("The losses of the first fifty steps are those that the package's tests expect") {
  nlohmann::json file = nlohmann::json::parse(std::ifstream(kPath));
  const bool writes = std::getenv("WF_WRITE_LOSSES") != nullptr;
  double largest = 0;
  for (auto& [scheme, losses] : file["losses"].items()) {
    CAPTURE(scheme);
    auto model = Transformer::make(config_of(file["config"], scheme), file["seed"]);
    REQUIRE_MESSAGE(model.ok(), model.status().message());
    auto task =
        make_task(file["task"].get<std::string>().c_str(), {file["config"]["vocabSize"], {}});
    REQUIRE(task.ok());
    auto trainer = Trainer::make(model.value(), *task.value(), plan_of(file));
    REQUIRE_MESSAGE(trainer.ok(), trainer.status().message());
    for (int step = 0; step < 50; ++step) {
      auto report = trainer.value().step();
      REQUIRE(report.ok());
      const double loss = report.value().loss;
      if (writes) losses[static_cast<std::size_t>(step)] = std::round(loss * 1e7) / 1e7;
      const double off = std::fabs(loss - losses[static_cast<std::size_t>(step)].get<double>());
      largest = std::max(largest, off);
    }
  }
  CHECK(largest <= file["tolerance"].get<double>());
  MESSAGE("off by at most " << largest << " nats");
  if (writes) std::ofstream(kPath) << file.dump(2) << "\n";
}

}  // namespace wf
