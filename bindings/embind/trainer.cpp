#include "training/trainer.h"

#include <numeric>

#include "model.h"
#include "training/tasks/registry.h"

namespace wf::binding {
namespace {

// Half of what the engine may ever have, so that what a test or a copy of the model takes fits too.
constexpr double kMostBytes = 1 << 30;

// The trainer keeps pointers to its model and task, and the task to its ids, so all of them live in
// one object that never moves.
class TrainerHandle : public Object {
 public:
  Transformer model;
  Buffer<std::int32_t> ids;
  TokenStream stream;
  std::unique_ptr<Task> task;
  Trainer trainer;
  std::size_t bytes = 0;  // that it has taken and not given back
};

// Counts to a trainer what is taken from here to the end of the scope, in which no answer is
// written.
class Counted {
 public:
  explicit Counted(TrainerHandle& handle) : handle_(handle), before_(allocated_bytes()) {}
  ~Counted() { handle_.bytes += allocated_bytes() - before_; }

 private:
  TrainerHandle& handle_;
  std::size_t before_;
};

// The model's seed and config; the task's index and its ids, none where it makes its own data; and
// the settings.
Status make(TrainerHandle& handle, Arguments& arguments) {
  const Counted counted(handle);
  const std::uint64_t seed = arguments.seed();
  ModelConfig config;
  WF_RETURN_IF_ERROR(read_config(arguments, config));
  WF_ASSIGN_OR_RETURN(handle.model, Transformer::make(config, seed));
  const TaskEntry& entry = *task_entries()[arguments.integer()];
  const std::span<const std::int32_t> ids = arguments.integers();
  WF_RETURN_IF_ERROR(handle.ids.reserve(ids.size()));
  std::copy(ids.begin(), ids.end(), handle.ids.begin());
  handle.stream.ids = handle.ids;
  TaskSettings task = {.vocab_size = config.vocab_size, .streams = {}};
  if (!ids.empty()) task.streams = {&handle.stream, 1};
  WF_ASSIGN_OR_RETURN(handle.task, entry.make(task));

  TrainerConfig settings;
  settings.seed = arguments.seed();
  settings.batch = arguments.integer();
  // As many however many threads there are, so that a run does not depend on them.
  if constexpr (kMayHaveThreads) settings.slices = std::gcd(settings.batch, 4);
  settings.length = arguments.integer();
  settings.schedule.peak = static_cast<float>(arguments.number());
  settings.schedule.floor = settings.schedule.peak / 10;
  settings.schedule.warmup_steps = arguments.integer();
  settings.schedule.total_steps = arguments.integer();
  settings.weight_decay = static_cast<float>(arguments.number());
  settings.clip = static_cast<float>(arguments.number());
  settings.most_bytes = kMostBytes;
  WF_ASSIGN_OR_RETURN(handle.trainer, Trainer::make(handle.model, *handle.task, settings));
  return {};
}

// Steps done and bytes taken.
Status facts(TrainerHandle& handle, Arguments&, Answer& answer) {
  answer.add(handle.trainer.steps_done());
  answer.add(static_cast<double>(handle.bytes));
  return {};
}

// Loss of the step, in nats a scored token.
Status step(TrainerHandle& handle, Arguments&, Answer& answer) {
  const auto counted_step = [&] {
    const Counted counted(handle);
    return handle.trainer.step();
  };
  WF_ASSIGN_OR_RETURN(const StepReport report, counted_step());
  answer.add(report.loss);
  return {};
}

// Length, sequences, seed; { loss, accuracy }.
Status evaluate(TrainerHandle& handle, Arguments& arguments, Answer& answer) {
  const int length = arguments.integer(), sequences = arguments.integer();
  const std::uint64_t seed = arguments.seed();
  const auto counted_loss = [&] {
    const Counted counted(handle);
    return handle.trainer.evaluate(length, sequences, seed);
  };
  WF_ASSIGN_OR_RETURN(const LossSum sum, counted_loss());
  answer.add(sum.mean());
  answer.add(sum.accuracy());
  return {};
}

Status copy_model(TrainerHandle& handle, Arguments&, Answer& answer) {
  return answer_with_copy(handle.model, answer);
}

// safetensors bytes: weights, moments, steps, state of chance.
Status save(TrainerHandle& handle, Arguments&, Answer& answer) {
  WF_ASSIGN_OR_RETURN(const Buffer<std::uint8_t> bytes, handle.trainer.save_state());
  answer.add(std::span<const std::uint8_t>(bytes));
  return {};
}

Status restore(TrainerHandle& handle, Arguments& arguments, Answer&) {
  return handle.trainer.restore_state(arguments.list<std::uint8_t>());
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(trainer) {
  using namespace wf::binding;
  bind<&make>("makeTrainer");
  bind<&facts>("trainerFacts");
  bind<&step>("step");
  bind<&evaluate>("evaluate");
  bind<&copy_model>("copyModel");
  bind<&save>("saveTrainer");
  bind<&restore>("restoreTrainer");
}
