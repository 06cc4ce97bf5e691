// A short run on a task that generates its own data: trains, then prints the accuracy of each
// --evaluate task on new sequences.
#include <cstdio>

#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/threads.h"
#include "trainer/verbs.h"

namespace trainer {

int learn(Arguments& arguments) {
  const wf::ModelConfig model_config = config_from(arguments);
  const wf::TrainerConfig config = trainer_config_from(arguments);
  const int sequences = arguments.integer("sequences");
  const auto evaluation_seed = static_cast<std::uint64_t>(arguments.number("evaluation-seed"));
  const std::vector<std::string> evaluated = arguments.all("evaluate");
  const std::string weights = arguments.has("weights") ? arguments.text("weights") : "";
  Threads threads(arguments.integer("threads"));
  const Lesson lesson = lesson_from(arguments, arguments.text("task"), model_config.vocab_size);
  arguments.finish();

  wf::Transformer model = require(wf::Transformer::make(model_config, config.seed));
  wf::Trainer trainer = require(wf::Trainer::make(model, *lesson.task, config, &threads));
  wf::StepReport report;
  while (trainer.steps_done() < config.schedule.total_steps) report = require(trainer.step());
  std::printf("{\"event\":\"learnt\",\"parameters\":%zu,\"loss\":%.5f}\n",
              model.parameters().total(), report.loss);
  // Converts to half precision first, so that the measured weights are the saved ones.
  const wf::Buffer<std::uint8_t> file = require(wf::save_model(model, wf::Dtype::kF16));
  require(wf::load_model({file.data(), file.size()}, model));
  if (!weights.empty()) write_file(weights, file);
  for (const std::string& id : evaluated) {
    const auto task = require(wf::make_task(id.c_str(), {model_config.vocab_size, {}}));
    const wf::Trainer examiner = require(wf::Trainer::make(model, *task, config));
    const wf::LossSum sum = require(examiner.evaluate(config.length, sequences, evaluation_seed));
    std::printf(
        "{\"event\":\"accuracy\",\"task\":\"%s\",\"targets\":%d,\"correct\":%d,"
        "\"nats\":%.6f}\n",
        id.c_str(), sum.counted, sum.correct, sum.nats);
  }
  return 0;
}

}  // namespace trainer
