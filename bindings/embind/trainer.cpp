#include "training/trainer.h"

#include "model.h"
#include "training/tasks/registry.h"

namespace wf::binding {
namespace {

struct TrainerArguments {
  ModelArguments config;
  std::string task;
  val ids = val::undefined();  // Int32Array; empty where the task makes its own data
  double seed = 0;
  int batch_size = 16;
  int length = 64;
  float learning_rate = 3e-3f;
  int warmup_steps = 20;
  int total_steps = 500;
  float weight_decay = 0.1f;
  float clip_norm = 1;
};

// The trainer keeps pointers to its model and task, and the task to its ids, so all of them live in
// one object that never moves.
class TrainerHandle {
 public:
  TrainerHandle(Transformer model, Buffer<std::int32_t> ids)
      : model_(std::move(model)), ids_(std::move(ids)), stream_{{ids_.data(), ids_.size()}} {}
  TrainerHandle(const TrainerHandle&) = delete;

  static Result<std::unique_ptr<TrainerHandle>> make(TrainerArguments arguments);

  int steps_done() const { return trainer_->steps_done(); }
  // Loss of the step, in nats a scored token.
  Result<val> step() {
    const Result<StepReport> report = trainer_->step();
    if (!report.ok()) return report.status();
    return val(report.value().loss);
  }
  Result<val> evaluate(int length, int sequences, double seed) const {
    WF_ASSIGN_OR_RETURN(const LossSum sum,
                        trainer_->evaluate(length, sequences, static_cast<std::uint64_t>(seed)));
    val result = val::object();
    result.set("loss", sum.mean());
    result.set("accuracy", sum.accuracy());
    return result;
  }
  Result<std::unique_ptr<ModelHandle>> model() const { return copy_of(model_); }

 private:
  Status start(const TrainerArguments& arguments);

  Transformer model_;
  Buffer<std::int32_t> ids_;
  TokenStream stream_;
  std::unique_ptr<Task> task_;
  std::unique_ptr<Trainer> trainer_;
};

TrainerConfig settings_from(const TrainerArguments& arguments) {
  TrainerConfig settings;
  settings.batch = arguments.batch_size;
  settings.length = arguments.length;
  settings.schedule = {.peak = arguments.learning_rate,
                       .floor = arguments.learning_rate / 10,
                       .warmup_steps = arguments.warmup_steps,
                       .total_steps = arguments.total_steps};
  settings.weight_decay = arguments.weight_decay;
  settings.clip = arguments.clip_norm;
  settings.seed = static_cast<std::uint64_t>(arguments.seed);
  return settings;
}

Result<std::unique_ptr<TrainerHandle>> TrainerHandle::make(TrainerArguments arguments) {
  WF_ASSIGN_OR_RETURN(const ModelConfig config, config_from(arguments.config));
  WF_ASSIGN_OR_RETURN(Transformer model,
                      Transformer::make(config, static_cast<std::uint64_t>(arguments.config.seed)));
  WF_ASSIGN_OR_RETURN(Buffer<std::int32_t> ids, integers_from(arguments.ids));
  WF_ASSIGN_OR_RETURN(std::unique_ptr<TrainerHandle> handle,
                      new_handle<TrainerHandle>(std::move(model), std::move(ids)));
  WF_RETURN_IF_ERROR(handle->start(arguments));
  return handle;
}

Status TrainerHandle::start(const TrainerArguments& arguments) {
  TaskSettings settings = {.vocab_size = model_.config().vocab_size, .streams = {}};
  if (ids_.size()) settings.streams = {&stream_, 1};
  WF_ASSIGN_OR_RETURN(task_, make_task(arguments.task.c_str(), settings));
  WF_ASSIGN_OR_RETURN(Trainer trainer, Trainer::make(model_, *task_, settings_from(arguments)));
  WF_ASSIGN_OR_RETURN(trainer_, new_handle<Trainer>(std::move(trainer)));
  return {};
}

val task_ids() {
  val list = val::array();
  for (const TaskEntry* entry : task_entries()) list.call<void>("push", std::string(entry->id));
  return list;
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(trainer) {
  using namespace wf::binding;
  using emscripten::return_value_policy::take_ownership;
  emscripten::function("taskIds", &task_ids);
  emscripten::value_object<TrainerArguments>("TrainerArguments")
      .field("config", &TrainerArguments::config)
      .field("task", &TrainerArguments::task)
      .field("ids", &TrainerArguments::ids)
      .field("seed", &TrainerArguments::seed)
      .field("batchSize", &TrainerArguments::batch_size)
      .field("length", &TrainerArguments::length)
      .field("learningRate", &TrainerArguments::learning_rate)
      .field("warmupSteps", &TrainerArguments::warmup_steps)
      .field("totalSteps", &TrainerArguments::total_steps)
      .field("weightDecay", &TrainerArguments::weight_decay)
      .field("clipNorm", &TrainerArguments::clip_norm);
  emscripten::class_<TrainerHandle>("Trainer")
      .class_function("make", guarded<&TrainerHandle::make>, take_ownership())
      .property("stepsDone", &TrainerHandle::steps_done)
      .function("step", guarded<&TrainerHandle::step>)
      .function("evaluate", guarded<&TrainerHandle::evaluate>)
      .function("model", guarded<&TrainerHandle::model>, take_ownership());
}
