// Trains a Transformer on a Task with AdamW.
//
// A batch is split into a fixed number of slices with separate gradients, which are summed in
// order. So a run is reproducible bit by bit with one build, for any number of threads of the
// executor. The number of slices does affect the result.
#pragma once

#include "executor.h"
#include "model/checkpoint.h"
#include "model/transformer.h"
#include "training/schedule.h"
#include "training/tasks/task.h"

namespace wf {

struct TrainerConfig {
  int batch = 16;  // sequences in a batch
  int length = 128;  // tokens in a sequence
  int slices = 1;  // divides batch
  Schedule schedule;
  float beta1 = 0.9f;
  float beta2 = 0.95f;
  float epsilon = 1e-8f;
  float weight_decay = 0.1f;  // for the tensors that ParameterTable marks as decaying
  float clip = 1.0f;  // largest global norm of the gradient; 0: no clipping
  std::uint64_t seed = 0;  // of the batches
  double max_bytes = 0;  // limit of the memory for training, without the model; 0: none
};

struct StepReport {
  int step = 0;  // counted from 1
  double loss = 0;  // mean nats for each scored target, before the update
  float learning_rate = 0;
  double gradient_norm = 0;  // before clipping
};

class Trainer {
 public:
  Trainer();  // replaced by the result of `make`
  // `model`, `task` and `executor` must outlive the trainer. Without an executor it uses
  // shared_threads(), or the calling thread. Errors: kInvalidArgument, naming the setting, its
  // value and what is allowed; kOutOfMemory, which with `max_bytes` names the largest batch or
  // length that fits.
  static Result<Trainer> make(Transformer& model, const Task& task, const TrainerConfig& config,
                              Executor* executor = nullptr);
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  // One optimiser step. Allocates only in the first step. Errors: kInternal if the gradient is not
  // finite; the model is then unchanged.
  Result<StepReport> step();

  // Loss and accuracy on new sequences of the task, of any length. Uses a separate random
  // generator, so the same seed gives the same sequences and training is not affected. Errors:
  // kInvalidArgument for a length for which the task has no data; kOutOfMemory.
  Result<LossSum> evaluate(int length, int sequences, std::uint64_t seed) const;

  int steps_done() const { return step_; }
  const TrainerConfig& config() const { return config_; }

  // Everything needed to resume: values, moments, step, state of the random generator.
  Result<Buffer<std::uint8_t>> save_state() const;
  // Errors: kMalformedFile; the trainer is then unchanged.
  Status restore_state(std::span<const std::uint8_t> bytes);

 private:
  struct Slice;
  // A contiguous part of one tensor, the unit of work of an update.
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
  Buffer<std::int32_t> cells_;  // positions that are not the model's default, or empty
};

}  // namespace wf
