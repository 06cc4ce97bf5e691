#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "format.h"
#include "kernels/adamw.h"

namespace wf {
namespace {

constexpr std::size_t kPieceFloats = 1 << 16;

Executor& threads_or_calling_one() {
  static SerialExecutor calling_thread;
  if (kMayHaveThreads && shared_threads()) return *shared_threads();
  return calling_thread;
}

Status check(const TrainerConfig& config, const Task& task) {
  WF_RETURN_IF_ERROR(config.schedule.validate());
  if (config.batch < 1 || config.batch > 1 << 16)
    return WF_UNEXPECTED("batchSize", "%d", "1 to 65536", config.batch);
  if (config.length < task.shortest() || config.length > task.longest())
    return WF_UNEXPECTED("length", "%d", "%d to %d for this task", config.length, task.shortest(),
                         task.longest());
  if (config.slices < 1 || config.batch % config.slices != 0)
    return WF_UNEXPECTED("slices", "%d", "a divisor of batchSize, %d", config.slices, config.batch);
  if (!(config.beta1 >= 0 && config.beta1 < 1) || !(config.beta2 >= 0 && config.beta2 < 1))
    return WF_UNEXPECTED("betas", "%g and %g", "0 to below 1", static_cast<double>(config.beta1),
                         static_cast<double>(config.beta2));
  if (!(config.epsilon > 0))
    return WF_UNEXPECTED("epsilon", "%g", "a number above 0", static_cast<double>(config.epsilon));
  if (!(config.weight_decay >= 0 && config.weight_decay <= 10))
    return WF_UNEXPECTED("weightDecay", "%g", "0 to 10", static_cast<double>(config.weight_decay));
  if (!(config.clip >= 0))
    return WF_UNEXPECTED("clipNorm", "%g", "0 or more", static_cast<double>(config.clip));
  return {};
}

// Sets positions [3,T] of a picture's cells (time 0, row, column) for a model that reads three
// axes, which would otherwise treat the tokens as a text. Empty for all other models.
Status set_cell_positions(const Transformer& model, const Task& task, int length,
                          Buffer<std::int32_t>& cells) {
  bool reads_three = false;
  for (const SchemeInstance& instance : model.schemes())
    reads_three |= instance.description().position_axes == 3;
  if (!task.is_grid() || !reads_three) return {};
  WF_RETURN_IF_ERROR(cells.reserve(std::size_t{3} * length));
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(length))));
  for (int t = 0; t < length; ++t) {
    cells[t] = 0;
    cells[length + t] = t / side;
    cells[2 * length + t] = t % side;
  }
  return {};
}

Positions positions_of(const Buffer<std::int32_t>& cells) {
  if (cells.size() == 0) return {};
  return {cells.data(), static_cast<int>(cells.size() / 3), 3};
}

// Bytes of the gradients and activations of every slice, the two moments, ids and targets.
Result<double> bytes_of(const Transformer& model, const TrainerConfig& config) {
  WF_ASSIGN_OR_RETURN(const double activations,
                      TransformerActivations::training_bytes(
                          model.config(), config.batch / config.slices, config.length));
  const double parameters = static_cast<double>(model.parameters().total());
  const double tokens = static_cast<double>(config.batch) * config.length;
  return config.slices * activations + 4.0 * (config.slices + 2) * parameters + 8.0 * tokens;
}

// The largest value of a setting, a multiple of `unit`, for which training stays within max_bytes;
// 0 if there is none.
Result<int> largest_that_fits(const Transformer& model, TrainerConfig config,
                              int TrainerConfig::* setting, int unit) {
  int fits = 0, above = config.*setting / unit;
  while (above - fits > 1) {
    const int middle = fits + (above - fits) / 2;
    config.*setting = middle * unit;
    WF_ASSIGN_OR_RETURN(const double bytes, bytes_of(model, config));
    (bytes <= config.max_bytes ? fits : above) = middle;
  }
  return fits * unit;
}

Status check_memory(const Transformer& model, const TrainerConfig& config) {
  if (config.max_bytes <= 0) return {};
  WF_ASSIGN_OR_RETURN(const double bytes, bytes_of(model, config));
  if (bytes <= config.max_bytes) return {};
  WF_ASSIGN_OR_RETURN(const int batch,
                      largest_that_fits(model, config, &TrainerConfig::batch, config.slices));
  if (batch > 0)
    return WF_UNEXPECTED_AS(Code::kOutOfMemory, "batchSize", "%d, which takes %.0f bytes",
                            "at most %d, for %.0f bytes", config.batch, bytes, batch,
                            config.max_bytes);
  TrainerConfig smallest = config;
  smallest.batch = config.slices;
  WF_ASSIGN_OR_RETURN(const int length,
                      largest_that_fits(model, smallest, &TrainerConfig::length, 1));
  return WF_UNEXPECTED_AS(Code::kOutOfMemory, "length", "%d, which takes %.0f bytes",
                          "at most %d, for %.0f bytes and a batch of %d", config.length, bytes,
                          length, config.max_bytes, smallest.batch);
}

constexpr const char* kValues = "values";
constexpr const char* kFirstMoments = "first_moments";
constexpr const char* kSecondMoments = "second_moments";

TensorToStore flat(const char* name, const float* values, std::size_t count) {
  TensorToStore tensor;
  tensor.name = name;
  tensor.shape[0] = static_cast<std::int64_t>(count);
  tensor.values = values;
  tensor.count = count;
  return tensor;
}

// Parses `digits` of this base; returns false for any other character.
bool parse_number(std::string_view digits, unsigned base, std::uint64_t& value) {
  value = 0;
  if (digits.empty() || digits.size() > 16) return false;
  for (const char c : digits) {
    const unsigned digit =
        c >= 'a' ? static_cast<unsigned>(c - 'a') + 10 : static_cast<unsigned>(c - '0');
    if (digit >= base) return false;
    value = value * base + digit;
  }
  return true;
}

void write_hexadecimal(std::uint64_t value, char* digits) {
  for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
}

Status malformed(const char* what) {
  return Status::error(Code::kMalformedFile, "not a state of this training: %s", what);
}

}  // namespace

struct Trainer::Slice {
  TransformerActivations activations;
  Gradients gradients;
  LossSum loss;
  Status status;
};

Trainer::Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;
Trainer::~Trainer() = default;

Result<Trainer> Trainer::make(Transformer& model, const Task& task, const TrainerConfig& config,
                              Executor* executor) {
  WF_RETURN_IF_ERROR(check(config, task));
  WF_RETURN_IF_ERROR(model.check_head());
  WF_RETURN_IF_ERROR(check_memory(model, config));
  Trainer trainer;
  trainer.model_ = &model;
  trainer.task_ = &task;
  trainer.executor_ = executor ? executor : &threads_or_calling_one();
  trainer.config_ = config;
  trainer.random_ = Random(config.seed);
  trainer.slices_.reset(new (std::nothrow) Slice[static_cast<std::size_t>(config.slices)]);
  if (!trainer.slices_)
    return Status::error(Code::kOutOfMemory, "out of memory: %d slices", config.slices);
  for (int i = 0; i < config.slices; ++i) {
    Slice& slice = trainer.slices_[i];
    WF_ASSIGN_OR_RETURN(slice.activations,
                        TransformerActivations::make(model.config(), config.batch / config.slices,
                                                     config.length, Purpose::kTraining));
    WF_ASSIGN_OR_RETURN(slice.gradients, model.make_gradients());
  }
  const std::size_t total = model.parameters().total();
  const std::size_t tokens = static_cast<std::size_t>(config.batch) * config.length;
  WF_RETURN_IF_ERROR(trainer.first_moments_.reserve(total));
  WF_RETURN_IF_ERROR(trainer.second_moments_.reserve(total));
  WF_RETURN_IF_ERROR(trainer.ids_.reserve(tokens));
  WF_RETURN_IF_ERROR(trainer.targets_.reserve(tokens));
  WF_RETURN_IF_ERROR(set_cell_positions(model, task, config.length, trainer.cells_));
  WF_RETURN_IF_ERROR(trainer.make_pieces());
  return trainer;
}

Status Trainer::make_pieces() {
  const ParameterTable& table = model_->parameters();
  std::size_t count = 0;
  for (int i = 0; i < table.count(); ++i)
    count += (table.tensor(i).size() + kPieceFloats - 1) / kPieceFloats;
  WF_RETURN_IF_ERROR(pieces_.reserve(count));
  WF_RETURN_IF_ERROR(piece_squares_.reserve(count));
  std::size_t next = 0;
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    for (std::size_t done = 0; done < info.size(); done += kPieceFloats)
      pieces_[next++] = {info.offset + done, std::min(kPieceFloats, info.size() - done),
                         info.decays};
  }
  return {};
}

Status Trainer::run_slices() {
  int counted = 0;
  for (const std::int32_t target : targets_) counted += target >= 0;
  const float weight = counted ? 1.0f / static_cast<float>(counted) : 0.0f;
  const int rows = config_.batch / config_.slices;
  executor_->for_each(config_.slices, [&](int index) {
    Slice& slice = slices_[index];
    const std::size_t first = static_cast<std::size_t>(index) * rows * config_.length;
    slice.gradients.clear();
    TokenBatch batch;
    batch.ids = ids_.data() + first;
    batch.batch = rows;
    batch.length = config_.length;
    batch.positions = positions_of(cells_);
    Result<LossSum> loss = model_->loss_and_gradient(batch, targets_.data() + first, weight,
                                                     slice.activations, slice.gradients);
    slice.status = loss.ok() ? Status() : loss.status();
    if (loss.ok()) slice.loss = loss.value();
  });
  for (int i = 0; i < config_.slices; ++i) WF_RETURN_IF_ERROR(slices_[i].status);
  return {};
}

// Sums the gradients of all slices into the first slice's; returns the norm.
double Trainer::reduce_gradients() {
  executor_->for_each(static_cast<int>(pieces_.size()), [&](int index) {
    const Piece& piece = pieces_[index];
    float* total = slices_[0].gradients.values() + piece.offset;
    for (int s = 1; s < config_.slices; ++s) {
      const float* part = slices_[s].gradients.values() + piece.offset;
      for (std::size_t i = 0; i < piece.count; ++i) total[i] += part[i];
    }
    piece_squares_[index] = sum_of_squares(total, piece.count);
  });
  double squares = 0;
  for (const double piece : piece_squares_) squares += piece;
  return std::sqrt(squares);
}

void Trainer::update(float learning_rate, float gradient_scale) {
  executor_->for_each(static_cast<int>(pieces_.size()), [&](int index) {
    const Piece& piece = pieces_[index];
    AdamWStep step;
    step.learning_rate = learning_rate;
    step.beta1 = config_.beta1;
    step.beta2 = config_.beta2;
    step.epsilon = config_.epsilon;
    step.weight_decay = piece.decays ? config_.weight_decay : 0;
    step.gradient_scale = gradient_scale;
    step.step = step_ + 1;
    adamw(step, piece.count, model_->values() + piece.offset,
          slices_[0].gradients.values() + piece.offset, first_moments_.data() + piece.offset,
          second_moments_.data() + piece.offset);
  });
  model_->constrain();
}

Result<StepReport> Trainer::step() {
  task_->fill(random_, config_.batch, config_.length, ids_.data(), targets_.data());
  WF_RETURN_IF_ERROR(run_slices());
  LossSum loss;
  for (int i = 0; i < config_.slices; ++i) {
    loss.nats += slices_[i].loss.nats;
    loss.counted += slices_[i].loss.counted;
  }
  StepReport report;
  report.step = step_ + 1;
  report.loss = loss.mean();
  report.learning_rate = config_.schedule.rate(report.step);
  report.gradient_norm = reduce_gradients();
  if (!std::isfinite(report.gradient_norm) || !std::isfinite(report.loss)) {
    return Status::error(Code::kInternal, "step %d: the loss is %g and the gradient's norm %g",
                         report.step, report.loss, report.gradient_norm);
  }
  const bool clips = config_.clip > 0 && report.gradient_norm > static_cast<double>(config_.clip);
  update(report.learning_rate,
         clips ? static_cast<float>(static_cast<double>(config_.clip) / report.gradient_norm) : 1);
  ++step_;
  return report;
}

Result<LossSum> Trainer::evaluate(int length, int sequences, std::uint64_t seed) const {
  if (length < task_->shortest() || length > task_->longest())
    return WF_UNEXPECTED("length", "%d", "%d to %d for this task", length, task_->shortest(),
                         task_->longest());
  if (sequences < 1) return WF_UNEXPECTED("sequences", "%d", "1 or more", sequences);
  WF_ASSIGN_OR_RETURN(
      TransformerActivations activations,
      TransformerActivations::make(model_->config(), 1, length, Purpose::kInference));
  Buffer<std::int32_t> ids;
  WF_RETURN_IF_ERROR(ids.reserve(length));
  Buffer<std::int32_t> targets;
  WF_RETURN_IF_ERROR(targets.reserve(length));
  Buffer<std::int32_t> cells;
  WF_RETURN_IF_ERROR(set_cell_positions(*model_, *task_, length, cells));
  Random random(seed);
  LossSum sum;
  for (int i = 0; i < sequences; ++i) {
    task_->fill(random, 1, length, ids.data(), targets.data());
    TokenBatch batch;
    batch.ids = ids.data();
    batch.length = length;
    batch.positions = positions_of(cells);
    WF_ASSIGN_OR_RETURN(const LossSum loss, model_->loss(batch, targets.data(), activations));
    sum.nats += loss.nats;
    sum.counted += loss.counted;
    sum.correct += loss.correct;
  }
  return sum;
}

// ---- Saved state: a safetensors file with three flat tensors, and the step and the state of the
// random generator as metadata

Result<Buffer<std::uint8_t>> Trainer::save_state() const {
  const std::size_t total = model_->parameters().total();
  const TensorToStore tensors[] = {flat(kValues, model_->values(), total),
                                   flat(kFirstMoments, first_moments_.data(), total),
                                   flat(kSecondMoments, second_moments_.data(), total)};
  char step[16], chance[4 * 16 + 1] = "";
  format_text(step, sizeof(step), "%d", step_);
  for (int i = 0; i < 4; ++i) write_hexadecimal(random_.state()[i], chance + 16 * i);
  const MetadataPair metadata[] = {{"step", step}, {"random", chance}};
  return write_safetensors(tensors, metadata, Dtype::kF32);
}

Status Trainer::restore_state(std::span<const std::uint8_t> bytes) {
  WF_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::parse(bytes));
  const StoredTensor* stored[] = {file.find(kValues), file.find(kFirstMoments),
                                  file.find(kSecondMoments)};
  const std::size_t total = model_->parameters().total();
  for (const StoredTensor* tensor : stored) {
    if (!tensor || tensor->dtype != Dtype::kF32) return malformed("a tensor is missing");
    if (tensor->count() != total) return malformed("it is of a model of another size");
    WF_RETURN_IF_ERROR(tensor->check_dtype());
    WF_RETURN_IF_ERROR(file.check_finite(*tensor));
  }
  std::uint64_t step = 0, state[4];
  if (!parse_number(file.metadata_value("step"), 10, step) || step > INT32_MAX)
    return malformed("no step");
  const std::string_view chance = file.metadata_value("random");
  if (chance.size() != 64) return malformed("no state of chance");
  for (int i = 0; i < 4; ++i)
    if (!parse_number(chance.substr(16 * static_cast<std::size_t>(i), 16), 16, state[i]))
      return malformed("no state of chance");

  file.read(*stored[0], model_->values());
  file.read(*stored[1], first_moments_.data());
  file.read(*stored[2], second_moments_.data());
  step_ = static_cast<int>(step);
  random_.set_state(state);
  return {};
}

}  // namespace wf
