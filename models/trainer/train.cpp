// Trains one model to the end. Saves progress in the state file, from which an interrupted run
// continues.
#include <chrono>
#include <cstdio>

#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/threads.h"
#include "trainer/verbs.h"

namespace trainer {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int train(Arguments& arguments) {
  const wf::ModelConfig model_config = config_from(arguments);
  const wf::TrainerConfig config = trainer_config_from(arguments);
  const std::string state_path = arguments.text("state");
  const std::string weights_path = arguments.text("weights");
  const int save_every = arguments.integer("save-every");
  const int report_every = arguments.integer("report-every");
  Threads threads(arguments.integer("threads"));
  const Lesson lesson = lesson_from(arguments, arguments.text("task"), model_config.vocab_size);
  arguments.finish();

  wf::Transformer model = require(wf::Transformer::make(model_config, config.seed));
  wf::Trainer trainer = require(wf::Trainer::make(model, *lesson.task, config, &threads));
  std::vector<std::uint8_t> state;
  if (read_file(state_path, state)) require(trainer.restore_state(state));
  std::printf("{\"event\":\"start\",\"parameters\":%zu,\"step\":%d}\n", model.parameters().total(),
              trainer.steps_done());

  const int first = trainer.steps_done();
  const auto start = std::chrono::steady_clock::now();
  double loss = 0;
  int counted = 0;
  while (trainer.steps_done() < config.schedule.total_steps) {
    const wf::StepReport report = require(trainer.step());
    loss += report.loss;
    ++counted;
    const bool last = report.step == config.schedule.total_steps;
    if (report.step % report_every == 0 || last) {
      const double seconds = seconds_since(start);
      const double tokens = static_cast<double>(report.step - first) * config.batch * config.length;
      std::printf(
          "{\"event\":\"step\",\"step\":%d,\"loss\":%.5f,\"rate\":%.3e,\"norm\":%.3f,"
          "\"tokensPerSecond\":%.0f,\"seconds\":%.1f}\n",
          report.step, loss / counted, static_cast<double>(report.learning_rate),
          report.gradient_norm, tokens / seconds, seconds);
      std::fflush(stdout);
      loss = counted = 0;
    }
    if (report.step % save_every == 0 || last)
      write_file(state_path, require(trainer.save_state()));
  }
  write_file(weights_path, require(wf::save_model(model, wf::Dtype::kF16)));
  return 0;
}

}  // namespace trainer
