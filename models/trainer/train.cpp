// Trains one model to the end, and saves its progress in the state file, from which an interrupted
// run continues: on a task, or on pictures of creatures, which it then evaluates.
#include <chrono>
#include <cstdio>

#include "trainer/creatures.h"
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

// Where a run is saved, and how often it says how far it is.
struct Keeping {
  std::string state, weights;
  int save_every, report_every;
};

Keeping keeping_from(Arguments& arguments) {
  return {arguments.text("state"), arguments.text("weights"), arguments.integer("save-every"),
          arguments.integer("report-every")};
}

void train_to_the_end(wf::Transformer& model, const wf::Task& task, const wf::TrainerConfig& config,
                      const Keeping& keeping, Threads& threads) {
  wf::Trainer trainer = require(wf::Trainer::make(model, task, config, &threads));
  std::vector<std::uint8_t> state;
  if (read_file(keeping.state, state)) require(trainer.restore_state(state));
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
    if (report.step % keeping.report_every == 0 || last) {
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
    if (report.step % keeping.save_every == 0 || last)
      write_file(keeping.state, require(trainer.save_state()));
  }
  write_file(keeping.weights, require(wf::save_model(model, wf::Dtype::kF16)));
}

// ViT's blocks (Dosovitskiy et al. 2020, arXiv 2010.11929).
wf::Architecture vit_blocks() {
  wf::Architecture blocks;
  blocks.norm = wf::NormKind::kLayer;
  blocks.norm_bias = blocks.query_bias = blocks.output_bias = blocks.feed_bias = true;
  blocks.gated = false;
  blocks.activation = wf::Activation::kGelu;
  return blocks;
}

}  // namespace

int train(Arguments& arguments) {
  const wf::ModelConfig model_config = config_from(arguments);
  const wf::TrainerConfig config = trainer_config_from(arguments);
  const Keeping keeping = keeping_from(arguments);
  Threads threads(arguments.integer("threads"));
  const Lesson lesson = lesson_from(arguments, arguments.text("task"), model_config.vocab_size);
  arguments.finish();

  wf::Transformer model = require(wf::Transformer::make(model_config, config.seed));
  train_to_the_end(model, *lesson.task, config, keeping, threads);
  return 0;
}

int creatures(Arguments& arguments) {
  wf::ModelConfig model_config = config_from(arguments);
  model_config.architecture = vit_blocks();
  const wf::TrainerConfig config = trainer_config_from(arguments);
  const Keeping keeping = keeping_from(arguments);
  const int sequences = arguments.integer("sequences");
  const auto seed = static_cast<std::uint64_t>(arguments.number("evaluation-seed"));
  Threads threads(arguments.integer("threads"));
  arguments.finish();

  wf::Transformer model = require(wf::Transformer::make(model_config, config.seed));
  const Creatures lesson({});
  train_to_the_end(model, lesson, config, keeping, threads);
  // What is evaluated is what was saved, in half precision.
  const wf::Buffer<std::uint8_t> file = require(wf::save_model(model, wf::Dtype::kF16));
  require(wf::load_model({file.data(), file.size()}, model));
  for (const bool is_whole : {true, false}) {
    const Creatures question({.scores_whole = is_whole, .scores_cells = !is_whole});
    const wf::Trainer examiner = require(wf::Trainer::make(model, question, config));
    const wf::LossSum sum = require(examiner.evaluate(config.length, sequences, seed));
    std::printf("{\"event\":\"accuracy\",\"task\":\"%s\",\"targets\":%d,\"correct\":%d}\n",
                is_whole ? "eyes" : "cells", sum.counted, sum.correct);
  }
  return 0;
}

}  // namespace trainer
