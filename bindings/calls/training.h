// A model in training, with its task.
#pragma once

#include "calls/model.h"
#include "fields.h"
#include "training/tasks/task.h"
#include "training/trainer.h"

namespace wf::calls {

struct TrainingSettings {
  int task = 0;  // its index in the registry
  double model_seed = 0;  // of the initial weights
  double seed = 0;  // of the batches
#define WF_FIELD WF_FIELD_MEMBER
#include "calls/training_fields.def"

  static std::span<const Field> fields();
  // Errors: kInvalidArgument for a field out of range.
  Status check() const;
};

struct TrainedStep {
  Code code = Code::kOk;
  double loss = 0;  // nats for each scored token, before the update
};

struct TaskEvaluation {
  Code code = Code::kOk;
  double loss = 0;      // nats for each scored token
  double accuracy = 0;  // share of scored tokens that are the most probable ones
};

// The trainer has pointers to its model and task, and the task to its ids, so all of them are
// members of one object that never moves.
class Training {
 public:
  Training() = default;
  Training(const Training&) = delete;
  // `ids` (int32): the tokens of the training text, empty for a task without text. Errors:
  // kInvalidArgument, kOutOfMemory naming the largest batch or length that fits.
  static Result<std::unique_ptr<Training>> make(const Workspace& workspace,
                                                const ModelLayout& layout,
                                                const TrainingSettings& settings, List ids);

  int steps_done() const { return trainer_.steps_done(); }
  // Memory that it has allocated.
  double memory_bytes() const { return static_cast<double>(bytes_); }
  // Errors: kInternal if a gradient is not finite; the model is then unchanged.
  Result<TrainedStep> step();
  // Errors: kInvalidArgument for a length for which the task has no data.
  Result<TaskEvaluation> evaluate(int length, int sequences, double seed);
  Result<std::unique_ptr<Model>> copy_model() const { return Model::copy_of(model_); }
  // safetensors: weights, moments, steps, state of the random generator.
  Result<std::unique_ptr<Bytes>> save() const;
  Status restore(const Workspace& workspace, List bytes);

 private:
  class MemoryCounter;

  Status initialise(const Workspace& workspace, const ModelLayout& layout,
                    const TrainingSettings& settings, List ids);

  Transformer model_;
  Buffer<std::int32_t> ids_;
  TokenStream stream_;
  std::unique_ptr<Task> task_;
  Trainer trainer_;
  std::size_t bytes_ = 0;
};

}  // namespace wf::calls
