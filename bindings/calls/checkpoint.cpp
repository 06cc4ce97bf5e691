#include "calls/checkpoint.h"

#include "calls/reader.h"

namespace wf::calls {
namespace {

constexpr double kMostFileBytes = 9007199254740991.0;  // that a double counts

}  // namespace

Result<std::unique_ptr<Checkpoint>> Checkpoint::make(int files) {
  WF_ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::make(files));
  return std::make_unique<Checkpoint>(std::move(reader));
}

Result<NeededBytes> Checkpoint::add(const Workspace& workspace, int file, List beginning,
                                    double file_bytes) {
  Reader reader(workspace);
  const auto bytes = reader.list<const std::uint8_t>("beginning", beginning);
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(check_range("fileBytes", file_bytes, 0, kMostFileBytes));
  WF_ASSIGN_OR_RETURN(const std::uint64_t needed,
                      reader_.add(file, bytes, static_cast<std::uint64_t>(file_bytes)));
  return NeededBytes{.bytes = static_cast<double>(needed)};
}

List Checkpoint::numbers(std::size_t count) {
  return {reinterpret_cast<std::uintptr_t>(numbers_.data()), static_cast<int>(count)};
}

List Checkpoint::entries(int file) {
  if (file < 0 || file >= reader_.file_count()) return {};
  const auto entries = reader_.file(file).gguf.entries();
  if (!numbers_.reserve(6 * entries.size()).ok()) return {};
  double* next = numbers_.data();
  for (const GgufEntry& entry : entries) {
    *next++ = static_cast<double>(entry.key_begin);
    *next++ = static_cast<double>(entry.key_bytes);
    *next++ = entry.type;
    *next++ = entry.is_list;
    *next++ = static_cast<double>(entry.count);
    *next++ = static_cast<double>(entry.begin);
  }
  return numbers(6 * entries.size());
}

List Checkpoint::place(const Workspace& workspace, int file, List name) {
  Reader reader(workspace);
  const auto text = reader.list<const char>("name", name);
  if (!reader.status().ok() || file < 0 || file >= reader_.file_count()) return {};
  for (const StoredTensor& tensor : reader_.file(file).tensors()) {
    if (tensor.name != std::string_view(text.data(), text.size())) continue;
    if (!numbers_.reserve(3).ok()) return {};
    numbers_[0] = static_cast<double>(reader_.file(file).data + tensor.begin);
    numbers_[1] = static_cast<double>(tensor.end - tensor.begin);
    numbers_[2] = tensor.dtype == Dtype::kF32;
    return numbers(3);
  }
  return {};
}

Status Checkpoint::begin(const Workspace& workspace, const Model& model, List plan,
                         bool allow_not_finite) {
  Reader reader(workspace);
  const auto text = reader.list<const char>("plan", plan);
  WF_RETURN_IF_ERROR(reader.status());
  model_ = model.transformer();
  return reader_.begin(*model_, {text.data(), text.size()}, allow_not_finite);
}

CheckpointPiece Checkpoint::next() const {
  const CheckpointReader::Piece piece = reader_.next();
  return {piece.file, static_cast<double>(piece.offset), static_cast<int>(piece.bytes)};
}

Status Checkpoint::give(const Workspace& workspace, List bytes) {
  Reader reader(workspace);
  const auto given = reader.list<const std::uint8_t>("bytes", bytes);
  WF_RETURN_IF_ERROR(reader.status());
  return reader_.give(given);
}

}  // namespace wf::calls
