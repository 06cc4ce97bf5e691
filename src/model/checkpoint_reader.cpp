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

}  // namespace

Result<CheckpointReader> CheckpointReader::make(int files) {
  if (files < 1 || files > kMaxFiles)
    return Status::error(Code::kInvalidArgument, "files: %d of them; allowed: 1 to %d", files,
                         kMaxFiles);
  CheckpointReader reader;
  reader.files_.reset(new (std::nothrow) File[files]);
  if (!reader.files_) return Status::error(Code::kOutOfMemory, "out of memory: %d files", files);
  reader.file_count_ = files;
  return reader;
}

Result<std::uint64_t> CheckpointReader::add(int index, std::span<const std::uint8_t> beginning,
                                            std::uint64_t file_bytes) {
  if (index < 0 || index >= file_count_ || beginning.size() > file_bytes)
    return Status::error(Code::kInvalidArgument, "file: %d; allowed: 0 to %d", index,
                         file_count_ - 1);
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
  Buffer<const StoredTensor*> sorted;
  WF_RETURN_IF_ERROR(sorted.reserve(count));
  WF_RETURN_IF_ERROR(stored_.reserve(count));
  std::size_t next = 0;
  for (int i = 0; i < file_count_; ++i) {
    const std::span<const StoredTensor> tensors = files_[i].header.tensors();
    Buffer<const StoredTensor*> by_offset;
    WF_RETURN_IF_ERROR(by_offset.reserve(tensors.size()));
    for (std::size_t t = 0; t < tensors.size(); ++t) by_offset[t] = &tensors[t];
    sort_by_offset(by_offset);
    for (const StoredTensor* tensor : by_offset) {
      sorted[next] = tensor;
      stored_[next++] = {tensor, i};
    }
  }
  return check_names(sorted);
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
  remove_wrappers();
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
    return Status::error(Code::kInvalidArgument, "piece: %zu bytes; allowed: %zu", bytes.size(),
                         next().bytes);
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
        write(stored, 0,
              static_cast<int>(stored.is_transposed ? stored.tensor->columns() : stored.rows()),
              gathered_.data()));
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

// Transposes rows of the file's tensor, or moves the channels of a pair half a head apart.
void CheckpointReader::gather(const Stored& stored, std::int64_t first, int count) {
  const std::size_t columns = stored.columns();
  if (stored.is_transposed) {
    const auto rows = static_cast<std::size_t>(stored.rows());
    for (std::size_t r = 0; r < columns; ++r) {
      float* target = gathered_.data() + r * rows + static_cast<std::size_t>(first);
      for (int c = 0; c < count; ++c)
        target[c] = values_[static_cast<std::size_t>(c) * columns + r];
    }
    return;
  }
  const Transfer& transfer =
      *std::find_if(transfers_.begin(), transfers_.end(),
                    [&](const Transfer& one) { return one.stored == stored.tensor; });
  const std::int64_t block = transfer.source->block;
  for (int r = 0; r < count; ++r) {
    const std::int64_t row = first + r, channel = row % block;
    const std::int64_t target = row - channel + channel % 2 * (block / 2) + channel / 2;
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

}  // namespace wf
