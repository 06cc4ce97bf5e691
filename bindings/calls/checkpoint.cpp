#include "calls/checkpoint.h"

#include "calls/reader.h"

namespace wf::calls {
namespace {

constexpr double kMaxFileBytes = 9007199254740991.0;  // exactly representable as a double

}  // namespace

Result<std::unique_ptr<Checkpoint>> Checkpoint::make(int files) {
  WF_ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::make(files));
  return std::make_unique<Checkpoint>(std::move(reader));
}

Result<double> Checkpoint::add(const Workspace& workspace, int file, List beginning,
                               double file_bytes) {
  Reader reader(workspace);
  const auto bytes = reader.list<const std::uint8_t>("beginning", beginning);
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(check_range("fileBytes", file_bytes, 0, kMaxFileBytes));
  WF_ASSIGN_OR_RETURN(const std::uint64_t needed,
                      reader_.add(file, bytes, static_cast<std::uint64_t>(file_bytes)));
  return static_cast<double>(needed);
}

Status Checkpoint::begin(const Workspace& workspace, const Model& model, List plan,
                         bool allow_not_finite) {
  Reader reader(workspace);
  const auto text = reader.list<const char>("plan", plan);
  WF_RETURN_IF_ERROR(reader.status());
  model_ = model.transformer();
  return reader_.begin(*model_, {text.data(), text.size()}, allow_not_finite);
}

Status Checkpoint::give(const Workspace& workspace, List bytes) {
  Reader reader(workspace);
  const auto given = reader.list<const std::uint8_t>("bytes", bytes);
  WF_RETURN_IF_ERROR(reader.status());
  return reader_.give(given);
}

}  // namespace wf::calls
