#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"
#include "training/tasks/registry.h"
#include "training/trainer.h"

namespace wf {
namespace {

ModelConfig learner_config(int vocab_size, int layers) {
  ModelConfig config = testing::tiny_config("rope");
  config.vocab_size = vocab_size;
  config.width = 32;
  config.num_layers = layers;
  config.num_heads = config.num_kv_heads = 2;
  config.head_dim = 16;
  config.intermediate = 64;
  config.initializer_range = 0.2f;
  return config;
}

TrainerConfig learner_plan(int steps) {
  TrainerConfig plan;
  plan.length = 12;
  plan.schedule = {5e-3f, 5e-4f, std::min(20, steps), steps};
  plan.weight_decay = 0.01f;
  return plan;
}

Transformer model_of(const ModelConfig& config) {
  auto model = Transformer::make(config, 1);
  REQUIRE_MESSAGE(model.ok(), model.status().message());
  return model.take();
}

std::unique_ptr<Task> task_of(const char* id, int vocab_size) {
  auto task = make_task(id, {vocab_size, {}});
  REQUIRE(task.ok());
  return task.take();
}

Trainer trainer_of(Transformer& model, const Task& task, const TrainerConfig& plan,
                   Executor* executor = nullptr) {
  auto trainer = Trainer::make(model, task, plan, executor);
  REQUIRE_MESSAGE(trainer.ok(), trainer.status().message());
  return trainer.take();
}

double run(Trainer& trainer, int steps) {
  double loss = 0;
  for (int i = 0; i < steps; ++i) {
    auto report = trainer.step();
    REQUIRE_MESSAGE(report.ok(), report.status().message());
    loss = report.value().loss;
  }
  return loss;
}

bool same_values(const Transformer& a, const Transformer& b) {
  return std::memcmp(a.values(), b.values(), a.parameters().total() * sizeof(float)) == 0;
}

// Runs tasks in reverse order: the result must not depend on the order.
class Backwards final : public Executor {
 public:
  void run(int count, void (*task)(void*, int), void* context) override {
    for (int i = count - 1; i >= 0; --i) task(context, i);
  }
};

// On sequences longer than in training the loss must be finite; its size depends on the scheme.
void check_learns(const char* id, int vocab_size, int layers, int steps, double threshold) {
  Transformer model = model_of(learner_config(vocab_size, layers));
  const auto task = task_of(id, vocab_size);
  Trainer trainer = trainer_of(model, *task, learner_plan(steps));
  const double before = trainer.evaluate(12, 20, 99).value().mean();
  run(trainer, steps);
  const double after = trainer.evaluate(12, 20, 99).value().mean();
  CHECK(before > 0.8 * std::log(vocab_size));  // near chance at first
  CHECK(after < threshold);
  CHECK(std::isfinite(trainer.evaluate(48, 4, 99).value().mean()));
}

}  // namespace

TEST_CASE("A one-layer model learns to copy, to below 0.1 nats") {
  check_learns("copy", 8, 1, 160, 0.1);
}

TEST_CASE("A two-layer model learns induction, to below 0.5 nats") {
  check_learns("induction", 6, 2, 300, 0.5);
}

TEST_CASE("A resumed run equals an uninterrupted one, bit by bit") {
  const auto task = task_of("copy", 8);
  const TrainerConfig plan = learner_plan(12);
  Transformer whole = model_of(learner_config(8, 1)), first = model_of(learner_config(8, 1));
  Trainer uninterrupted = trainer_of(whole, *task, plan);
  run(uninterrupted, 12);

  Trainer interrupted = trainer_of(first, *task, plan);
  run(interrupted, 5);
  auto state = interrupted.save_state();
  REQUIRE(state.ok());

  ModelConfig config = learner_config(8, 1);
  auto made = Transformer::make(config, 77);  // other initial values: all must come from the state
  REQUIRE(made.ok());
  Transformer second = made.take();
  TrainerConfig other_seed = plan;
  other_seed.seed = 1234;
  Trainer resumed = trainer_of(second, *task, other_seed);
  REQUIRE(resumed.restore_state({state.value().data(), state.value().size()}).ok());
  CHECK(resumed.steps_done() == 5);
  run(resumed, 7);
  CHECK(same_values(whole, second));
}

TEST_CASE("A state that does not fit is refused and changes nothing") {
  const auto task = task_of("copy", 8);
  Transformer small = model_of(learner_config(8, 1)), deep = model_of(learner_config(8, 2));
  Trainer trainer = trainer_of(small, *task, learner_plan(10));
  Trainer other = trainer_of(deep, *task, learner_plan(10));
  run(trainer, 2);
  const Transformer before = [&] {
    Transformer copy = model_of(learner_config(8, 1));
    std::memcpy(copy.values(), small.values(), small.parameters().total() * sizeof(float));
    return copy;
  }();
  const auto refusal = [&](std::span<const std::uint8_t> bytes) {
    const Status status = trainer.restore_state(bytes);
    REQUIRE(!status.ok());
    CHECK(status.code() == Code::kMalformedFile);
    CHECK(same_values(small, before));
    CHECK(trainer.steps_done() == 2);
    return std::string(status.message());
  };
  auto state = other.save_state();
  REQUIRE(state.ok());
  CHECK(refusal({state.value().data(), state.value().size()}) ==
        "not a state of this training: it is of a model of another size");
  auto weights = save_model(small, Dtype::kF32);
  REQUIRE(weights.ok());
  CHECK(refusal({weights.value().data(), weights.value().size()}) ==
        "not a state of this training: a tensor is missing");
  auto own = trainer.save_state();
  REQUIRE(own.ok());
  refusal({own.value().data(), own.value().size() - 1});
  std::string text(reinterpret_cast<const char*>(own.value().data()), own.value().size());
  text[text.find("\"step\":\"2\"") + 8] = 'x';
  refusal({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST_CASE("A run depends on seed and slices, not on who runs the slices") {
  const auto task = task_of("copy", 8);
  TrainerConfig plan = learner_plan(6);
  plan.slices = 4;
  Backwards backwards;
  Transformer a = model_of(learner_config(8, 1)), b = model_of(learner_config(8, 1));
  Transformer c = model_of(learner_config(8, 1));
  Trainer serial = trainer_of(a, *task, plan), reversed = trainer_of(b, *task, plan, &backwards);
  run(serial, 6);
  run(reversed, 6);
  CHECK(same_values(a, b));
  plan.seed = 1;
  Trainer other = trainer_of(c, *task, plan);
  run(other, 6);
  CHECK(!same_values(a, c));
}

TEST_CASE("Slices do not change what is computed, only its rounding") {
  const auto task = task_of("induction", 8);
  TrainerConfig plan = learner_plan(1);
  Transformer a = model_of(learner_config(8, 1)), b = model_of(learner_config(8, 1));
  Trainer whole = trainer_of(a, *task, plan);
  plan.slices = 8;
  Trainer sliced = trainer_of(b, *task, plan);
  const auto one = whole.step(), eight = sliced.step();
  REQUIRE(one.ok());
  REQUIRE(eight.ok());
  CHECK(one.value().loss == doctest::Approx(eight.value().loss).epsilon(1e-6));
  CHECK(one.value().gradient_norm == doctest::Approx(eight.value().gradient_norm).epsilon(1e-5));
}

TEST_CASE("A step allocates nothing after the first") {
  const auto task = task_of("induction", 8);
  Transformer model = model_of(learner_config(8, 2));
  TrainerConfig plan = learner_plan(10);
  plan.slices = 2;
  Trainer trainer = trainer_of(model, *task, plan);
  run(trainer, 1);
  const std::size_t before = allocation_count();
  run(trainer, 3);
  CHECK(allocation_count() == before);
}

TEST_CASE("Evaluation leaves the training as it was and repeats with its seed") {
  const auto task = task_of("copy", 8);
  Transformer a = model_of(learner_config(8, 1)), b = model_of(learner_config(8, 1));
  Trainer plain = trainer_of(a, *task, learner_plan(4));
  Trainer watched = trainer_of(b, *task, learner_plan(4));
  for (int i = 0; i < 4; ++i) {
    run(plain, 1);
    run(watched, 1);
    const auto first = watched.evaluate(30, 3, 5), second = watched.evaluate(30, 3, 5);
    REQUIRE(first.ok());
    CHECK(first.value().nats == second.value().nats);
    CHECK(first.value().counted == 3 * 15);
  }
  CHECK(same_values(a, b));
}

TEST_CASE("A gradient that is not finite stops the step and leaves the model alone") {
  const auto task = task_of("copy", 8);
  Transformer model = model_of(learner_config(8, 1));
  Trainer trainer = trainer_of(model, *task, learner_plan(4));
  run(trainer, 1);
  const TensorInfo* norm = model.parameters().find("model.norm.weight");
  REQUIRE(norm);
  model.values()[norm->offset] = std::nanf("");
  const float witness = model.values()[0];
  CHECK(trainer.step().status().code() == Code::kInternal);
  CHECK(model.values()[0] == witness);
  CHECK(trainer.steps_done() == 1);
}

TEST_CASE("Settings out of range are refused by name") {
  const auto task = task_of("copy", 8);
  Transformer model = model_of(learner_config(8, 1));
  const auto refusal = [&](auto change) {
    TrainerConfig plan = learner_plan(10);
    plan.schedule.warmup_steps = 2;
    change(plan);
    auto trainer = Trainer::make(model, *task, plan);
    REQUIRE(!trainer.ok());
    CHECK(trainer.status().code() == Code::kInvalidArgument);
    return std::string(trainer.status().message());
  };
  using C = TrainerConfig;
  CHECK(refusal([](C& c) { c.batch = 0; }) == "batchSize: 0 (expected 1 to 65536)");
  CHECK(refusal([](C& c) { c.length = 1; }) == "length: 1 (expected 2 to 1048576 for this task)");
  CHECK(refusal([](C& c) { c.slices = 3; }) == "slices: 3 (expected a divisor of batchSize, 16)");
  CHECK(refusal([](C& c) { c.beta1 = 1; }) == "betas: 1 and 0.95 (expected 0 to below 1)");
  CHECK(refusal([](C& c) { c.epsilon = 0; }) == "epsilon: 0 (expected a number above 0)");
  CHECK(refusal([](C& c) { c.weight_decay = -1; }) == "weightDecay: -1 (expected 0 to 10)");
  CHECK(refusal([](C& c) { c.clip = -1; }) == "clipNorm: -1 (expected 0 or more)");
  CHECK(refusal([](C& c) { c.schedule.peak = 0; }) ==
        "learningRate: 0 (expected a number above 0, up to 10)");
  CHECK(refusal([](C& c) { c.schedule.floor = 1; }) ==
        "learning rate floor: 1 (expected 0 to 0.005)");
  CHECK(refusal([](C& c) { c.schedule.total_steps = 0; }) == "totalSteps: 0 (expected 1 or more)");
  CHECK(refusal([](C& c) { c.schedule.warmup_steps = 11; }) ==
        "warmupSteps: 11 (expected 0 to 10)");
  Trainer trainer = trainer_of(model, *task, learner_plan(20));
  CHECK(std::string(trainer.evaluate(1, 1, 0).status().message()) ==
        "length: 1 (expected 2 to 1048576 for this task)");
  CHECK(std::string(trainer.evaluate(4, 0, 0).status().message()) ==
        "sequences: 0 (expected 1 or more)");
}

TEST_CASE("The rate climbs in a line to its peak and falls by half a cosine to its floor") {
  const Schedule schedule{1.0f, 0.2f, 10, 110};
  CHECK(schedule.rate(1) == doctest::Approx(0.1));
  CHECK(schedule.rate(10) == doctest::Approx(1.0));
  CHECK(schedule.rate(60) == doctest::Approx(0.6));  // half-way down
  CHECK(schedule.rate(35) == doctest::Approx(0.6 + 0.4 * std::sqrt(0.5)));
  CHECK(schedule.rate(110) == doctest::Approx(0.2));
  CHECK(schedule.rate(1000) == doctest::Approx(0.2));
}

}  // namespace wf
