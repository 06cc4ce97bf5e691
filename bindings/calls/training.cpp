#include "calls/training.h"

#include <algorithm>
#include <numeric>

#include "training/tasks/registry.h"

namespace wf::calls {
namespace {

// Half of the engine's memory limit, so that a test or a copy of the model fits too.
constexpr double kMaxBytes = 1 << 30;

constexpr int kMaxBatch = 65536;
constexpr int kMaxLength = 1 << 20;

constexpr Field kFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "calls/training_fields.def"
};

Result<TrainerConfig> config_of(const TrainingSettings& settings) {
  WF_RETURN_IF_ERROR(settings.check());
  TrainerConfig config;
  WF_ASSIGN_OR_RETURN(config.seed, seed_of(settings.seed));
  config.batch = settings.batch_size;
  // Independent of the number of threads, so that a run is reproducible.
  if constexpr (kMayHaveThreads) config.slices = std::gcd(config.batch, 4);
  config.length = settings.length;
  config.schedule.peak = static_cast<float>(settings.learning_rate);
  config.schedule.floor = config.schedule.peak / 10;
  config.schedule.warmup_steps = settings.warmup_steps;
  config.schedule.total_steps = settings.total_steps;
  config.weight_decay = static_cast<float>(settings.weight_decay);
  config.clip = static_cast<float>(settings.clip_norm);
  config.max_bytes = kMaxBytes;
  return config;
}

}  // namespace

std::span<const Field> TrainingSettings::fields() { return kFields; }

Status TrainingSettings::check() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "calls/training_fields.def"
  };
  WF_RETURN_IF_ERROR(check_fields(kFields, values));
  return check_range("warmupSteps", warmup_steps, 0, total_steps);
}

// Adds the memory allocated in a scope to that of a training.
class Training::MemoryCounter {
 public:
  explicit MemoryCounter(Training& training) : training_(training), before_(allocated_bytes()) {}
  ~MemoryCounter() { training_.bytes_ += allocated_bytes() - before_; }

 private:
  Training& training_;
  std::size_t before_;
};

Result<std::unique_ptr<Training>> Training::make(const Workspace& workspace,
                                                 const ModelLayout& layout,
                                                 const TrainingSettings& settings, List ids) {
  auto training = std::make_unique<Training>();
  WF_RETURN_IF_ERROR(training->initialise(workspace, layout, settings, ids));
  return training;
}

Status Training::initialise(const Workspace& workspace, const ModelLayout& layout,
                            const TrainingSettings& settings, List ids) {
  const MemoryCounter counter(*this);
  WF_ASSIGN_OR_RETURN(const TrainerConfig config, config_of(settings));
  WF_ASSIGN_OR_RETURN(const std::uint64_t model_seed, seed_of(settings.model_seed));
  const auto tasks = task_entries();
  WF_RETURN_IF_ERROR(check_range("task", settings.task, 0, tasks.size() - 1.0));
  Reader reader(workspace);
  const auto given = reader.integers("task.ids", ids);
  WF_RETURN_IF_ERROR(reader.status());
  WF_ASSIGN_OR_RETURN(model_, Transformer::make(layout.config(), model_seed));
  const int vocab_size = model_.config().vocab_size;
  for (const std::int32_t id : given)
    WF_RETURN_IF_ERROR(check_range("task.ids", id, 0, vocab_size - 1.0));
  WF_RETURN_IF_ERROR(ids_.reserve(given.size()));
  std::copy(given.begin(), given.end(), ids_.begin());
  stream_.ids = ids_;
  TaskSettings task = {.vocab_size = vocab_size, .streams = {}};
  if (!given.empty()) task.streams = {&stream_, 1};
  WF_ASSIGN_OR_RETURN(task_, tasks[settings.task]->make(task));
  WF_ASSIGN_OR_RETURN(trainer_, Trainer::make(model_, *task_, config));
  return {};
}

Result<TrainedStep> Training::step() {
  const MemoryCounter counter(*this);
  WF_ASSIGN_OR_RETURN(const StepReport report, trainer_.step());
  return TrainedStep{.loss = report.loss};
}

Result<TaskEvaluation> Training::evaluate(int length, int sequences, double seed) {
  WF_RETURN_IF_ERROR(check_range("lengths", length, 1, kMaxLength));
  WF_RETURN_IF_ERROR(check_range("sequences", sequences, 1, kMaxBatch));
  WF_ASSIGN_OR_RETURN(const std::uint64_t checked_seed, seed_of(seed));
  const MemoryCounter counter(*this);
  WF_ASSIGN_OR_RETURN(const LossSum sum, trainer_.evaluate(length, sequences, checked_seed));
  return TaskEvaluation{.loss = sum.mean(), .accuracy = sum.accuracy()};
}

Result<std::unique_ptr<Bytes>> Training::save() const {
  WF_ASSIGN_OR_RETURN(Buffer<std::uint8_t> bytes, trainer_.save_state());
  return std::make_unique<Bytes>(std::move(bytes));
}

Status Training::restore(const Workspace& workspace, List bytes) {
  Reader reader(workspace);
  const auto given = reader.list<const std::uint8_t>("resume", bytes);
  WF_RETURN_IF_ERROR(reader.status());
  return trainer_.restore_state(given);
}

}  // namespace wf::calls
