// Saves and restores a Trainer: a safetensors file with three flat tensors, and the step and the
// state of the random generator as metadata.
#include <cstring>

#include "format.h"
#include "training/trainer.h"

namespace wf {
namespace {

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
