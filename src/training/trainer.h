// Trains a Transformer on a Task with AdamW.
//
// A batch is cut into a fixed number of slices, each with gradients of its own, which are summed in
// the order of the slices. So a run is reproducible bit by bit on one build, however many threads
// the executor has; the number of slices is part of the recipe.
#pragma once

#include "executor.h"
#include "model/checkpoint.h"
#include "model/transformer.h"
#include "training/schedule.h"
#include "training/tasks/task.h"

namespace wf {

struct TrainerConfig {
  int batch = 16;  // sequences a step
  int length = 128;  // tokens a sequence
  int slices = 1;  // divides batch
  Schedule schedule;
  float beta1 = 0.9f;
  float beta2 = 0.95f;
  float epsilon = 1e-8f;
  float weight_decay = 0.1f;  // on what ParameterTable marks as decaying
  float clip = 1.0f;  // largest global norm of the gradient; 0: no clipping
  std::uint64_t seed = 0;  // of the batches
  double max_bytes = 0;  // that training may take beside the model; 0: as many as there are
};

struct StepReport {
  int step = 0;  // counted from 1
  double loss = 0;  // mean nats of a scored target, before the update
  float learning_rate = 0;
  double gradient_norm = 0;  // before clipping
};

class Trainer {
 public:
  Trainer();  // what `make` returns is assigned to it before use
  // `model`, `task` and `executor` must outlive the trainer; no executor means the
  // program's threads, or else the calling thread.
  // Errors: kInvalidArgument, naming the setting, its value and what is allowed; kOutOfMemory,
  // which under `max_bytes` names the largest batch or length that fits.
  static Result<Trainer> make(Transformer& model, const Task& task, const TrainerConfig& config,
                              Executor* executor = nullptr);
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  // One optimiser step. Allocates nothing after the first. Errors: kInternal when the gradient is
  // not finite; the model is then as it was.
  Result<StepReport> step();

  // Loss and accuracy on new sequences of the task at any length; the training's own stream of
  // chance is not touched, so the same seed gives the same sequences. Errors: kInvalidArgument for
  // a length the task has no data for; kOutOfMemory.
  Result<LossSum> evaluate(int length, int sequences, std::uint64_t seed) const;

  int steps_done() const { return step_; }
  const TrainerConfig& config() const { return config_; }

  // Everything that resuming needs: values, moments, step, state of chance.
  Result<Buffer<std::uint8_t>> save_state() const;
  // Errors: kMalformedFile; the trainer is then as it was.
  Status restore_state(std::span<const std::uint8_t> bytes);

 private:
  struct Slice;
  // A run of parameters of one tensor, the unit of work of an update.
  struct Piece {
    std::size_t offset;
    std::size_t count;
    bool decays;
  };

  Status make_pieces();
  Status run_slices();
  double reduce_gradients();
  void update(float learning_rate, float gradient_scale);

  Transformer* model_ = nullptr;
  const Task* task_ = nullptr;
  Executor* executor_ = nullptr;
  TrainerConfig config_;
  Random random_{0};
  int step_ = 0;
  std::unique_ptr<Slice[]> slices_;
  Buffer<Piece> pieces_;
  Buffer<double> piece_squares_;
  Buffer<float> first_moments_, second_moments_;
  Buffer<std::int32_t> ids_, targets_;
  Buffer<std::int32_t> cells_;  // positions that the model would not choose by itself, or empty
};

}  // namespace wf
