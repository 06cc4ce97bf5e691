#include "model/checkpoint.h"

#include <algorithm>

namespace wf {
namespace {

Status misshapen(const TensorInfo& info, const StoredTensor& stored) {
  const int length = static_cast<int>(std::min<std::size_t>(stored.name.size(), 100));
  if (info.dimensions == 1) {
    return Status::error(
        Code::kMalformedFile, "tensor %.*s has %d dimensions of %.0f…; expected [%d]", length,
        stored.name.data(), stored.dimensions, static_cast<double>(stored.shape[0]), info.columns);
  }
  return Status::error(Code::kMalformedFile,
                       "tensor %.*s has %d dimensions [%.0f, %.0f…]; expected [%d, %d]", length,
                       stored.name.data(), stored.dimensions, static_cast<double>(stored.shape[0]),
                       static_cast<double>(stored.shape[1]), info.rows, info.columns);
}

// A tensor of the model and where it is read: a vector's numbers are rows of one.
struct Reading {
  const TensorInfo* info = nullptr;
  const TensorSource* source = nullptr;
  const StoredTensor* stored = nullptr;

  int rows() const { return info->dimensions == 1 ? info->columns : info->rows; }
  int columns() const { return info->dimensions == 1 ? 1 : info->columns; }
  // Of the file's tensor.
  std::int64_t stored_rows() const { return stored->shape[source->is_transposed ? 1 : 0]; }
};

Status check_shape(const Reading& reading) {
  const StoredTensor& stored = *reading.stored;
  const bool is_transposed = reading.source->is_transposed;
  const bool fits =
      stored.dimensions == reading.info->dimensions &&
      (stored.dimensions == 1 ? !is_transposed
                              : stored.shape[is_transposed ? 0 : 1] == reading.columns());
  if (!fits) return misshapen(*reading.info, stored);
  if (reading.source->is_whole())
    return reading.stored_rows() == reading.rows() ? Status() : misshapen(*reading.info, stored);
  if (reading.source->row(reading.rows() - 1) < reading.stored_rows()) return {};
  return misshapen(*reading.info, stored);
}

void read_transposed(const SafetensorsFile& file, const Reading& reading, float* row,
                     float* values) {
  const auto stored_rows = static_cast<std::size_t>(reading.stored_rows());
  for (int c = 0; c < reading.columns(); ++c) {
    file.read(*reading.stored, static_cast<std::size_t>(c) * stored_rows, stored_rows, row);
    for (int r = 0; r < reading.rows(); ++r)
      values[static_cast<std::ptrdiff_t>(r) * reading.columns() + c] = row[reading.source->row(r)];
  }
}

void read_rows(const SafetensorsFile& file, const Reading& reading, float* values) {
  const TensorSource& source = *reading.source;
  const int piece = source.block ? source.block : reading.rows();
  const auto columns = static_cast<std::size_t>(reading.columns());
  for (int r = 0; r < reading.rows(); r += piece) {
    const int count = std::min(piece, reading.rows() - r);
    file.read(*reading.stored, static_cast<std::size_t>(source.row(r)) * columns,
              static_cast<std::size_t>(count) * columns,
              values + static_cast<std::size_t>(r) * columns);
  }
}

class Loading {
 public:
  Loading(const SafetensorsFile& file, const TensorPlan& plan, const ParameterTable& table)
      : file_(file), plan_(plan), table_(table) {}

  Status check(bool allow_not_finite) {
    WF_RETURN_IF_ERROR(readings_.reserve(table_.count()));
    WF_RETURN_IF_ERROR(rows_read_.reserve(file_.tensors().size()));
    rows_read_.fill_zero();
    std::size_t longest = 0;
    for (int i = 0; i < table_.count(); ++i) {
      Reading& reading = readings_[i];
      reading.info = &table_.tensor(i);
      reading.source = plan_.find(reading.info->name);
      if (reading.source) reading.stored = find(reading.source->source);
      if (!reading.stored) return missing(reading);
      WF_RETURN_IF_ERROR(check_shape(reading));
      WF_RETURN_IF_ERROR(reading.stored->check_dtype());
      if (!allow_not_finite) WF_RETURN_IF_ERROR(file_.check_finite(*reading.stored));
      rows_read_[index_of(reading.stored)] += reading.rows();
      if (reading.source->is_transposed)
        longest = std::max(longest, static_cast<std::size_t>(reading.stored_rows()));
    }
    WF_RETURN_IF_ERROR(row_.reserve(longest));
    WF_RETURN_IF_ERROR(check_copies());
    return check_rest();
  }

  void read(float* values) {
    for (const Reading& reading : readings_) {
      float* target = values + reading.info->offset;
      if (reading.source->is_transposed)
        read_transposed(file_, reading, row_.data(), target);
      else
        read_rows(file_, reading, target);
      if (!reading.source->adds_one) continue;
      for (std::size_t i = 0; i < reading.info->size(); ++i) target[i] += 1;
    }
  }

 private:
  std::size_t index_of(const StoredTensor* stored) const {
    return static_cast<std::size_t>(stored - file_.tensors().data());
  }

  // The first that is there of names with | between.
  const StoredTensor* find(std::string_view names) const {
    const StoredTensor* found = nullptr;
    while (!found && !names.empty()) {
      const std::size_t end = std::min(names.find('|'), names.size());
      found = find_one(names.substr(0, end));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    return found;
  }

  // By its name, or by that behind the prefix.
  const StoredTensor* find_one(std::string_view name) const {
    if (const StoredTensor* found = file_.find(name)) return found;
    for (const StoredTensor& stored : file_.tensors())
      if (!plan_.prefix().empty() && stored.name.starts_with(plan_.prefix()) &&
          stored.name.substr(plan_.prefix().size()) == name)
        return &stored;
    return nullptr;
  }

  static Status missing(const Reading& reading) {
    const std::string_view name =
        reading.source ? reading.source->source : std::string_view(reading.info->name);
    return Status::error(Code::kMalformedFile, "tensor %.*s is missing",
                         static_cast<int>(std::min<std::size_t>(name.size(), 100)), name.data());
  }

  // A head stored beside the table that it is tied to says nothing new. One of its own would change
  // every score.
  Status check_copies() {
    for (const TensorSource& source : plan_.sources()) {
      if (!source.is_copy) continue;
      const StoredTensor* copy = find(source.target);
      if (!copy) continue;
      const StoredTensor* original = find(source.source);
      if (!original || !file_.are_same(*copy, *original))
        return Status::error(Code::kUnsupported, "tensor %.*s differs from %.*s",
                             static_cast<int>(std::min<std::size_t>(source.target.size(), 100)),
                             source.target.data(),
                             static_cast<int>(std::min<std::size_t>(source.source.size(), 100)),
                             source.source.data());
      rows_read_[index_of(copy)] = copy->shape[0];
    }
    return {};
  }

  Status check_rest() const {
    for (const StoredTensor& stored : file_.tensors()) {
      const std::int64_t read = rows_read_[index_of(&stored)];
      if (read == 0 ? plan_.passes_over(stored.name) : is_read_once(stored, read)) continue;
      return Status::error(Code::kMalformedFile, "tensor %.*s is %s to this model",
                           static_cast<int>(std::min<std::size_t>(stored.name.size(), 100)),
                           stored.name.data(), read ? "known in part only" : "unknown");
    }
    return {};
  }

  bool is_read_once(const StoredTensor& stored, std::int64_t read) const {
    for (const Reading& reading : readings_)
      if (reading.stored == &stored) return reading.stored_rows() == read;
    return true;  // a copy
  }

  const SafetensorsFile& file_;
  const TensorPlan& plan_;
  const ParameterTable& table_;
  Buffer<Reading> readings_;
  Buffer<std::int64_t> rows_read_;  // of each tensor of the file
  Buffer<float> row_;
};

}  // namespace

Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype) {
  const ParameterTable& table = model.parameters();
  Buffer<TensorToStore> tensors;
  WF_RETURN_IF_ERROR(tensors.reserve(table.count()));
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    TensorToStore& tensor = tensors[i];
    tensor.name = info.name;
    tensor.dimensions = info.dimensions;
    tensor.shape[0] = info.dimensions == 1 ? info.columns : info.rows;
    tensor.shape[1] = info.columns;
    tensor.values = model.values() + info.offset;
    tensor.count = info.size();
  }
  const MetadataPair metadata[] = {{"format", "pt"}};
  return write_safetensors({tensors.data(), tensors.size()}, metadata, dtype);
}

Status load_model(std::span<const std::uint8_t> bytes, Transformer& model, const TensorPlan& plan,
                  bool allow_not_finite) {
  WF_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::parse(bytes));
  Loading loading(file, plan, model.parameters());
  WF_RETURN_IF_ERROR(loading.check(allow_not_finite));
  loading.read(model.values());
  return {};
}

Status load_model(std::span<const std::uint8_t> bytes, Transformer& model, bool allow_not_finite) {
  WF_ASSIGN_OR_RETURN(const TensorPlan plan, TensorPlan::of(model));
  return load_model(bytes, model, plan, allow_not_finite);
}

}  // namespace wf
