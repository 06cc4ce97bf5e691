#include "model/safetensors.h"

#include <algorithm>

#include "model/json_cursor.h"

namespace wf {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the reference implementation's limit
constexpr std::size_t kLengthBytes = 8;

Status malformed(const char* what, std::size_t position) {
  return Status::error(Code::kMalformedFile, "malformed safetensors file: %s at header byte %zu",
                       what, position);
}

Status malformed_tensor(const char* what, std::string_view name) {
  return Status::error(Code::kMalformedFile, "malformed safetensors file: tensor %.*s %s",
                       static_cast<int>(std::min<std::size_t>(name.size(), 100)), name.data(),
                       what);
}

Status parse_dtype(StoredTensor& tensor) {
  const DtypeInfo* known = safetensors_dtype(tensor.dtype_text);
  tensor.dtype = known ? known->dtype : Dtype::kOther;
  if (!known) return tensor.check_dtype();
  tensor.block_bytes = known->block_bytes;
  return {};
}

// Only counts if the pointer is null; otherwise writes.
struct Sink {
  StoredTensor* tensors = nullptr;
  MetadataPair* metadata = nullptr;
  std::size_t tensor_count = 0;
  std::size_t metadata_count = 0;

  void add(const StoredTensor& tensor) {
    if (tensors) tensors[tensor_count] = tensor;
    ++tensor_count;
  }
  void add(const MetadataPair& pair) {
    if (metadata) metadata[metadata_count] = pair;
    ++metadata_count;
  }
};

Status parse_metadata(JsonCursor& cursor, Sink& sink) {
  if (!cursor.expect('{')) return malformed("__metadata__ is not an object", cursor.position());
  if (cursor.expect('}')) return {};
  do {
    MetadataPair pair;
    if (!cursor.string(pair.key) || !cursor.expect(':') || !cursor.string(pair.value))
      return malformed("__metadata__ is not made of strings", cursor.position());
    sink.add(pair);
  } while (cursor.expect(','));
  if (!cursor.expect('}')) return malformed("an unfinished __metadata__", cursor.position());
  return {};
}

Status parse_shape(JsonCursor& cursor, StoredTensor& tensor) {
  if (!cursor.expect('[')) return malformed("shape is not a list", cursor.position());
  if (cursor.expect(']')) return {};
  do {
    std::uint64_t extent = 0;
    if (!cursor.natural(extent)) return malformed("a bad extent in shape", cursor.position());
    if (tensor.dimensions == kMaxDimensions)
      return malformed("more than 8 dimensions", cursor.position());
    tensor.shape[tensor.dimensions++] = static_cast<std::int64_t>(extent);
  } while (cursor.expect(','));
  if (!cursor.expect(']')) return malformed("an unfinished shape", cursor.position());
  return {};
}

Status parse_tensor(JsonCursor& cursor, StoredTensor& tensor) {
  bool has_dtype = false, has_shape = false, has_offsets = false;
  if (!cursor.expect('{')) return malformed("a tensor is not an object", cursor.position());
  do {
    std::string_view key;
    if (!cursor.string(key) || !cursor.expect(':'))
      return malformed("a bad key of a tensor", cursor.position());
    if (key == "dtype" && !has_dtype) {
      if (!cursor.string(tensor.dtype_text)) return malformed("a bad dtype", cursor.position());
      WF_RETURN_IF_ERROR(parse_dtype(tensor));
      has_dtype = true;
    } else if (key == "shape" && !has_shape) {
      WF_RETURN_IF_ERROR(parse_shape(cursor, tensor));
      has_shape = true;
    } else if (key == "data_offsets" && !has_offsets) {
      if (!cursor.expect('[') || !cursor.natural(tensor.begin) || !cursor.expect(',') ||
          !cursor.natural(tensor.end) || !cursor.expect(']'))
        return malformed("bad data_offsets", cursor.position());
      has_offsets = true;
    } else {
      return malformed("an unknown or repeated key of a tensor", cursor.position());
    }
  } while (cursor.expect(','));
  if (!cursor.expect('}')) return malformed("an unfinished tensor", cursor.position());
  if (!has_dtype || !has_shape || !has_offsets)
    return malformed_tensor("lacks dtype, shape or data_offsets", tensor.name);
  return {};
}

Status parse_header_text(std::string_view text, Sink& sink) {
  JsonCursor cursor(text);
  if (!cursor.expect('{')) return malformed("no header object", cursor.position());
  bool has_metadata = false;
  if (!cursor.peek('}')) {
    do {
      StoredTensor tensor;
      if (!cursor.string(tensor.name) || !cursor.expect(':'))
        return malformed("a bad key", cursor.position());
      if (tensor.name == "__metadata__") {
        if (has_metadata) return malformed("a second __metadata__", cursor.position());
        has_metadata = true;
        WF_RETURN_IF_ERROR(parse_metadata(cursor, sink));
      } else {
        WF_RETURN_IF_ERROR(parse_tensor(cursor, tensor));
        sink.add(tensor);
      }
    } while (cursor.expect(','));
  }
  if (!cursor.expect('}')) return malformed("an unfinished header", cursor.position());
  if (!cursor.at_end()) return malformed("text after the header object", cursor.position());
  return {};
}

// Checks that shape and dtype give the number of bytes in data_offsets.
Status check_extent(const StoredTensor& tensor) {
  if (tensor.begin > tensor.end) return malformed_tensor("ends before it begins", tensor.name);
  const std::uint64_t bytes = tensor.end - tensor.begin;
  auto expected = static_cast<std::uint64_t>(tensor.block_bytes);
  for (int i = 0; i < tensor.dimensions; ++i) {
    const auto extent = static_cast<std::uint64_t>(tensor.shape[i]);
    if (extent != 0 && expected > ~std::uint64_t{0} / extent)
      return malformed_tensor("has an impossible shape", tensor.name);
    expected *= extent;
  }
  if (expected != bytes)
    return malformed_tensor("has offsets that do not fit its shape", tensor.name);
  return {};
}

// Checks that tensors fill the data part exactly, without overlap, and that names are unique.
Status check_coverage(const Buffer<StoredTensor>& tensors, std::uint64_t data_bytes) {
  Buffer<const StoredTensor*> sorted;
  WF_RETURN_IF_ERROR(sorted.reserve(tensors.size()));
  for (std::size_t i = 0; i < tensors.size(); ++i) sorted[i] = &tensors[i];
  WF_RETURN_IF_ERROR(check_names(sorted));
  sort_by_offset(sorted);
  std::uint64_t covered = 0;
  for (const StoredTensor* tensor : sorted) {
    if (tensor->begin != covered)
      return malformed_tensor("leaves a gap or overlaps another", tensor->name);
    covered = tensor->end;
  }
  if (covered != data_bytes) {
    return Status::error(Code::kMalformedFile,
                         "malformed safetensors file: %.0f bytes of data, and the header says %.0f",
                         static_cast<double>(data_bytes), static_cast<double>(covered));
  }
  return {};
}

}  // namespace

Result<std::uint64_t> SafetensorsFile::header_bytes(std::span<const std::uint8_t> beginning,
                                                    std::uint64_t file_bytes) {
  if (beginning.size() < kLengthBytes) {
    return Status::error(Code::kMalformedFile, "malformed safetensors file: %zu bytes in all",
                         beginning.size());
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= static_cast<std::uint64_t>(beginning[i]) << (8 * i);
  if (length > kMaxHeaderBytes || length > file_bytes - kLengthBytes) {
    return Status::error(Code::kMalformedFile,
                         "malformed safetensors file: a header of %.0f bytes in a file of %.0f",
                         static_cast<double>(length), static_cast<double>(file_bytes));
  }
  return length + kLengthBytes;
}

Result<SafetensorsFile> SafetensorsFile::parse_header(std::span<const std::uint8_t> beginning,
                                                      std::uint64_t file_bytes) {
  WF_ASSIGN_OR_RETURN(const std::uint64_t bytes, header_bytes(beginning, file_bytes));
  const std::string_view header(reinterpret_cast<const char*>(beginning.data()) + kLengthBytes,
                                static_cast<std::size_t>(bytes) - kLengthBytes);
  SafetensorsFile file;
  Sink counts;
  WF_RETURN_IF_ERROR(parse_header_text(header, counts));
  WF_RETURN_IF_ERROR(file.tensors_.reserve(counts.tensor_count));
  WF_RETURN_IF_ERROR(file.metadata_.reserve(counts.metadata_count));
  Sink sink{file.tensors_.data(), file.metadata_.data()};
  WF_RETURN_IF_ERROR(parse_header_text(header, sink));
  for (const StoredTensor& tensor : file.tensors_) WF_RETURN_IF_ERROR(check_extent(tensor));
  WF_RETURN_IF_ERROR(check_coverage(file.tensors_, file_bytes - bytes));
  return file;
}

Result<SafetensorsFile> SafetensorsFile::parse(std::span<const std::uint8_t> bytes) {
  WF_ASSIGN_OR_RETURN(SafetensorsFile file, parse_header(bytes, bytes.size()));
  WF_ASSIGN_OR_RETURN(const std::uint64_t header, header_bytes(bytes, bytes.size()));
  file.data_ = bytes.subspan(static_cast<std::size_t>(header));
  return file;
}

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
  for (const StoredTensor& tensor : tensors_)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

std::string_view SafetensorsFile::metadata_value(std::string_view key) const {
  for (const MetadataPair& pair : metadata_)
    if (pair.key == key) return pair.value;
  return {};
}

Status SafetensorsFile::check_finite(const StoredTensor& tensor) const {
  const std::size_t found = first_not_finite(data_.data() + tensor.begin, tensor.count());
  return found == tensor.count() ? Status() : not_finite(tensor, found);
}

}  // namespace wf
