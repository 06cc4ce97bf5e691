// Checks that a plan, a model and the headers of files match, before the first number is read.
#include <algorithm>

#include "model/checkpoint_reader.h"
#include "model/tensor_names.h"

namespace wf {
namespace {

constexpr int kMaxWrappers = 4;  // nested

Status of_tensor(Code code, const char* format, std::string_view name) {
  const std::string_view is = shown(name);
  return Status::error(code, format, static_cast<int>(is.size()), is.data());
}

// The numbers of a vector count as rows.
Status misshapen(const TensorInfo& info, const StoredTensor& stored) {
  const std::string_view name = shown(stored.name);
  const bool is_vector = info.dimensions == 1;
  return Status::error(
      Code::kMalformedFile,
      "tensor %.*s has %d dimensions [%.0f, %.0f…]; expected %d dimensions, %d × %d",
      static_cast<int>(name.size()), name.data(), stored.dimensions,
      static_cast<double>(stored.shape[0]), static_cast<double>(stored.shape[1]), info.dimensions,
      is_vector ? info.columns : info.rows, is_vector ? 1 : info.columns);
}

}  // namespace

Status CheckpointReader::check_shape(const Transfer& transfer) const {
  const StoredTensor& stored = *transfer.stored;
  const TensorSource& source = *transfer.source;
  const int dimensions = transfer.info->dimensions;
  const bool has_dimensions =
      source.is_flat ? stored.dimensions >= dimensions : stored.dimensions == dimensions;
  const bool fits =
      has_dimensions &&
      (transfer.is_vector()
           ? !source.is_transposed && stored.block == 1
           : !source.is_part &&
                 (source.is_transposed ? stored.shape[0] : stored.columns()) == transfer.columns());
  if (!fits) return misshapen(*transfer.info, stored);
  if (source.is_part)
    return transfer.rows() <= transfer.info->columns - source.into
               ? Status()
               : misshapen(*transfer.info, stored);
  if (source.is_whole())
    return transfer.stored_rows() == transfer.rows() ? Status() : misshapen(*transfer.info, stored);
  if (source.is_paired && transfer.rows() % source.block) return misshapen(*transfer.info, stored);
  if (source.row(transfer.all_rows() - 1) < transfer.stored_rows()) return {};
  return misshapen(*transfer.info, stored);
}

// Removes a prefix that all names have, if the plan's first tensor is not found with it. The output
// head may lie outside of the wrapper.
void CheckpointReader::remove_wrappers() {
  const auto first = std::find_if(plan_.sources().begin(), plan_.sources().end(),
                                  [](const TensorSource& one) { return !one.target.empty(); });
  if (first == plan_.sources().end()) return;
  for (int i = 0; i < kMaxWrappers && !find(first->source); ++i) {
    const auto wraps = [&](std::string_view wrapper) {
      std::size_t count = 0;
      for (const Stored& stored : stored_) {
        const std::string_view name = stored.tensor->name;
        if (name.starts_with(wrapper))
          ++count;
        else if (!name.starts_with("lm_head."))
          return false;
      }
      return count > 0;
    };
    const auto wrapper = std::find_if(name_wrappers().begin(), name_wrappers().end(), wraps);
    if (wrapper == name_wrappers().end()) return;
    for (int file = 0; file < file_count_; ++file)
      for (StoredTensor& tensor : files_[file].header.tensors())
        if (tensor.name.starts_with(*wrapper)) tensor.name.remove_prefix(wrapper->size());
  }
}

// Says what names the files have, if the plan's first tensor is not among them.
Status CheckpointReader::foreign(std::string_view names) const {
  const std::string_view wanted = shown(names);
  const std::string_view example = stored_.size() ? shown(stored_[0].tensor->name) : "";
  for (const Stored& stored : stored_)
    if (is_of_adapter(stored.tensor->name))
      return of_tensor(
          Code::kUnsupported,
          "tensor %.*s is of an adapter (LoRA), which changes another model's weights; "
          "allowed are a whole model's, as merge_and_unload() of PEFT makes them",
          stored.tensor->name);
  if (example.empty()) return of_tensor(Code::kMalformedFile, "tensor %.*s is missing", names);
  return Status::error(Code::kMalformedFile,
                       "tensor %.*s is missing; the files' names are like %.*s",
                       static_cast<int>(wanted.size()), wanted.data(),
                       static_cast<int>(example.size()), example.data());
}

// Finds the lines of the plan that read each of the model's tensors, and the stored tensors.
Status CheckpointReader::find_transfers(const ParameterTable& table) {
  const auto count_of = [&](std::string_view name) {
    std::size_t count = 0;
    for (const TensorSource& source : plan_.sources()) count += source.is_for(name);
    return count;
  };
  std::size_t count = 0;
  for (int i = 0; i < table.count(); ++i) {
    const std::string_view name = table.tensor(i).name;
    const std::size_t lines = count_of(name);
    if (lines == 0) return of_tensor(Code::kMalformedFile, "tensor %.*s is missing", name);
    count += lines;
  }
  WF_RETURN_IF_ERROR(transfers_.reserve(count));
  std::size_t next = 0;
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    std::int64_t filled = 0;
    for (const TensorSource& source : plan_.sources()) {
      if (!source.is_for(info.name)) continue;
      const Stored* stored = find(source.source);
      if (!stored)
        return next ? of_tensor(Code::kMalformedFile, "tensor %.*s is missing", source.source)
                    : foreign(source.source);
      Transfer& transfer = transfers_[next++];
      transfer = {&info, &source, stored->tensor};
      WF_RETURN_IF_ERROR(check_shape(transfer));
      if (source.is_part ? source.into != filled : filled > 0)
        return of_tensor(Code::kInvalidArgument, "plan: tensor %.*s is read twice", info.name);
      filled += transfer.rows();
    }
    if (filled < transfers_[next - 1].all_rows())
      return of_tensor(Code::kInvalidArgument, "plan: tensor %.*s is read in part", info.name);
  }
  return {};
}

Status CheckpointReader::check_transfers() {
  for (const Transfer& transfer : transfers_) {
    Stored* stored = find(transfer.source->source);
    WF_RETURN_IF_ERROR(transfer.stored->check_dtype());
    const TensorSource& source = *transfer.source;
    if (stored->rows_read &&
        (stored->is_transposed != source.is_transposed || stored->is_flat != transfer.is_flat() ||
         stored->is_paired || source.is_paired))
      return of_tensor(Code::kInvalidArgument, "plan: tensor %.*s lies both ways",
                       stored->tensor->name);
    stored->is_transposed = source.is_transposed;
    stored->is_paired = source.is_paired;
    stored->is_flat = transfer.is_flat();
    stored->rows_read += transfer.rows();
  }
  for (const Transfer& transfer : transfers_) {
    const Stored* stored = find(transfer.source->source);
    // If several of the model's tensors read a stored tensor, each reads all of it.
    if (stored->rows_read % transfer.stored_rows())
      return of_tensor(Code::kMalformedFile, "tensor %.*s is known in part only to this model",
                       stored->tensor->name);
  }
  return {};
}

// A stored copy of a tied head is redundant, but a different head would change all logits.
Status CheckpointReader::check_copies() {
  for (const TensorSource& source : plan_.sources()) {
    if (!source.is_copy) continue;
    Stored* copy = find(source.target);
    if (!copy || copy->rows_read) continue;
    Stored* original = find(source.source);
    if (!original || original->is_transposed || !copy->tensor->has_shape_of(*original->tensor) ||
        !copy->tensor->check_dtype().ok() || !original->tensor->check_dtype().ok())
      return of_tensor(Code::kUnsupported, "tensor %.*s differs from the embedding",
                       copy->tensor->name);
    // If another model owns the embedding, it is read here only for this comparison.
    copy->rows_read = original->rows_read = copy->rows();
    copy->is_compared = original->is_compared = true;
  }
  return {};
}

Status CheckpointReader::compare_copies() const {
  auto* self = const_cast<CheckpointReader*>(this);
  for (const TensorSource& source : plan_.sources()) {
    const Stored* copy = source.is_copy ? self->find(source.target) : nullptr;
    if (!copy || !copy->is_compared) continue;
    const Stored* original = self->find(source.source);
    if (copy->hash == original->hash) continue;
    const std::string_view one = shown(source.target), other = shown(source.source);
    return Status::error(Code::kUnsupported, "tensor %.*s differs from %.*s",
                         static_cast<int>(one.size()), one.data(), static_cast<int>(other.size()),
                         other.data());
  }
  return {};
}

Status CheckpointReader::check_rest() const {
  for (const Stored& stored : stored_)
    if (!stored.rows_read && !plan_.passes_over(stored.tensor->name))
      return of_tensor(Code::kMalformedFile, "tensor %.*s is unknown to this model",
                       stored.tensor->name);
  return {};
}

// The first tensor that exists of names separated by |.
CheckpointReader::Stored* CheckpointReader::find(std::string_view names) {
  Stored* found = nullptr;
  while (!found && !names.empty()) {
    const std::size_t end = std::min(names.find('|'), names.size());
    found = find_one(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return found;
}

// Finds a tensor by its name, with or without the prefix.
CheckpointReader::Stored* CheckpointReader::find_one(std::string_view name) {
  const std::string_view prefix = plan_.prefix();
  Stored* behind = nullptr;
  for (Stored& stored : stored_) {
    const std::string_view stored_name = stored.tensor->name;
    if (stored_name == name) return &stored;
    if (!prefix.empty() && stored_name.starts_with(prefix) &&
        stored_name.substr(prefix.size()) == name)
      behind = &stored;
  }
  return behind;
}

}  // namespace wf
