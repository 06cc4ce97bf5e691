#include "model/checkpoint_reader.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "model/tensor_names.h"

namespace wf {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
// Count of numbers that are converted at a time: they stay in the cache until they are stored.
constexpr std::size_t kWidenedNumbers = std::size_t{1} << 14;

constexpr std::size_t kRowsAtOnce = 4;

// Number of rows of `row` numbers with about `max` numbers in total; a multiple of the groups in
// which rows are stored.
std::size_t rows_in(std::size_t max, std::size_t row) {
  return std::max(max / row / kRowsAtOnce, std::size_t{1}) * kRowsAtOnce;
}

// Continues the hash of a tensor's numbers, one by one, so that it does not depend on the pieces.
std::uint64_t hash_more(std::uint64_t hash, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, values + i, sizeof(bits));
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

constexpr int kMaxWrappers = 4;  // nested

Status of_tensor(Code code, const char* format, std::string_view name) {
  const std::string_view is = shown(name);
  return Status::error(code, format, static_cast<int>(is.size()), is.data());
}

// The numbers of a vector count as rows.
Status misshapen(const TensorInfo& info, const StoredTensor& stored) {
  const std::string_view name = shown(stored.name);
  const bool is_vector = info.dimensions == 1;
  return WF_UNEXPECTED_AS(Code::kMalformedFile, "tensor %.*s", "%d dimensions [%.0f, %.0f…]",
                          "%d dimensions, %d × %d", static_cast<int>(name.size()), name.data(),
                          stored.dimensions, static_cast<double>(stored.shape[0]),
                          static_cast<double>(stored.shape[1]), info.dimensions,
                          is_vector ? info.columns : info.rows, is_vector ? 1 : info.columns);
}

}  // namespace

Result<CheckpointReader> CheckpointReader::make(int files) {
  if (files < 1 || files > kMaxFiles)
    return WF_UNEXPECTED("files", "%d files", "1 to %d", files, kMaxFiles);
  CheckpointReader reader;
  reader.files_.reset(new (std::nothrow) File[files]);
  if (!reader.files_) return Status::error(Code::kOutOfMemory, "out of memory: %d files", files);
  reader.file_count_ = files;
  return reader;
}

Result<std::uint64_t> CheckpointReader::add(int index, std::span<const std::uint8_t> beginning,
                                            std::uint64_t file_bytes) {
  if (index < 0 || index >= file_count_ || beginning.size() > file_bytes)
    return WF_UNEXPECTED("file", "%d", "0 to %d", index, file_count_ - 1);
  const std::uint64_t min = std::min<std::uint64_t>(8, file_bytes);
  if (beginning.size() < min) return min;
  WF_ASSIGN_OR_RETURN(const std::uint64_t header,
                      SafetensorsFile::header_bytes(beginning, file_bytes));
  if (header > beginning.size()) return header;
  const auto kept = static_cast<std::size_t>(header);
  File file;
  WF_RETURN_IF_ERROR(file.bytes.reserve(kept));
  std::copy_n(beginning.data(), kept, file.bytes.data());
  WF_ASSIGN_OR_RETURN(file.header,
                      SafetensorsFile::parse_header({file.bytes.data(), kept}, file_bytes));
  for (StoredTensor& tensor : file.header.tensors()) {
    char* text = reinterpret_cast<char*>(file.bytes.data()) +
                 (tensor.name.data() - reinterpret_cast<const char*>(file.bytes.data()));
    tensor.name = without_module_wrappers({text, tensor.name.size()});
  }
  files_[index] = std::move(file);
  return std::uint64_t{0};
}

Status CheckpointReader::order_tensors() {
  std::size_t count = 0;
  for (int i = 0; i < file_count_; ++i) {
    if (!files_[i].bytes.size())
      return Status::error(Code::kInvalidArgument, "file %d has not been read", i);
    count += files_[i].header.tensors().size();
  }
  WF_RETURN_IF_ERROR(by_name_.reserve(count));
  WF_RETURN_IF_ERROR(stored_.reserve(count));
  std::size_t next = 0;
  for (int i = 0; i < file_count_; ++i) {
    const std::span<StoredTensor> tensors = files_[i].header.tensors();
    Buffer<const StoredTensor*> by_offset;
    WF_RETURN_IF_ERROR(by_offset.reserve(tensors.size()));
    for (std::size_t t = 0; t < tensors.size(); ++t) by_offset[t] = &tensors[t];
    sort_by_offset(by_offset);
    for (const StoredTensor* tensor : by_offset) {
      tensors[static_cast<std::size_t>(tensor - tensors.data())].order = next;
      by_name_[next] = tensor;
      stored_[next++] = {tensor, i};
    }
  }
  return check_names(by_name_);
}

Status CheckpointReader::begin(Transformer& model, std::string_view plan, bool allow_not_finite,
                               bool is_trial) {
  transfers_ = {};
  stored_ = {};
  model_ = &model;
  allows_not_finite_ = allow_not_finite;
  is_trial_ = is_trial;
  if (plan.empty()) {
    WF_ASSIGN_OR_RETURN(plan_, TensorPlan::of(model));
  } else {
    WF_RETURN_IF_ERROR(text_.reserve(plan.size()));
    std::copy(plan.begin(), plan.end(), text_.data());
    WF_ASSIGN_OR_RETURN(plan_, TensorPlan::parse({text_.data(), plan.size()}));
  }
  WF_RETURN_IF_ERROR(order_tensors());
  WF_RETURN_IF_ERROR(remove_wrappers());
  WF_RETURN_IF_ERROR(find_transfers(model.parameters()));
  WF_RETURN_IF_ERROR(check_transfers());
  WF_RETURN_IF_ERROR(check_copies());
  WF_RETURN_IF_ERROR(check_rest());
  std::size_t widest = kWidenedNumbers, gathered = 0;
  for (const Stored& stored : stored_) {
    if (!is_wanted(stored)) continue;
    widest = std::max(widest, kRowsAtOnce * stored.columns());
    if (stored.is_gathered()) gathered = std::max(gathered, stored.tensor->count());
  }
  WF_RETURN_IF_ERROR(values_.reserve(widest));
  WF_RETURN_IF_ERROR(gathered_.reserve(gathered));
  at_ = 0;
  row_ = 0;
  skip_unread();
  return {};
}

// Skips tensors that no line reads, and those that have been read.
void CheckpointReader::skip_unread() {
  while (at_ < stored_.size() && (!is_wanted(stored_[at_]) || row_ == stored_[at_].rows())) {
    row_ = 0;
    ++at_;
  }
}

std::int64_t CheckpointReader::rows_of_piece() const {
  const Stored& stored = stored_[at_];
  return std::min(static_cast<std::int64_t>(rows_in(kPieceBytes, stored.row_bytes())),
                  stored.rows() - row_);
}

CheckpointReader::Piece CheckpointReader::next() const {
  if (at_ == stored_.size()) return {};
  const Stored& stored = stored_[at_];
  const std::size_t bytes = stored.row_bytes();
  return {stored.file,
          files_[stored.file].bytes.size() + stored.tensor->begin +
              static_cast<std::uint64_t>(row_) * bytes,
          static_cast<std::size_t>(rows_of_piece()) * bytes};
}

Status CheckpointReader::give(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.size() != next().bytes)
    return WF_UNEXPECTED("piece", "%zu bytes", "%zu", bytes.size(), next().bytes);
  Stored& stored = stored_[at_];
  const std::int64_t end = row_ + rows_of_piece();
  const auto at_once = static_cast<std::int64_t>(rows_in(kWidenedNumbers, stored.columns()));
  const std::uint8_t* source = bytes.data();
  for (; row_ < end; row_ += at_once) {
    const int count = static_cast<int>(std::min(at_once, end - row_));
    WF_RETURN_IF_ERROR(take_rows(stored, row_, count, source));
    source += static_cast<std::size_t>(count) * stored.row_bytes();
  }
  row_ = end;
  if (row_ == stored.rows() && stored.is_gathered())
    WF_RETURN_IF_ERROR(
        write(stored, 0, static_cast<int>(stored.gathered_rows()), gathered_.data()));
  skip_unread();
  return at_ == stored_.size() ? compare_copies() : Status();
}

Status CheckpointReader::take_rows(Stored& stored, std::int64_t first, int count,
                                   const std::uint8_t* bytes) {
  const std::size_t numbers = static_cast<std::size_t>(count) * stored.columns();
  widen(stored.tensor->dtype, bytes, numbers, values_.data());
  if (!allows_not_finite_) {
    const std::size_t found = first_not_finite(values_.data(), numbers);
    if (found != numbers)
      return not_finite(*stored.tensor, static_cast<std::size_t>(first) * stored.columns() + found);
  }
  if (stored.is_compared) stored.hash = hash_more(stored.hash, values_.data(), numbers);
  if (!stored.is_gathered()) return write(stored, first, count, values_.data());
  gather(stored, first, count);
  return {};
}

// Transposes rows of the file's tensor, or reorders those of a block.
void CheckpointReader::gather(const Stored& stored, std::int64_t first, int count) {
  const std::size_t columns = stored.columns();
  if (stored.is_transposed) {
    const auto height = static_cast<std::size_t>(stored.is_listed ? stored.tensor->shape[1]
                                                                  : stored.tensor->shape[0]);
    for (std::size_t done = 0, rows; done < static_cast<std::size_t>(count); done += rows) {
      const std::size_t row = static_cast<std::size_t>(first) + done, within = row % height;
      rows = std::min(static_cast<std::size_t>(count) - done, height - within);
      const float* source = values_.data() + done * columns;
      for (std::size_t c = 0; c < columns; ++c) {
        float* target = gathered_.data() + (row - within) * columns + c * height + within;
        for (std::size_t r = 0; r < rows; ++r) target[r] = source[r * columns + c];
      }
    }
    return;
  }
  const Transfer& transfer =
      *std::find_if(transfers_.begin(), transfers_.end(),
                    [&](const Transfer& one) { return one.stored == stored.tensor; });
  const std::int64_t block = transfer.source->block;
  for (int r = 0; r < count; ++r) {
    const std::int64_t row = first + r, channel = row % block;
    const std::int64_t to = transfer.source->is_swapped ? (channel + block / 2) % block
                                                        : channel % 2 * (block / 2) + channel / 2;
    const std::int64_t target = row - channel + to;
    std::copy_n(values_.data() + static_cast<std::size_t>(r) * columns, columns,
                gathered_.data() + static_cast<std::size_t>(target) * columns);
  }
}

Status CheckpointReader::write(const Stored& stored, std::int64_t first, int count, float* values) {
  for (const Transfer& transfer : transfers_) {
    if (is_trial_ || transfer.stored != stored.tensor) continue;
    if (transfer.source->adds_one)
      for (int i = 0; i < count * transfer.columns(); ++i) values[i] += 1;
    WF_RETURN_IF_ERROR(write(transfer, first, count, values));
  }
  return {};
}

// Of rows [first, first + count) of the file's tensor, writes those that belong to this transfer.
Status CheckpointReader::write(const Transfer& transfer, std::int64_t first, int count,
                               const float* values) {
  const TensorSource& source = *transfer.source;
  const std::int64_t end = first + count;
  const std::int64_t block = source.is_whole() ? transfer.rows() : source.block;
  const std::int64_t stride = source.is_whole() ? block : source.stride;
  const std::int64_t before = first - source.first;
  const std::int64_t into = source.into;
  for (std::int64_t k = before > 0 ? before / stride : 0;; ++k) {
    const std::int64_t start = source.first + k * stride;
    const std::int64_t rows = std::min<std::int64_t>(block, transfer.rows() - k * block);
    if (rows <= 0 || start >= end) return {};
    const std::int64_t from = std::max(start, first), to = std::min(start + rows, end);
    if (from < to)
      WF_RETURN_IF_ERROR(model_->store_rows(
          *transfer.info, static_cast<int>(into + k * block + from - start),
          static_cast<int>(to - from), values + (from - first) * transfer.columns()));
  }
}

// ---- Checks that plan, model and headers match, before the first number is read

Status CheckpointReader::check_shape(const Transfer& transfer) const {
  const StoredTensor& stored = *transfer.stored;
  const TensorSource& source = *transfer.source;
  const int dimensions = transfer.info->dimensions;
  const int inner = source.is_listed ? 1 : 0;
  const bool has_dimensions =
      source.is_flat ? stored.dimensions >= dimensions : stored.dimensions == dimensions + inner;
  const bool fits = has_dimensions &&
                    (transfer.is_vector() ? !source.is_transposed && stored.block == 1
                                          : (source.is_transposed ? stored.shape[inner]
                                                                  : stored.count_from(inner + 1)) ==
                                                transfer.columns());
  if (!fits) return misshapen(*transfer.info, stored);
  if (source.is_part) {
    const bool has_strides = source.is_whole() || (transfer.stored_rows() % source.stride == 0 &&
                                                   source.first <= source.stride - source.block);
    return has_strides && transfer.rows() <= transfer.all_rows() - source.into
               ? Status()
               : misshapen(*transfer.info, stored);
  }
  if (source.is_whole())
    return transfer.stored_rows() == transfer.rows() ? Status() : misshapen(*transfer.info, stored);
  if (source.is_reordered() && transfer.rows() % source.block)
    return misshapen(*transfer.info, stored);
  if (source.row(transfer.all_rows() - 1) < transfer.stored_rows()) return {};
  return misshapen(*transfer.info, stored);
}

// Removes a prefix that all names have, if the plan's first tensor is not found with it. The output
// head may lie outside of the wrapper.
Status CheckpointReader::remove_wrappers() {
  const auto first = std::find_if(plan_.sources().begin(), plan_.sources().end(),
                                  [](const TensorSource& one) { return !one.target.empty(); });
  if (first == plan_.sources().end()) return {};
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
    if (wrapper == name_wrappers().end()) return {};
    for (int file = 0; file < file_count_; ++file)
      for (StoredTensor& tensor : files_[file].header.tensors())
        if (tensor.name.starts_with(*wrapper)) tensor.name.remove_prefix(wrapper->size());
    WF_RETURN_IF_ERROR(check_names(by_name_));
  }
  return {};
}

// Says what names the files have, if the plan's first tensor is not among them.
Status CheckpointReader::foreign(std::string_view names) const {
  const std::string_view wanted = shown(names);
  const std::string_view example = stored_.size() ? shown(stored_[0].tensor->name) : "";
  for (const Stored& stored : stored_)
    if (is_of_adapter(stored.tensor->name))
      return of_tensor(
          Code::kUnsupported,
          "tensor %.*s belongs to an adapter (LoRA), which changes another model's weights; "
          "pass the whole model, as PEFT's merge_and_unload() makes it",
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
         stored->is_listed != source.is_listed || stored->is_reordered || source.is_reordered()))
      return of_tensor(Code::kInvalidArgument, "plan: tensor %.*s is read in two orders",
                       stored->tensor->name);
    stored->is_transposed = source.is_transposed;
    stored->is_reordered = source.is_reordered();
    stored->is_flat = transfer.is_flat();
    stored->is_listed = source.is_listed;
    stored->rows_read += transfer.rows();
  }
  for (const Transfer& transfer : transfers_) {
    const Stored* stored = find(transfer.source->source);
    // If several of the model's tensors read a stored tensor, each reads all of it.
    if (stored->rows_read % transfer.stored_rows())
      return of_tensor(Code::kMalformedFile, "tensor %.*s is read only in part by this model",
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
  Stored* bare = find_named("", name);
  return bare ? bare : find_named(plan_.prefix(), name);
}

// Finds the tensor whose name is `first` followed by `rest`. By halves: a model may have tens of
// thousands of tensors, one for each matrix of an expert.
CheckpointReader::Stored* CheckpointReader::find_named(std::string_view first,
                                                       std::string_view rest) {
  const auto order = [&](const StoredTensor* tensor) {
    const std::string_view name = tensor->name;
    const int of_first = name.substr(0, first.size()).compare(first);
    return of_first ? of_first : name.substr(first.size()).compare(rest);
  };
  const auto* const* at = std::partition_point(
      by_name_.begin(), by_name_.end(), [&](const auto* tensor) { return order(tensor) < 0; });
  return at == by_name_.end() || order(*at) ? nullptr : &stored_[(*at)->order];
}

}  // namespace wf
